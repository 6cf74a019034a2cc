CREATE TABLE "demand_brief" (
	"week" text COLLATE "C" NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"brief" text COLLATE "C" NOT NULL,
	"countries" text COLLATE "C" NOT NULL,
	"formats" text COLLATE "C" NOT NULL,
	"budget" double precision,
	"currency" text COLLATE "C",
	"agent_key_id" text COLLATE "C",
	"asked" bigint NOT NULL,
	"matched" bigint NOT NULL,
	"unmatched" bigint NOT NULL,
	"first_product" text COLLATE "C",
	"last_at" bigint NOT NULL,
	CONSTRAINT "demand_brief_week_digest_pk" PRIMARY KEY("week","digest")
);
--> statement-breakpoint
CREATE TABLE "demand_count" (
	"week" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	"calls" bigint NOT NULL,
	"unmatched" bigint NOT NULL,
	CONSTRAINT "demand_count_week_kind_value_pk" PRIMARY KEY("week","kind","value")
);
--> statement-breakpoint
CREATE INDEX "demand_brief_order" ON "demand_brief" USING btree ("unmatched","week","asked","digest");