-- Works from schema 19 on.
-- The links of the history stay in their columns until the next release, so that servers of the version before fail at nothing while they
-- are stopped. Nothing reads or writes them any more.
CREATE TABLE "outdated_days" (
	"organization_id" bigint PRIMARY KEY NOT NULL,
	"before" text COLLATE "C"
);
--> statement-breakpoint
ALTER TABLE "delivery_total" ALTER COLUMN "last_as_of" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "delivery_total" ALTER COLUMN "last_quantity" DROP NOT NULL;--> statement-breakpoint
-- Servers of the version before would otherwise make the days of such lines, without the last one.
ALTER TABLE "delivery_total" ALTER COLUMN "day_end" SET DEFAULT 9007199254740991;--> statement-breakpoint
UPDATE "delivery_total" SET "day_end" = 9007199254740991 WHERE "day_end" IS NULL;--> statement-breakpoint
-- The days of every line are worked out once more, a day at a time, by upkeep: until now the day of the current total had no row.
INSERT INTO "outdated_days" ("organization_id")
SELECT DISTINCT l."seller_id" FROM "delivery_total" t JOIN "package_line" l ON l."id" = t."line_id";
--> statement-breakpoint
DELETE FROM "setting" WHERE "name" = 'days_renewed_through';
