ALTER TABLE `agent_call` ADD `matched` integer;--> statement-breakpoint
ALTER TABLE `agent_call` ADD `countries` text;