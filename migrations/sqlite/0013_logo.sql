CREATE TABLE `organization_logo` (
	`organization_id` integer PRIMARY KEY NOT NULL,
	`media_type` text NOT NULL,
	`base64` text NOT NULL,
	`saved_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
