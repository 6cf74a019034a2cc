CREATE TABLE `alert` (
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`title` text NOT NULL,
	`detail` text NOT NULL,
	`path` text NOT NULL,
	`began_at` integer NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`kind`, `subject`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `alert_message` (
	`id` text PRIMARY KEY NOT NULL,
	`channel` text NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`sent_at` integer,
	`problem` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `alert_message_next` ON `alert_message` (`next_attempt_at`);--> statement-breakpoint
CREATE INDEX `alert_message_created` ON `alert_message` (`created_at`);