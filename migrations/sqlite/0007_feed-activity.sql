CREATE TABLE `feed_count` (
	`ingest_key_id` text NOT NULL,
	`hour` integer NOT NULL,
	`feed` text NOT NULL,
	`unit` text NOT NULL,
	`outcome` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`ingest_key_id`, `hour`, `feed`, `unit`, `outcome`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `feed_count_hour` ON `feed_count` (`hour`);--> statement-breakpoint
CREATE TABLE `feed_last_request` (
	`ingest_key_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`feed` text NOT NULL,
	`outcome` text NOT NULL,
	`accepted` integer NOT NULL,
	`rejected` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `rejected_item` (
	`id` integer PRIMARY KEY NOT NULL,
	`organization_id` integer NOT NULL,
	`ingest_key_id` text NOT NULL,
	`at` integer NOT NULL,
	`feed` text NOT NULL,
	`reason` text NOT NULL,
	`message` text NOT NULL,
	`package_id` text,
	`code` text,
	`sent` text NOT NULL,
	`more` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `rejected_item_organization` ON `rejected_item` (`organization_id`);--> statement-breakpoint
CREATE INDEX `rejected_item_key` ON `rejected_item` (`ingest_key_id`,`at`,`reason`,`organization_id`);--> statement-breakpoint
CREATE INDEX `rejected_item_at` ON `rejected_item` (`at`);