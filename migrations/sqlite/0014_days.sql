CREATE TABLE `delivery_day` (
	`day` text NOT NULL,
	`line_id` integer NOT NULL,
	`as_of` integer NOT NULL,
	`quantity` real NOT NULL,
	PRIMARY KEY(`day`, `line_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `delivery_total` ADD `day_end` integer;--> statement-breakpoint
CREATE INDEX `delivery_total_unmade` ON `delivery_total` (`line_id`) WHERE day_end IS NULL;