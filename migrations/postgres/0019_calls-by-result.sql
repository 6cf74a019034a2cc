ALTER TABLE "agent_call" ADD COLUMN "matched" bigint;--> statement-breakpoint
ALTER TABLE "agent_call" ADD COLUMN "countries" text COLLATE "C";