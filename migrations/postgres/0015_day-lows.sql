ALTER TABLE "delivery_day" ADD COLUMN "low" double precision;--> statement-breakpoint
ALTER TABLE "delivery_total" ADD COLUMN "day_low" double precision;--> statement-breakpoint
-- The days of every line are made once more, with their lowest totals: some lines at a time, by upkeep, which goes on from here.
INSERT INTO "setting" ("name", "value") SELECT 'days_renewed_through', '0'
WHERE EXISTS (SELECT 1 FROM "delivery_total" WHERE "day_end" IS NOT NULL);
