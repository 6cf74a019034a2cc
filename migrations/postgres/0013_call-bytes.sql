-- By a trigger instead: a generated column can only be given another expression by writing every call anew, while everybody waits.
ALTER TABLE "agent_call" ALTER COLUMN "bytes" DROP EXPRESSION;--> statement-breakpoint
CREATE FUNCTION "agent_call_bytes"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  texts bigint := octet_length(NEW.method) + coalesce(octet_length(NEW.tool), 0) + coalesce(octet_length(NEW.arguments), 0)
    + coalesce(octet_length(NEW.demand), 0) + 120;
BEGIN
  NEW.bytes := CASE WHEN texts <= 2000 THEN texts ELSE (texts + 4091) / 4092 * 4096 END;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "agent_call_bytes" BEFORE INSERT ON "agent_call" FOR EACH ROW EXECUTE FUNCTION "agent_call_bytes"();
