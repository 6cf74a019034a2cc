CREATE TABLE `agent_call_size` (
	`id` integer PRIMARY KEY NOT NULL,
	`rows` integer NOT NULL,
	`bytes` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `refusal` (
	`hour` integer NOT NULL,
	`door` text NOT NULL,
	`status` integer NOT NULL,
	`requests` integer NOT NULL,
	PRIMARY KEY(`hour`, `door`, `status`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `agent_call` ADD `bytes` integer GENERATED ALWAYS AS (iif(octet_length(method) + coalesce(octet_length(tool), 0) + coalesce(octet_length(arguments), 0) + 120 <= 2000, octet_length(method) + coalesce(octet_length(tool), 0) + coalesce(octet_length(arguments), 0) + 120, (octet_length(method) + coalesce(octet_length(tool), 0) + coalesce(octet_length(arguments), 0) + 120 + 4091) / 4092 * 4096)) VIRTUAL;
--> statement-breakpoint
INSERT INTO `agent_call_size` (`id`, `rows`, `bytes`) SELECT 1, count(*), coalesce(sum(`bytes`), 0) FROM `agent_call`;