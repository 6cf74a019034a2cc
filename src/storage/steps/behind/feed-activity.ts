import { and, asc, desc, eq, gte, inArray, lt, sql } from "drizzle-orm"
import type { FeedCount, LastRequest, RejectedItem } from "../../../domain/activity/feed-request.ts"
import { REJECTED_ITEMS_MAX } from "../../../domain/activity/feed-request.ts"
import { RHYTHM_HOURS_MAX } from "../../../domain/activity/rhythm.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { KeyActivity, ListedRejection, RejectedFilter } from "../../port/deliveries.ts"
import { all, exec, first, type LaterSteps, type ReadTx, type Step, type Steps, type Tx } from "../step.ts"
import { FEED_COUNTS, feedNotes, LAST_REQUESTS, REJECTED_ITEMS } from "./feed-notes.ts"

const ROWS_AT_ONCE = 500
const PRUNED_AT_ONCE = 1_000

/**
 * Counts of several replicas add up. Each reads what it noted itself at once, even if it was not written yet: a reader of a page has
 * just sent something.
 */
export function feedActivity({ query, transact }: Steps, later: LaterSteps) {
  const trim = trimmer()
  async function flushed<Result>(work: (tx: ReadTx) => Step<Result>): Promise<Result> {
    // A page is shown even if nothing can be written.
    await later.flush().catch(() => undefined)
    return query(work)
  }
  return {
    /** The keys of one organization, or all with null; newest first, revoked keys included. */
    keys: (organizationId: number | null) => flushed((tx) => keys(tx, organizationId, null)),
    /** Of the same keys those that are not revoked, and whose last request (or use) was before this moment. */
    quietKeys: (organizationId: number, since: Moment) => flushed((tx) => keys(tx, organizationId, since)),
    /** Rejected items that were kept, newest first, and how many rows there are in all. */
    rejected: (filter: RejectedFilter, page: { readonly offset: number; readonly limit: number }) =>
      flushed((tx) => rejectedItems(tx, filter, page)),
    /** Counts a request and keeps some of its rejected items. Written by `flushWriteBuffer`. */
    note: feedNotes({
      counts: later.behind(FEED_COUNTS, (tx, rows) => insertInOrder(tx, COUNTS, rows)),
      lastRequests: later.behind(LAST_REQUESTS, (tx, rows) => insertInOrder(tx, LAST, rows)),
      items: later.behind(REJECTED_ITEMS, function* (tx, rows) {
        const values = rows.map(({ keyId, ...row }) => ({ ingestKeyId: keyId, ...row }))
        for (let i = 0; i < values.length; i += ROWS_AT_ONCE)
          yield* exec(tx.db.insert(tx.rejectedItem).values(values.slice(i, i + ROWS_AT_ONCE)))
        yield* trim(tx, rows)
      }),
    }),
    /** The counts of a key in all hours that start at this moment or later, oldest first. */
    counts: (keyId: string, from: Moment) =>
      flushed(function* ({ db, feedCount: f }) {
        const isWanted = and(eq(f.ingestKeyId, keyId), gte(f.hour, from))
        const order = [asc(f.hour), asc(f.feed), asc(f.unit), asc(f.outcome)]
        const rows = db.select().from(f).where(isWanted)
        return (yield* all(rows.orderBy(...order))).map(
          ({ ingestKeyId, ...count }) => ({ keyId: ingestKeyId, ...count }) as FeedCount,
        )
      }),
    /** Deletes some of what is older than `before`. Returns how many rows; 0 when none are left. */
    prune: (before: Moment) => transact((tx) => prune(tx, before)),
  }
}

function* prune({ db, feedCount: f, rejectedItem }: Tx, before: Moment): Step<number> {
  const key = sql`(${f.ingestKeyId}, ${f.hour}, ${f.feed}, ${f.unit}, ${f.outcome})`
  const old = db
    .select({ keyId: f.ingestKeyId, hour: f.hour, feed: f.feed, unit: f.unit, outcome: f.outcome })
    .from(f)
    .where(lt(f.hour, before))
    .limit(PRUNED_AT_ONCE)
  const counts = yield* all(db.delete(f).where(sql`${key} IN ${old}`).returning({ hour: f.hour }))
  const oldItems = db.select({ id: rejectedItem.id }).from(rejectedItem)
  const ids = oldItems.where(lt(rejectedItem.at, before)).limit(PRUNED_AT_ONCE)
  const removed = db.delete(rejectedItem).where(inArray(rejectedItem.id, ids))
  return counts.length + (yield* all(removed.returning({ id: rejectedItem.id }))).length
}

type KeyRow = Omit<KeyActivity, "lastRequest" | "hours"> &
  Omit<LastRequest, "keyId" | "at"> & { readonly at: Moment | null; readonly hours: string | null }

