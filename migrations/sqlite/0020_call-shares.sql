CREATE TABLE `agent_call_share` (
	`caller` text PRIMARY KEY NOT NULL,
	`after_id` integer NOT NULL,
	`bytes` integer NOT NULL
) STRICT;
