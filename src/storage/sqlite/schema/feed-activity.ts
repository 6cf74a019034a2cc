import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core"

/**
 * What ingest keys sent, counted by the hour: requests by outcome, items by acceptance or reason. These three tables do not reference
 * the key: they are written with whatever is committed next, which must not fail because of them.
 */
export const feedCount = sqliteTable(
  "feed_count",
  {
    ingestKeyId: text("ingest_key_id").notNull(),
    hour: integer().notNull(),
    feed: text().notNull(),
    // "request" or "item".
    unit: text().notNull(),
    outcome: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ingestKeyId, table.hour, table.feed, table.unit, table.outcome] }),
    index("feed_count_hour").on(table.hour),
  ],
)

/** The last request of each ingest key. */
export const feedLastRequest = sqliteTable("feed_last_request", {
  ingestKeyId: text("ingest_key_id").primaryKey(),
  at: integer().notNull(),
  feed: text().notNull(),
  outcome: text().notNull(),
  accepted: integer().notNull(),
  rejected: integer().notNull(),
})

/** Some of the rejected items of late; `more` counts those like it that were not kept. */
export const rejectedItem = sqliteTable(
  "rejected_item",
  {
    id: integer().primaryKey(),
    organizationId: integer("organization_id").notNull(),
    ingestKeyId: text("ingest_key_id").notNull(),
    at: integer().notNull(),
    feed: text().notNull(),
    reason: text().notNull(),
    message: text().notNull(),
    packageId: text("package_id"),
    code: text(),
    // The item as sent, shortened, with keys masked.
    sent: text().notNull(),
    more: integer().notNull(),
  },
  (table) => [
    index("rejected_item_organization").on(table.organizationId),
    index("rejected_item_key").on(table.ingestKeyId, table.at, table.reason, table.organizationId),
    index("rejected_item_at").on(table.at),
  ],
)
