CREATE TABLE `outdated_days` (
	`organization_id` integer PRIMARY KEY NOT NULL,
	`before` text
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- Copied once, which takes less time than to drop two columns.
CREATE TABLE `new_delivery_report` (
	`as_of` integer NOT NULL,
	`line_id` integer NOT NULL,
	`quantity` real NOT NULL,
	`received_at` integer NOT NULL,
	`source_id` integer NOT NULL,
	PRIMARY KEY(`as_of`, `line_id`, `quantity`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `new_delivery_report` (`as_of`, `line_id`, `quantity`, `received_at`, `source_id`)
SELECT `as_of`, `line_id`, `quantity`, `received_at`, `source_id` FROM `delivery_report` ORDER BY `as_of`, `line_id`, `quantity`;
--> statement-breakpoint
DROP TABLE `delivery_report`;--> statement-breakpoint
ALTER TABLE `new_delivery_report` RENAME TO `delivery_report`;--> statement-breakpoint
DROP INDEX `delivery_total_unmade`;--> statement-breakpoint
ALTER TABLE `delivery_total` DROP COLUMN `last_as_of`;--> statement-breakpoint
ALTER TABLE `delivery_total` DROP COLUMN `last_quantity`;--> statement-breakpoint
ALTER TABLE `delivery_total` DROP COLUMN `day_end`;--> statement-breakpoint
ALTER TABLE `delivery_total` DROP COLUMN `day_low`;--> statement-breakpoint
-- The days of every line are worked out once more, a day at a time, by upkeep: until now the day of the current total had no row.
INSERT INTO `outdated_days` (`organization_id`)
SELECT DISTINCT l.`seller_id` FROM `delivery_total` t JOIN `package_line` l ON l.`id` = t.`line_id`;
--> statement-breakpoint
DELETE FROM `setting` WHERE `name` = 'days_renewed_through';
