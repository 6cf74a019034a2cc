import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core"
import { rowId, whole } from "./columns.ts"

export const feedCount = pgTable(
  "feed_count",
  {
    ingestKeyId: text("ingest_key_id").notNull(),
    hour: whole().notNull(),
    feed: text().notNull(),
    unit: text().notNull(),
    outcome: text().notNull(),
    count: whole().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ingestKeyId, table.hour, table.feed, table.unit, table.outcome] }),
    index("feed_count_hour").on(table.hour),
  ],
)

export const feedLastRequest = pgTable("feed_last_request", {
  ingestKeyId: text("ingest_key_id").primaryKey(),
  at: whole().notNull(),
  feed: text().notNull(),
  outcome: text().notNull(),
  accepted: whole().notNull(),
  rejected: whole().notNull(),
})

export const rejectedItem = pgTable(
  "rejected_item",
  {
    id: rowId(),
    organizationId: whole("organization_id").notNull(),
    ingestKeyId: text("ingest_key_id").notNull(),
    at: whole().notNull(),
    feed: text().notNull(),
    reason: text().notNull(),
    message: text().notNull(),
    packageId: text("package_id"),
    code: text(),
    sent: text().notNull(),
    more: whole().notNull(),
  },
  (table) => [
    index("rejected_item_organization").on(table.organizationId, table.id),
    index("rejected_item_key").on(table.ingestKeyId, table.at, table.id, table.reason, table.organizationId),
    index("rejected_item_at").on(table.at),
  ],
)
