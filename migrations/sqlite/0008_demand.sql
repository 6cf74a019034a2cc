CREATE TABLE `demand_brief` (
	`week` text NOT NULL,
	`digest` text NOT NULL,
	`brief` text NOT NULL,
	`countries` text NOT NULL,
	`formats` text NOT NULL,
	`budget` real,
	`currency` text,
	`agent_key_id` text,
	`asked` integer NOT NULL,
	`matched` integer NOT NULL,
	`unmatched` integer NOT NULL,
	`first_product` text,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`week`, `digest`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `demand_brief_order` ON `demand_brief` (`unmatched`,`week`,`asked`,`digest`);--> statement-breakpoint
CREATE TABLE `demand_count` (
	`week` text NOT NULL,
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`calls` integer NOT NULL,
	`unmatched` integer NOT NULL,
	PRIMARY KEY(`week`, `kind`, `value`)
) STRICT, WITHOUT ROWID;
