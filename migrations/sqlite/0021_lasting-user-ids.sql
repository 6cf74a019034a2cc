PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_user` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`is_operator` integer DEFAULT 0 NOT NULL,
	`password_hash` text,
	`totp_secret` text,
	`totp_step` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_user`("id", "email", "name", "is_operator", "password_hash", "totp_secret", "totp_step", "created_at") SELECT "id", "email", "name", "is_operator", "password_hash", "totp_secret", "totp_step", "created_at" FROM `user`;--> statement-breakpoint
DROP TABLE `user`;--> statement-breakpoint
ALTER TABLE `__new_user` RENAME TO `user`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `user_email_unique` ON `user` (`email`);