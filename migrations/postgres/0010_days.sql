CREATE TABLE "delivery_day" (
	"day" text COLLATE "C" NOT NULL,
	"line_id" bigint NOT NULL,
	"as_of" bigint NOT NULL,
	"quantity" double precision NOT NULL,
	CONSTRAINT "delivery_day_day_line_id_pk" PRIMARY KEY("day","line_id")
);
--> statement-breakpoint
ALTER TABLE "delivery_total" ADD COLUMN "day_end" bigint;--> statement-breakpoint
CREATE INDEX "delivery_total_unmade" ON "delivery_total" USING btree ("line_id") WHERE day_end IS NULL;