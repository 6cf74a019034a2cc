DROP INDEX `package_line_campaign`;--> statement-breakpoint
CREATE INDEX `package_line_campaign_seller` ON `package_line` (`campaign_id`,`seller_id`,`flight_start`,`name`);--> statement-breakpoint
CREATE INDEX `package_line_campaign` ON `package_line` (`campaign_id`,`flight_start`,`name`);--> statement-breakpoint
CREATE INDEX `audit_entry_action` ON `audit_entry` (`action`);--> statement-breakpoint
CREATE INDEX `campaign_newest` ON `campaign` (`created_at`,`id`);