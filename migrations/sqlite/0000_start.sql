CREATE TABLE `affiliate_code` (
	`id` integer PRIMARY KEY NOT NULL,
	`organization_id` integer NOT NULL,
	`code` text NOT NULL,
	`line_id` integer NOT NULL,
	`slug` text,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`line_id`) REFERENCES `package_line`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `affiliate_code_identity` ON `affiliate_code` (`organization_id`,`code`);--> statement-breakpoint
CREATE INDEX `affiliate_code_line` ON `affiliate_code` (`line_id`);--> statement-breakpoint
CREATE TABLE `affiliate_metric` (
	`code_id` integer NOT NULL,
	`date` text NOT NULL,
	`clicks` integer,
	`conversions` integer,
	`value_micros` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`code_id`, `date`),
	FOREIGN KEY (`code_id`) REFERENCES `affiliate_code`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `agent_call` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`agent_key_id` text,
	`address` text,
	`method` text NOT NULL,
	`tool` text,
	`arguments` text,
	`outcome` text NOT NULL,
	`duration_micros` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `agent_call_at` ON `agent_call` (`at`);--> statement-breakpoint
CREATE TABLE `agent_key` (
	`id` text PRIMARY KEY NOT NULL,
	`label` text NOT NULL,
	`prefix` text NOT NULL,
	`fingerprint` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `agent_key_prefix_unique` ON `agent_key` (`prefix`);--> statement-breakpoint
CREATE UNIQUE INDEX `agent_key_fingerprint_unique` ON `agent_key` (`fingerprint`);--> statement-breakpoint
CREATE UNIQUE INDEX `agent_key_label` ON `agent_key` (`label`) WHERE revoked_at IS NULL;--> statement-breakpoint
CREATE TABLE `audit_entry` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`organization_id` integer,
	`details` text,
	FOREIGN KEY (`organization_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_entry_at` ON `audit_entry` (`at`);--> statement-breakpoint
CREATE TABLE `campaign` (
	`id` integer PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`buyer_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`buyer_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `campaign_slug_unique` ON `campaign` (`slug`);--> statement-breakpoint
CREATE INDEX `campaign_buyer` ON `campaign` (`buyer_id`);--> statement-breakpoint
CREATE TABLE `creative_format` (
	`format_id` text PRIMARY KEY NOT NULL,
	`body` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `delivery_report` (
	`as_of` integer NOT NULL,
	`line_id` integer NOT NULL,
	`quantity` real NOT NULL,
	`received_at` integer NOT NULL,
	`source_id` integer NOT NULL,
	`previous_as_of` integer,
	`previous_quantity` real,
	PRIMARY KEY(`as_of`, `line_id`, `quantity`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `delivery_source` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`reference` text NOT NULL,
	`detail` text DEFAULT '' NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `delivery_source_identity` ON `delivery_source` (`kind`,`reference`,`detail`);--> statement-breakpoint
CREATE TABLE `delivery_total` (
	`line_id` integer PRIMARY KEY NOT NULL,
	`as_of` integer NOT NULL,
	`quantity` real NOT NULL,
	`last_as_of` integer NOT NULL,
	`last_quantity` real NOT NULL,
	FOREIGN KEY (`line_id`) REFERENCES `package_line`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `ingest_key` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` integer NOT NULL,
	`label` text NOT NULL,
	`prefix` text NOT NULL,
	`fingerprint` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `ingest_key_prefix_unique` ON `ingest_key` (`prefix`);--> statement-breakpoint
CREATE UNIQUE INDEX `ingest_key_fingerprint_unique` ON `ingest_key` (`fingerprint`);--> statement-breakpoint
CREATE INDEX `ingest_key_organization` ON `ingest_key` (`organization_id`);--> statement-breakpoint
CREATE TABLE `membership` (
	`user_id` integer NOT NULL,
	`organization_id` integer NOT NULL,
	`role` text NOT NULL,
	PRIMARY KEY(`user_id`, `organization_id`),
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `membership_organization` ON `membership` (`organization_id`);--> statement-breakpoint
CREATE TABLE `one_time_link` (
	`id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`purpose` text NOT NULL,
	`user_id` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`claimed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `one_time_link_token_hash_unique` ON `one_time_link` (`token_hash`);--> statement-breakpoint
CREATE TABLE `opening` (
	`agent_key_id` text NOT NULL,
	`product_id` text NOT NULL,
	`territories` text NOT NULL,
	PRIMARY KEY(`agent_key_id`, `product_id`),
	FOREIGN KEY (`agent_key_id`) REFERENCES `agent_key`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`product_id`) REFERENCES `product`(`product_id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `opening_product` ON `opening` (`product_id`);--> statement-breakpoint
CREATE TABLE `organization` (
	`id` integer PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_slug_unique` ON `organization` (`slug`);--> statement-breakpoint
CREATE TABLE `package_line` (
	`id` integer PRIMARY KEY NOT NULL,
	`package_id` text NOT NULL,
	`campaign_id` integer NOT NULL,
	`seller_id` integer NOT NULL,
	`name` text NOT NULL,
	`pricing_basis` text NOT NULL,
	`flight_start` text NOT NULL,
	`flight_end` text,
	`booked` real,
	`rate` real,
	`currency` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`campaign_id`) REFERENCES `campaign`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`seller_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `package_line_package_id_unique` ON `package_line` (`package_id`);--> statement-breakpoint
CREATE INDEX `package_line_campaign` ON `package_line` (`campaign_id`);--> statement-breakpoint
CREATE INDEX `package_line_seller` ON `package_line` (`seller_id`);--> statement-breakpoint
CREATE TABLE `product` (
	`product_id` text PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `session` (
	`id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `session_token_hash_unique` ON `session` (`token_hash`);--> statement-breakpoint
CREATE INDEX `session_user` ON `session` (`user_id`);--> statement-breakpoint
CREATE TABLE `setting` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `share_link` (
	`id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`campaign_id` integer NOT NULL,
	`organization_id` integer NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`campaign_id`) REFERENCES `campaign`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `share_link_token_hash_unique` ON `share_link` (`token_hash`);--> statement-breakpoint
CREATE INDEX `share_link_campaign` ON `share_link` (`campaign_id`);--> statement-breakpoint
CREATE TABLE `user` (
	`id` integer PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`is_operator` integer DEFAULT 0 NOT NULL,
	`password_hash` text,
	`totp_secret` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `user_email_unique` ON `user` (`email`);