CREATE TABLE `upload_memory` (
	`organization_id` integer NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`meaning` text NOT NULL,
	PRIMARY KEY(`organization_id`, `kind`, `name`),
	FOREIGN KEY (`organization_id`) REFERENCES `organization`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `upload_text` (
	`upload_id` integer NOT NULL,
	`sheet` integer NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`upload_id`, `sheet`),
	FOREIGN KEY (`upload_id`) REFERENCES `upload`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
INSERT INTO `upload_memory` SELECT `organization_id`, `kind`, `name`, `meaning` FROM `upload_column` WHERE `kind` IN ('reading', 'line');--> statement-breakpoint
DELETE FROM `upload` WHERE `state` IN ('arriving', 'discarded');--> statement-breakpoint
INSERT INTO `upload_text` SELECT `upload_id`, `position` / 10000, group_concat(`content`, '' ORDER BY `position`) FROM `upload_part`
WHERE `kind` = 'file' AND `upload_id` IN (SELECT `id` FROM `upload`) GROUP BY `upload_id`, `position` / 10000;--> statement-breakpoint
DROP TABLE `upload_column`;--> statement-breakpoint
ALTER TABLE `upload` ADD `lines` text;--> statement-breakpoint
UPDATE `upload` SET `lines` = (
  SELECT json_group_array(CASE l.`type` WHEN 'integer' THEN json_object('id', l.`value`) ELSE json(l.`value`) END)
  FROM `upload_part` p, json_each(p.`content`) l WHERE p.`upload_id` = `upload`.`id` AND p.`kind` = 'lines'
) WHERE `id` IN (SELECT `upload_id` FROM `upload_part` WHERE `kind` = 'lines');--> statement-breakpoint
UPDATE `upload` SET `choices` = json_set(`choices`, '$.asks', json('true')) WHERE `state` = 'columns';--> statement-breakpoint
UPDATE `upload` SET `state` = 'open' WHERE `state` <> 'done';--> statement-breakpoint
DROP TABLE `upload_part`;--> statement-breakpoint
DROP INDEX `upload_state`;--> statement-breakpoint
ALTER TABLE `upload` DROP COLUMN `changed_at`;--> statement-breakpoint
ALTER TABLE `upload` DROP COLUMN `rows_done`;--> statement-breakpoint
ALTER TABLE `upload` DROP COLUMN `digest`;--> statement-breakpoint
ALTER TABLE `upload` DROP COLUMN `worker`;--> statement-breakpoint
ALTER TABLE `upload` DROP COLUMN `worker_until`;