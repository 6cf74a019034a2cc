ALTER TABLE "product" ADD COLUMN "seller_id" bigint;--> statement-breakpoint
ALTER TABLE "product" ADD CONSTRAINT "product_seller_id_organization_id_fk" FOREIGN KEY ("seller_id") REFERENCES "organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "product_seller" ON "product" USING btree ("seller_id");