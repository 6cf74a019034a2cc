CREATE TABLE `upload` (
	`id` integer PRIMARY KEY NOT NULL,
	`organization_id` integer NOT NULL,
	`uploaded_by` integer,
	`kind` text NOT NULL,
	`file_name` text NOT NULL,
	`state` text NOT NULL,
	`bytes` integer NOT NULL,
	`digest` text NOT NULL,
	`uploaded_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	`rows` integer NOT NULL,
	`rows_done` integer NOT NULL,
	`choices` text NOT NULL,
	`summary` text NOT NULL,
	`received_at` integer,
	`worker` text,
	`worker_until` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`uploaded_by`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE set null
) STRICT;
--> statement-breakpoint
CREATE INDEX `upload_organization` ON `upload` (`organization_id`,`uploaded_at`);--> statement-breakpoint
CREATE INDEX `upload_state` ON `upload` (`state`,`changed_at`);--> statement-breakpoint
CREATE INDEX `upload_user` ON `upload` (`uploaded_by`);--> statement-breakpoint
CREATE TABLE `upload_column` (
	`organization_id` integer NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`meaning` text NOT NULL,
	PRIMARY KEY(`organization_id`, `kind`, `name`),
	FOREIGN KEY (`organization_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `upload_part` (
	`upload_id` integer NOT NULL,
	`kind` text NOT NULL,
	`position` integer NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`upload_id`, `kind`, `position`),
	FOREIGN KEY (`upload_id`) REFERENCES `upload`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
