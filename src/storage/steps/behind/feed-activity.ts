import { sql } from "drizzle-orm"
import { type FeedCount, REJECTED_ITEMS_MAX, type RejectedItem } from "../../../domain/activity/feed-request.ts"
import type { FeedActivity } from "../../port/store.ts"
import {
  all,
  and,
  asc,
  desc,
  eq,
  exec,
  gte,
  inArray,
  type LaterSteps,
  lt,
  type Step,
  type Steps,
  type Tx,
} from "../step.ts"
import { FEED_COUNTS, feedNotes, LAST_REQUESTS, REJECTED_ITEMS } from "./feed-notes.ts"

const ROWS_AT_ONCE = 500
const PRUNED_AT_ONCE = 1_000

/** What both engines do alike. Counts of several replicas add up; each reads what it noted itself at once. */
export function feedActivityNotes(
  { query, transact }: Steps,
  later: LaterSteps,
): Pick<FeedActivity, "note" | "counts" | "prune"> {
  const trim = trimmer()
  return {
    note: feedNotes({
      counts: later.behind(FEED_COUNTS, addCounts),
      lastRequests: later.behind(LAST_REQUESTS, function* ({ db, feedLastRequest: last }, rows) {
        const values = rows.map(({ keyId, ...row }) => ({ ingestKeyId: keyId, ...row }))
        const [at, feed, outcome] = [sql`excluded.at`, sql`excluded.feed`, sql`excluded.outcome`]
        const set = { at, feed, outcome, accepted: sql`excluded.accepted`, rejected: sql`excluded.rejected` }
        const isNewer = sql`excluded.at >= ${last.at}`
        for (const part of inParts(values, ({ ingestKeyId }) => ingestKeyId))
          yield* exec(
            db.insert(last).values(part).onConflictDoUpdate({ target: last.ingestKeyId, set, setWhere: isNewer }),
          )
      }),
      items: later.behind(REJECTED_ITEMS, function* (tx, rows) {
        const values = rows.map(({ keyId, ...row }) => ({ ingestKeyId: keyId, ...row }))
        for (let i = 0; i < values.length; i += ROWS_AT_ONCE)
          yield* exec(tx.db.insert(tx.rejectedItem).values(values.slice(i, i + ROWS_AT_ONCE)))
        yield* trim(tx, rows)
      }),
    }),
    async counts(keyId, from) {
      // A page is shown even if nothing can be written.
      await later.flush().catch(() => undefined)
      return query(function* ({ db, feedCount: f }) {
        const isWanted = and(eq(f.ingestKeyId, keyId), gte(f.hour, from))
        const order = [asc(f.hour), asc(f.feed), asc(f.unit), asc(f.outcome)]
        const rows = yield* all(
          db
            .select()
            .from(f)
            .where(isWanted)
            .orderBy(...order),
        )
        return rows.map(({ ingestKeyId, ...count }) => ({ keyId: ingestKeyId, ...count }) as FeedCount)
      })
    },
    prune: (before) =>
      transact(function* ({ db, feedCount: f, rejectedItem }) {
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
      }),
  }
}

function* addCounts({ db, feedCount: f }: Tx, rows: readonly FeedCount[]): Step<void> {
  const target = [f.ingestKeyId, f.hour, f.feed, f.unit, f.outcome]
  const set = { count: sql`${f.count} + excluded.count` }
  const values = rows.map(({ keyId, ...row }) => ({ ingestKeyId: keyId, ...row }))
  const keyOf = (row: (typeof values)[number]) => [row.ingestKeyId, row.hour, row.feed, row.unit, row.outcome].join(" ")
  for (const part of inParts(values, keyOf)) yield* exec(db.insert(f).values(part).onConflictDoUpdate({ target, set }))
}

/** In one order, so that two replicas that count for the same keys do not wait for each other in a circle. */
function* inParts<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Generator<Row[]> {
  const inOrder = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  for (let i = 0; i < inOrder.length; i += ROWS_AT_ONCE) yield inOrder.slice(i, i + ROWS_AT_ONCE)
}

/** Deletes the oldest items of organizations that have too many, after every `ROWS_AT_ONCE` that were added, not one by one. */
function trimmer(): (tx: Tx, items: readonly RejectedItem[]) => Step<void> {
  const addedSince = new Map<number, number>()
  return function* ({ db, rejectedItem: item }, items) {
    for (const [organizationId, added] of Map.groupBy(items, (each) => each.organizationId)) {
      // The first time at once: nobody knows how many a process that was killed has added.
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
