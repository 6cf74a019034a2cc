ALTER TABLE `delivery_day` ADD `low` real;--> statement-breakpoint
ALTER TABLE `delivery_total` ADD `day_low` real;--> statement-breakpoint
-- The days of every line are made once more, with their lowest totals.
UPDATE `delivery_total` SET `day_end` = NULL WHERE `day_end` IS NOT NULL;
