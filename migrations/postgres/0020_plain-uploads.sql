-- Works from schema 21 on.
CREATE TABLE "upload_memory" (
	"organization_id" bigint NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"meaning" text COLLATE "C" NOT NULL,
	CONSTRAINT "upload_memory_organization_id_kind_name_pk" PRIMARY KEY("organization_id","kind","name")
);
--> statement-breakpoint
CREATE TABLE "upload_text" (
	"upload_id" bigint NOT NULL,
	"sheet" bigint NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	CONSTRAINT "upload_text_upload_id_sheet_pk" PRIMARY KEY("upload_id","sheet")
);
--> statement-breakpoint
INSERT INTO "upload_memory" SELECT "organization_id", "kind", "name", "meaning" FROM "upload_column" WHERE "kind" IN ('reading', 'line');--> statement-breakpoint
DELETE FROM "upload" WHERE "state" IN ('arriving', 'discarded');--> statement-breakpoint
INSERT INTO "upload_text" SELECT "upload_id", "position" / 10000, string_agg("content", '' ORDER BY "position") FROM "upload_part"
WHERE "kind" = 'file' GROUP BY "upload_id", "position" / 10000;--> statement-breakpoint
ALTER TABLE "upload" ADD COLUMN "lines" text COLLATE "C";--> statement-breakpoint
UPDATE "upload" SET "lines" = (
  SELECT json_agg(CASE json_typeof(l) WHEN 'number' THEN json_build_object('id', l) ELSE l END)
  FROM "upload_part" p, json_array_elements(p."content"::json) l WHERE p."upload_id" = "upload"."id" AND p."kind" = 'lines'
) WHERE "id" IN (SELECT "upload_id" FROM "upload_part" WHERE "kind" = 'lines');--> statement-breakpoint
UPDATE "upload" SET "choices" = jsonb_set("choices"::jsonb, '{asks}', 'true')::text WHERE "state" = 'columns';--> statement-breakpoint
UPDATE "upload" SET "state" = 'open' WHERE "state" <> 'done';--> statement-breakpoint
DROP TABLE "upload_column";--> statement-breakpoint
DROP TABLE "upload_part";--> statement-breakpoint
DROP INDEX "upload_state";--> statement-breakpoint
ALTER TABLE "upload_memory" ADD CONSTRAINT "upload_memory_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_text" ADD CONSTRAINT "upload_text_upload_id_upload_id_fk" FOREIGN KEY ("upload_id") REFERENCES "upload"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload" DROP COLUMN "changed_at";--> statement-breakpoint
ALTER TABLE "upload" DROP COLUMN "rows_done";--> statement-breakpoint
ALTER TABLE "upload" DROP COLUMN "digest";--> statement-breakpoint
ALTER TABLE "upload" DROP COLUMN "worker";--> statement-breakpoint
ALTER TABLE "upload" DROP COLUMN "worker_until";