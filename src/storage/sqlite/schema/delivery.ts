import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { packageLine } from "./campaigns.ts"
import { organization } from "./people.ts"

export const ingestKey = sqliteTable(
  "ingest_key",
  {
    id: text().primaryKey(),
    organizationId: integer("organization_id")
      .notNull()
      .references(() => organization.id),
    label: text().notNull(),
    prefix: text().notNull().unique(),
    fingerprint: text().notNull().unique(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
    revokedAt: integer("revoked_at"),
  },
  (table) => [index("ingest_key_organization").on(table.organizationId)],
)

export const deliverySource = sqliteTable(
  "delivery_source",
  {
    id: integer().primaryKey(),
    kind: text({ enum: ["key", "form", "file", "command"] }).notNull(),
    // The key's id, or the person's.
    reference: text().notNull(),
    // The file's name, where there is a file.
    detail: text().notNull().default(""),
  },
  (table) => [uniqueIndex("delivery_source_identity").on(table.kind, table.reference, table.detail)],
)

export const deliveryReport = sqliteTable(
  "delivery_report",
  {
    asOf: integer("as_of").notNull(),
    // No foreign keys here: the line exists because its total refers to it, and sources are never deleted. Checking both for
    // every item would add a sixth to its cost.
    lineId: integer("line_id").notNull(),
    // Impressions or downloads; 1 for a flat-rate line that is delivered.
    quantity: real().notNull(),
    receivedAt: integer("received_at").notNull(),
    sourceId: integer("source_id").notNull(),
    // The report of the same line that arrived before this one; null for the first. An index by line would do the same, but
    // would write another page for every item: with ten million reports, ingest would have a tenth of the speed.
    previousAsOf: integer("previous_as_of"),
    previousQuantity: real("previous_quantity"),
  },
  // The primary key makes a repeated report add nothing. Time comes first, so that today's reports are stored side by side, however
  // long the history grows. The history of a line is read from its total, link by link.
  (table) => [primaryKey({ columns: [table.asOf, table.lineId, table.quantity] })],
)

export const deliveryTotal = sqliteTable("delivery_total", {
  lineId: integer("line_id")
    .primaryKey()
    .references(() => packageLine.id),
  // The report that is the current total: with the line, this is its key.
  asOf: integer("as_of").notNull(),
  quantity: real().notNull(),
  // The report that arrived last, which may be older than the current total: the start of the line's history.
  lastAsOf: integer("last_as_of").notNull(),
  lastQuantity: real("last_quantity").notNull(),
})

// Reports that were withdrawn. They are moved here, so that whatever reads the history of a line reads only what counts, and the same
// total can be reported again.
export const withdrawnReport = sqliteTable(
  "withdrawn_report",
  {
    id: integer().primaryKey(),
    lineId: integer("line_id")
      .notNull()
      .references(() => packageLine.id),
    asOf: integer("as_of").notNull(),
    quantity: real().notNull(),
    receivedAt: integer("received_at").notNull(),
    sourceId: integer("source_id")
      .notNull()
      .references(() => deliverySource.id),
    withdrawnAt: integer("withdrawn_at").notNull(),
    // Who: "user:12" or "command", as in the audit trail.
    withdrawnBy: text("withdrawn_by").notNull(),
    reason: text().notNull(),
  },
  // A line's history shows them in the order in which they were received.
  (table) => [
    index("withdrawn_report_line").on(table.lineId, table.receivedAt, table.id),
    // For the check of its foreign key.
    index("withdrawn_report_source").on(table.sourceId),
  ],
)
