ALTER TABLE "delivery_day" ADD COLUMN "low" double precision;--> statement-breakpoint
ALTER TABLE "delivery_total" ADD COLUMN "day_low" double precision;--> statement-breakpoint
-- The days of every line are made once more, with their lowest totals.
UPDATE "delivery_total" SET "day_end" = NULL WHERE "day_end" IS NOT NULL;
