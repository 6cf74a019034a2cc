CREATE TABLE "organization_logo" (
	"organization_id" bigint PRIMARY KEY NOT NULL,
	"media_type" text COLLATE "C" NOT NULL,
	"base64" text COLLATE "C" NOT NULL,
	"saved_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "organization_logo" ADD CONSTRAINT "organization_logo_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE cascade ON UPDATE no action;