/** With a moment, only those that are not revoked and sent their last request before. */
function* keys({ statement }: ReadTx, organizationId: number | null, quietSince: Moment | null): Step<KeyActivity[]> {
  const isWanted = and(
    organizationId === null ? undefined : sql`k.organization_id = ${organizationId}`,
    quietSince === null ? undefined : sql`k.revoked_at IS NULL AND coalesce(f.at, k.last_used_at) < ${quietSince}`,
  )
  const rows = yield* all(
    statement<KeyRow>(sql`
      SELECT k.id, k.label, k.prefix, k.created_at AS "createdAt", k.last_used_at AS "lastUsedAt", k.revoked_at AS "revokedAt",
        o.slug AS organization, f.at, f.feed, f.outcome, f.accepted, f.rejected,
        (SELECT string_agg(CAST(hour AS text), ' ') FROM (SELECT DISTINCT hour FROM feed_count c WHERE c.ingest_key_id = k.id
          ORDER BY hour DESC LIMIT ${RHYTHM_HOURS_MAX}) AS latest) AS hours
      FROM ingest_key k JOIN organization o ON o.id = k.organization_id LEFT JOIN feed_last_request f ON f.ingest_key_id = k.id
      ${isWanted === undefined ? sql`` : sql`WHERE ${isWanted}`} ORDER BY k.created_at DESC, k.label, k.id`),
  )
  return rows.map(({ at, feed, outcome, accepted, rejected, hours, ...key }) => ({
    ...key,
    lastRequest: at === null ? null : { keyId: key.id, at, feed, outcome, accepted, rejected },
    hours: hours === null ? [] : hours.split(" ").map(Number),
  }))
}

type ItemRow = Omit<ListedRejection, "line"> &
  Readonly<{ linePackageId: string; lineName: string | null; campaign: string }>

function* rejectedItems(
  { statement }: ReadTx,
  { keyId, organizationId, from, until = Number.MAX_SAFE_INTEGER, reason }: RejectedFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) {
  const matching = sql`ingest_key_id = ${keyId} AND organization_id = ${organizationId} AND at >= ${from} AND at < ${until}
    ${reason === undefined ? sql`` : sql`AND reason = ${reason}`}`
  const items = yield* all(
    statement<ItemRow>(sql`
      SELECT r.id, r.ingest_key_id AS "keyId", r.at, r.feed, r.reason, r.message, r.package_id AS "packageId", r.code, r.sent, r.more,
        l.package_id AS "linePackageId", l.name AS "lineName", c.slug AS campaign
      FROM (SELECT * FROM rejected_item WHERE ${matching} ORDER BY at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) r
      LEFT JOIN affiliate_code a ON r.package_id IS NULL AND a.organization_id = r.organization_id AND a.code = r.code
      LEFT JOIN package_line p ON p.package_id = r.package_id
      LEFT JOIN package_line l ON l.id = coalesce(p.id, a.line_id) AND l.seller_id = r.organization_id
      LEFT JOIN campaign c ON c.id = l.campaign_id
      ORDER BY r.at DESC, r.id DESC`),
  )
  const counting = statement<{ rows: number }>(sql`SELECT count(*) AS rows FROM rejected_item WHERE ${matching}`)
  return {
    items: items.map(({ linePackageId, lineName, campaign, ...item }) => ({
      ...item,
      line: lineName === null ? null : { packageId: linePackageId, name: lineName, campaign },
    })),
    rows: (yield* first(counting))?.rows ?? 0,
  }
}

const LAST = {
  table: "feed_last_request",
  columns: {
    ingest_key_id: "text",
    at: "number",
    feed: "text",
    outcome: "text",
    accepted: "number",
    rejected: "number",
  },
  onConflict: `(ingest_key_id) DO UPDATE SET at = excluded.at, feed = excluded.feed, outcome = excluded.outcome,
    accepted = excluded.accepted, rejected = excluded.rejected WHERE excluded.at >= feed_last_request.at`,
} as const

const COUNTS = {
  table: "feed_count",
  columns: { ingest_key_id: "text", hour: "number", feed: "text", unit: "text", outcome: "text", count: "number" },
  onConflict: `(ingest_key_id, hour, feed, unit, outcome) DO UPDATE SET count = feed_count.count + excluded.count`,
} as const

/** In one order, so that two replicas that count for the same keys do not wait for each other in a circle. */
function* insertInOrder(
  tx: Tx,
  { table, columns, onConflict }: typeof LAST | typeof COUNTS,
  rows: readonly (LastRequest | FeedCount)[],
): Step<void> {
  const values = rows.map(({ keyId, ...row }) => ({ ingest_key_id: keyId, ...row }))
  const keyOf = (row: (typeof values)[number]) =>
    "hour" in row ? `${row.ingest_key_id} ${row.hour} ${row.feed} ${row.unit} ${row.outcome}` : row.ingest_key_id
  const inOrder = values.map((row) => [keyOf(row), row] as const).toSorted(([a], [b]) => (a < b ? -1 : 1))
  yield* exec(tx.insertMany(table, { columns, rows: inOrder.map(([, row]) => row) }, onConflict))
}

/** Deletes the oldest items of organizations that have too many, after every `ROWS_AT_ONCE` that were added, not one by one. */
function trimmer(): (tx: Tx, items: readonly RejectedItem[]) => Step<void> {
  const addedSince = new Map<number, number>()
  return function* ({ db, rejectedItem: item }, items) {
    for (const [organizationId, added] of Map.groupBy(items, (each) => each.organizationId)) {
      // The first time at once: how many a process added that was killed is unknown.
      const since = (addedSince.get(organizationId) ?? ROWS_AT_ONCE) + added.length
      addedSince.set(organizationId, since >= ROWS_AT_ONCE ? 0 : since)
      if (since < ROWS_AT_ONCE) continue
      const own = eq(item.organizationId, organizationId)
      const newest = db.select({ id: item.id }).from(item).where(own).orderBy(desc(item.id))
      const tooMany = sql`${item.id} <= ${newest.limit(1).offset(REJECTED_ITEMS_MAX)}`
      yield* exec(db.delete(item).where(and(own, tooMany)))
    }
  }
}
