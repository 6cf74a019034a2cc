ALTER TABLE `agent_call` ADD `demand` text;--> statement-breakpoint
DROP TABLE `demand_brief`;--> statement-breakpoint
DROP TABLE `demand_count`;--> statement-breakpoint
ALTER TABLE `agent_call` DROP COLUMN `bytes`;--> statement-breakpoint
ALTER TABLE `agent_call` ADD `bytes` integer GENERATED ALWAYS AS (iif(octet_length(method) + coalesce(octet_length(tool), 0) + coalesce(octet_length(arguments), 0) + coalesce(octet_length(demand), 0) + 120 <= 2000, octet_length(method) + coalesce(octet_length(tool), 0) + coalesce(octet_length(arguments), 0) + coalesce(octet_length(demand), 0) + 120, (octet_length(method) + coalesce(octet_length(tool), 0) + coalesce(octet_length(arguments), 0) + coalesce(octet_length(demand), 0) + 120 + 4091) / 4092 * 4096)) VIRTUAL;