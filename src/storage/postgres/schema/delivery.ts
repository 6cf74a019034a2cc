import { doublePrecision, index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core"
import { packageLine } from "./campaigns.ts"
import { rowId, whole } from "./columns.ts"
import { organization } from "./people.ts"

export const ingestKey = pgTable(
  "ingest_key",
  {
    id: text().primaryKey(),
    organizationId: whole("organization_id")
      .notNull()
      .references(() => organization.id),
    label: text().notNull(),
    prefix: text().notNull().unique(),
    fingerprint: text().notNull().unique(),
    createdAt: whole("created_at").notNull(),
    lastUsedAt: whole("last_used_at"),
    revokedAt: whole("revoked_at"),
  },
  (table) => [index("ingest_key_organization").on(table.organizationId)],
)

export const deliverySource = pgTable(
  "delivery_source",
  {
    id: rowId(),
    kind: text({ enum: ["key", "form", "file", "command"] }).notNull(),
    reference: text().notNull(),
    detail: text().notNull().default(""),
  },
  (table) => [uniqueIndex("delivery_source_identity").on(table.kind, table.reference, table.detail)],
)

export const deliveryReport = pgTable(
  "delivery_report",
  {
    asOf: whole("as_of").notNull(),
    lineId: whole("line_id").notNull(),
    quantity: doublePrecision().notNull(),
    receivedAt: whole("received_at").notNull(),
    sourceId: whole("source_id").notNull(),
    previousAsOf: whole("previous_as_of"),
    previousQuantity: doublePrecision("previous_quantity"),
  },
  (table) => [primaryKey({ columns: [table.asOf, table.lineId, table.quantity] })],
)

export const deliveryTotal = pgTable("delivery_total", {
  lineId: whole("line_id")
    .primaryKey()
    .references(() => packageLine.id),
  asOf: whole("as_of").notNull(),
  quantity: doublePrecision().notNull(),
  lastAsOf: whole("last_as_of").notNull(),
  lastQuantity: doublePrecision("last_quantity").notNull(),
})

export const withdrawnReport = pgTable(
  "withdrawn_report",
  {
    id: rowId(),
    lineId: whole("line_id")
      .notNull()
      .references(() => packageLine.id),
    asOf: whole("as_of").notNull(),
    quantity: doublePrecision().notNull(),
    receivedAt: whole("received_at").notNull(),
    sourceId: whole("source_id")
      .notNull()
      .references(() => deliverySource.id),
    withdrawnAt: whole("withdrawn_at").notNull(),
    withdrawnBy: text("withdrawn_by").notNull(),
    reason: text().notNull(),
  },
  (table) => [
    index("withdrawn_report_line").on(table.lineId, table.receivedAt, table.id),
    // For the check of its foreign key.
    index("withdrawn_report_source").on(table.sourceId),
  ],
)
