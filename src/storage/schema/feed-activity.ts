import type { Kit } from "./kit.ts"

export function feedActivityTables({ index, onlyPostgres, primaryKey, rowId, table, text, whole }: Kit) {
  /**
   * What ingest keys sent, counted by the hour: requests by outcome, items by acceptance or reason. These three tables do not reference
   * the key: they are written with whatever is committed next, which must not fail because of them.
   */
  const feedCount = table(
    "feed_count",
    {
      ingestKeyId: text("ingest_key_id").notNull(),
      hour: whole().notNull(),
      feed: text().notNull(),
      // "request" or "item".
      unit: text().notNull(),
      outcome: text().notNull(),
      count: whole().notNull(),
    },
    (columns) => [
      primaryKey({ columns: [columns.ingestKeyId, columns.hour, columns.feed, columns.unit, columns.outcome] }),
      index("feed_count_hour").on(columns.hour),
    ],
  )

  const feedLastRequest = table("feed_last_request", {
    ingestKeyId: text("ingest_key_id").primaryKey(),
    at: whole().notNull(),
    feed: text().notNull(),
    outcome: text().notNull(),
    accepted: whole().notNull(),
    rejected: whole().notNull(),
  })

  /** Some of the rejected items of late; `more` counts those like it that were not kept. */
  const rejectedItem = table(
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
      // The item as sent, shortened, with keys masked.
      sent: text().notNull(),
      more: whole().notNull(),
    },
    ({ organizationId, ingestKeyId, at, id, reason }) => [
      index("rejected_item_organization").on(organizationId, ...onlyPostgres(id)),
      index("rejected_item_key").on(ingestKeyId, at, ...onlyPostgres(id), reason, organizationId),
      index("rejected_item_at").on(at),
    ],
  )

  return { feedCount, feedLastRequest, rejectedItem }
}
