CREATE TABLE "alert" (
	"kind" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"detail" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"began_at" bigint NOT NULL,
	"ended_at" bigint,
	CONSTRAINT "alert_kind_subject_pk" PRIMARY KEY("kind","subject")
);
--> statement-breakpoint
CREATE TABLE "alert_message" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"channel" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"attempts" bigint NOT NULL,
	"next_attempt_at" bigint,
	"sent_at" bigint,
	"problem" text COLLATE "C"
);
--> statement-breakpoint
CREATE INDEX "alert_message_next" ON "alert_message" USING btree ("next_attempt_at");--> statement-breakpoint
CREATE INDEX "alert_message_created" ON "alert_message" USING btree ("created_at");