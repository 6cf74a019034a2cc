import { Database as Connection, type Statement } from "bun:sqlite"
import { expect, test } from "bun:test"
import { dayFigures } from "../../src/storage/affiliates.ts"
import { auditEntriesOf } from "../../src/storage/audit.ts"
import { callsBefore } from "../../src/storage/calls.ts"
import type { ReadTx } from "../../src/storage/database.ts"
import { dayRows, days } from "../../src/storage/delivery/days.ts"
import { historyOf, NEWEST } from "../../src/storage/delivery/history.ts"
import { receiptOf } from "../../src/storage/delivery/receipts.ts"
import { loadLines } from "../../src/storage/delivery/sold-lines.ts"
import { countRejectedItems, feedCounts, keyActivity, rejectedItems } from "../../src/storage/feed-activity.ts"
import { activeKey } from "../../src/storage/keys.ts"
import { lineById } from "../../src/storage/lines.ts"
import { linesSoldBy } from "../../src/storage/seller-lines.ts"
import { markAsOurs } from "../../src/storage/sqlite/file.ts"
import { migrateSqlite } from "../../src/storage/sqlite/migrations.ts"
import { sqliteTx } from "../../src/storage/sqlite/tx.ts"
import { newestUploads } from "../../src/storage/uploads.ts"
import { fillWithRandomContent } from "./random-content.ts"

const ITEM = { packageId: "x", asOf: 1, quantity: 1, unit: "impressions" } as const
const REJECTED = { organizationId: 5, from: 0, apiKeyId: null, reason: null }

/** What pages and feeds ask most, by what it must not read as a whole. */
const QUERIES: Readonly<Record<string, (read: ReadTx) => Promise<unknown>>> = {
  "the lines of a report": (read) => loadLines(read, 5, [ITEM], new Map()),
  "an API key": (read) => activeKey(read, "f"),
  "a line": (read) => lineById(read, 5, "x"),
  "a seller's lines": (read) => linesSoldBy(read, 5),
  "days of lines": (read) => days(read, [5, 8], "2026-03-01", "2026-03-14"),
  "day rows": (read) => dayRows(read, [5, 8], ["2026-03-01", "2026-03-02"]),
  "a line's history": (read) =>
    historyOf(read, { id: 5, timeZone: "UTC" }, { before: NEWEST, limit: 50, isSeller: true }),
  "a receipt": (read) => receiptOf(read, 5, "x"),
  "affiliate days": (read) => dayFigures(read, [5, 8]),
  "feed activity": (read) => Promise.all([keyActivity(read, 5), feedCounts(read, 5, 0)]),
  "rejected items": (read) => rejectedItems(read, REJECTED, { limit: 50, offset: 0 }),
  "number of rejected items": (read) => countRejectedItems(read, REJECTED),
  "the call log": (read) => callsBefore(read, { before: 99, count: 50, buyerKeyId: null, isFailed: false }),
  "the audit log": (read) => auditEntriesOf(read, 5),
  "uploaded files": (read) => newestUploads(read, 5, 20),
}

// They grow with time, or with the number of sellers.
const LARGE =
  /^SCAN (?:\w+ AS )?(line|api_key|delivery_\w+|withdrawn_report|affiliate_\w+|feed_count|rejected_item|agent_call|audit_entry|upload|session)\b/

/** The statements that a query runs, on a database with some rows. */
async function statementsOf(
  query: (read: ReadTx) => Promise<unknown>,
): Promise<{ connection: Connection; texts: string[] }> {
  const connection = new Connection(":memory:")
  markAsOurs(connection)
  migrateSqlite(connection, ":memory:", { mayUpgrade: true })
  await fillWithRandomContent(
    sqliteTx(connection, () => undefined),
    1,
  )
  const texts: string[] = []
  const recording = {
    query(text: string): Statement {
      texts.push(text)
      return connection.query(text)
    },
  }
  await query(sqliteTx(recording as unknown as Connection, () => undefined))
  return { connection, texts }
}

for (const [name, query] of Object.entries(QUERIES)) {
  test(`no large table is read as a whole: ${name}`, async () => {
    const { connection, texts } = await statementsOf(query)
    expect(texts.length).toBeGreaterThan(0)
    for (const text of texts) {
      const plan = connection
        .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`)
        .all()
        .map(({ detail }) => detail)
      const isSorted = plan.some((step) => step.includes("TEMP B-TREE FOR ORDER BY"))
      // The newest rows of a table are read backwards until there are enough.
      const isLimited = /\bLIMIT\b/i.test(text) && !isSorted
      if (!isLimited) expect(plan.filter((step) => LARGE.test(step))).toEqual([])
    }
    connection.close()
  })
}
