ALTER TABLE `product` ADD `seller_id` integer REFERENCES organization(id);--> statement-breakpoint
CREATE INDEX `product_seller` ON `product` (`seller_id`);