-- It once wrote every call anew, with a generated column that counts the demand: 0013 does without. Both ways lead to the same schema.
ALTER TABLE "agent_call" ADD COLUMN "demand" text COLLATE "C";--> statement-breakpoint
DROP TABLE "demand_brief" CASCADE;--> statement-breakpoint
DROP TABLE "demand_count" CASCADE;
