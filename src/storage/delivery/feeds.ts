import type { LineFeed } from "../../domain/campaign/attention.ts"
import type { ReadTx } from "../database.ts"

const FEEDS = `SELECT delivery_report.line_id AS "lineId", delivery_report.received_at AS "receivedAt", api_key.id AS "keyId", label
  FROM delivery_total
    JOIN delivery_report ON delivery_report.as_of = delivery_total.as_of
      AND delivery_report.line_id = delivery_total.line_id
    JOIN delivery_source ON delivery_source.id = source_id AND kind = 'key'
    JOIN api_key ON api_key.id = CASE WHEN kind = 'key' THEN CAST(reference AS bigint) END
  WHERE delivery_total.line_id = ANY($1) AND revoked_at IS NULL
  ORDER BY delivery_report.received_at`

/** The active API key that sent the current total of each line, by line ID. Lines that people report are missing. */
export async function feedsOf(read: ReadTx, lineIds: readonly number[]): Promise<ReadonlyMap<number, LineFeed>> {
  const columns = { lineId: Number, receivedAt: Number, keyId: Number, label: String }
  const feeds = await read.rows(FEEDS, [lineIds], columns)
  return new Map(feeds.map(({ lineId, ...feed }) => [lineId, feed]))
}
