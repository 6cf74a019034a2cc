CREATE TABLE "agent_call_share" (
	"caller" text COLLATE "C" PRIMARY KEY NOT NULL,
	"after_id" bigint NOT NULL,
	"bytes" bigint NOT NULL
);
