-- Works from schema 23 on.
-- Of a line and moment the report that was received last counts, also when its figure was sent before, so the time of receipt is in the key.
-- The current total is of the report that counts; reports that were received together get a microsecond each.
CREATE TABLE "new_delivery_report" (
	"as_of" bigint NOT NULL,
	"line_id" bigint NOT NULL,
	"quantity" double precision NOT NULL,
	"received_at" bigint NOT NULL,
	"source_id" bigint NOT NULL,
	CONSTRAINT "delivery_report_as_of_line_id_received_at_pk" PRIMARY KEY("as_of","line_id","received_at")
);
--> statement-breakpoint
INSERT INTO "new_delivery_report" ("as_of", "line_id", "quantity", "received_at", "source_id")
SELECT "as_of", "line_id", "quantity", "place" + max("received_at" - "place") OVER (PARTITION BY "as_of", "line_id" ORDER BY "place"), "source_id"
FROM (
	SELECT r."as_of", r."line_id", r."quantity", r."received_at", r."source_id", row_number() OVER (
		PARTITION BY r."as_of", r."line_id"
		ORDER BY CASE WHEN t."quantity" = r."quantity" THEN 1 ELSE 0 END, r."received_at", r."quantity"
	) AS "place"
	FROM "delivery_report" r LEFT JOIN "delivery_total" t ON t."line_id" = r."line_id" AND t."as_of" = r."as_of"
) AS placed;
--> statement-breakpoint
DROP TABLE "delivery_report";--> statement-breakpoint
ALTER TABLE "new_delivery_report" RENAME TO "delivery_report";
