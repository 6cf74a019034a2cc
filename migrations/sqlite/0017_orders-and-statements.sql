CREATE TABLE `order_link` (
	`id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`product_id` text NOT NULL,
	`label` text NOT NULL,
	`territories` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `order_link_token_hash_unique` ON `order_link` (`token_hash`);--> statement-breakpoint
CREATE TABLE `sale_order` (
	`id` text PRIMARY KEY NOT NULL,
	`code_hash` text NOT NULL,
	`link_hash` text NOT NULL,
	`agent_key_id` text,
	`order_link_id` integer,
	`product_id` text NOT NULL,
	`state` text NOT NULL,
	`asked_at` integer NOT NULL,
	`moved_at` integer NOT NULL,
	`moved_by` text NOT NULL,
	`product` text NOT NULL,
	`requester` text NOT NULL,
	`priced` text NOT NULL,
	`asked` text NOT NULL,
	`offered` text,
	`message` text DEFAULT '' NOT NULL,
	`seller_id` integer,
	`booking` text,
	`package_id` text,
	FOREIGN KEY (`seller_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `sale_order_code_hash_unique` ON `sale_order` (`code_hash`);--> statement-breakpoint
CREATE INDEX `sale_order_state` ON `sale_order` (`state`,`moved_at`);--> statement-breakpoint
CREATE INDEX `sale_order_asked` ON `sale_order` (`asked_at`);--> statement-breakpoint
CREATE INDEX `sale_order_link` ON `sale_order` (`link_hash`,`asked_at`);--> statement-breakpoint
CREATE INDEX `sale_order_key` ON `sale_order` (`agent_key_id`,`state`);--> statement-breakpoint
CREATE INDEX `sale_order_line` ON `sale_order` (`package_id`);--> statement-breakpoint
CREATE TABLE `sale_statement` (
	`id` integer PRIMARY KEY NOT NULL,
	`seller_id` integer NOT NULL,
	`campaign_id` integer NOT NULL,
	`number` text,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`frozen_at` integer,
	`frozen_by` text,
	`paid_on` text,
	`corrects` integer,
	`body` text NOT NULL,
	FOREIGN KEY (`seller_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`campaign_id`) REFERENCES `campaign`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `sale_statement_number` ON `sale_statement` (`seller_id`,`number`);--> statement-breakpoint
CREATE INDEX `sale_statement_campaign` ON `sale_statement` (`campaign_id`);