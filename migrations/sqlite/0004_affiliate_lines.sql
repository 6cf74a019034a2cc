CREATE TABLE `affiliate_placement` (
	`line_id` integer NOT NULL,
	`code_id` integer NOT NULL,
	PRIMARY KEY(`line_id`, `code_id`),
	FOREIGN KEY (`line_id`) REFERENCES `package_line`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `affiliate_placement_code` ON `affiliate_placement` (`code_id`);--> statement-breakpoint
ALTER TABLE `affiliate_metric` ADD `line_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE affiliate_metric SET line_id = (SELECT line_id FROM affiliate_code WHERE id = code_id);--> statement-breakpoint
INSERT INTO affiliate_placement (line_id, code_id) SELECT line_id, id FROM affiliate_code;
