CREATE TABLE `withdrawn_report` (
	`id` integer PRIMARY KEY NOT NULL,
	`line_id` integer NOT NULL,
	`as_of` integer NOT NULL,
	`quantity` real NOT NULL,
	`received_at` integer NOT NULL,
	`source_id` integer NOT NULL,
	`withdrawn_at` integer NOT NULL,
	`withdrawn_by` text NOT NULL,
	`reason` text NOT NULL,
	FOREIGN KEY (`line_id`) REFERENCES `package_line`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`source_id`) REFERENCES `delivery_source`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `withdrawn_report_line` ON `withdrawn_report` (`line_id`,`received_at`,`id`);--> statement-breakpoint
DROP INDEX `package_line_campaign`;--> statement-breakpoint
DROP INDEX `package_line_campaign_seller`;--> statement-breakpoint
ALTER TABLE `package_line` ADD `external_id` text;--> statement-breakpoint
ALTER TABLE `package_line` ADD `archived` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `package_line_external` ON `package_line` (`seller_id`,`external_id`);--> statement-breakpoint
CREATE INDEX `package_line_campaign` ON `package_line` (`campaign_id`,`archived`,`flight_start`,`name`);--> statement-breakpoint
CREATE INDEX `package_line_campaign_seller` ON `package_line` (`campaign_id`,`seller_id`,`archived`,`flight_start`,`name`);--> statement-breakpoint
ALTER TABLE `campaign` ADD `archived` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `session` ADD `user_agent` text;--> statement-breakpoint
ALTER TABLE `session` ADD `address` text;