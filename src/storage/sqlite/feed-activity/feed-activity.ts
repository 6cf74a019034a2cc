import { type ActivityBatch, ActivityBuffer } from "../../../domain/activity/activity-buffer.ts"
import {
  type FeedCount,
  type LastRequest,
  REJECTED_ITEMS_MAX,
  trimCounter,
} from "../../../domain/activity/feed-request.ts"
import { RHYTHM_HOURS_MAX } from "../../../domain/activity/rhythm.ts"
import { nextTurn } from "../../../domain/event-loop.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { FeedActivity, IngestKeyReads, KeyActivity, ListedRejection, RejectedFilter } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { multiRowInsert } from "../engine/multi-row-insert.ts"
import { FEED_ACTIVITY_SQL } from "./feed-activity-sql.ts"

const PRUNED_AT_ONCE = 1_000
// Each has hundreds of hours, and others are served between these parts.
const KEYS_AT_ONCE = 20

/** Reads what was noted too: whoever looks at a page has just sent something. */
export function feedActivity(connection: Connection, ingestKeys: IngestKeyReads): FeedActivity {
  const { database, write } = connection
  const buffer = new ActivityBuffer()
  const writeBatch = batchWriter(connection)
  const lastRequest = database.query<LastRequest, [string]>(FEED_ACTIVITY_SQL.lastRequest)
  const hours = database.query<unknown, [string, number]>(FEED_ACTIVITY_SQL.hours)
  const counts = database.query<FeedCount, [string, Moment]>(FEED_ACTIVITY_SQL.counts)
  write.alongside({
    waiting: () => buffer.waiting(),
    collect: () => buffer.collect(),
    write() {
      if (buffer.waiting()) writeBatch(buffer.take())
    },
    written: () => buffer.written(),
  })
  // A page is shown even if the disk cannot be written.
  const flushed = () => write.flushNotes().catch(() => undefined)

  async function keysOf(organizationId: number | null, isWanted: (key: Omit<KeyActivity, "hours">) => boolean) {
    await flushed()
    const found: KeyActivity[] = []
    for (const key of await ingestKeys.list(organizationId)) {
      const known = { ...key, lastRequest: lastRequest.get(key.id) }
      if (!isWanted(known)) continue
      const rows = hours.values(key.id, RHYTHM_HOURS_MAX) as [Moment][]
      found.push({ ...known, hours: rows.map(([hour]) => hour) })
      if (found.length % KEYS_AT_ONCE === 0) await nextTurn()
    }
    return found
  }

  return {
    note: (request) => buffer.note(request),
    keys: (organizationId) => keysOf(organizationId, () => true),
    quietKeys: (organizationId, since) =>
      keysOf(organizationId, ({ revokedAt, lastRequest, lastUsedAt }) => {
        const lastAt = lastRequest?.at ?? lastUsedAt
        return revokedAt === null && lastAt !== null && lastAt < since
      }),
    async counts(keyId, from) {
      await flushed()
      return counts.all(keyId, from)
    },
    async rejected(filter, page) {
      await flushed()
      return rejectedItems(connection, filter, page)
    },
    prune: (before) =>
      write.runKeepingCaches(() => {
        const counted = database.query(FEED_ACTIVITY_SQL.pruneCounts).run(before, PRUNED_AT_ONCE).changes
        return counted + database.query(FEED_ACTIVITY_SQL.pruneItems).run(before, PRUNED_AT_ONCE).changes
      }),
  }
}

function batchWriter({ database }: Connection): (batch: ActivityBatch) => void {
  const addCounts = multiRowInsert(database, 6, FEED_ACTIVITY_SQL.addCounts)
  const setLast = multiRowInsert(database, 6, FEED_ACTIVITY_SQL.setLast)
  const addItems = multiRowInsert(database, 10, FEED_ACTIVITY_SQL.addItems)
  const trim = database.query<unknown, [number, number]>(FEED_ACTIVITY_SQL.trim)
  const toTrim = trimCounter()
  return ({ counts, lastRequests, items }) => {
    addCounts(counts.flatMap((each) => [each.keyId, each.hour, each.feed, each.unit, each.outcome, each.count]))
    setLast(
      lastRequests.flatMap((each) => [each.keyId, each.at, each.feed, each.outcome, each.accepted, each.rejected]),
    )
    addItems(
      items.flatMap((item) => [
        item.organizationId,
        item.keyId,
        item.at,
        item.feed,
        item.reason,
        item.message,
        item.packageId,
        item.code,
        item.sent,
        item.more,
      ]),
    )
    for (const organizationId of toTrim(items)) trim.run(organizationId, REJECTED_ITEMS_MAX)
  }
}

type Row = Omit<ListedRejection, "line"> & {
  readonly linePackageId: string
  readonly lineName: string | null
  readonly campaign: string
}

function rejectedItems(
  { database }: Connection,
  { keyId, organizationId, from, until = Number.MAX_SAFE_INTEGER, reason = null }: FilterValues,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) {
  const values = [keyId, organizationId, from, until, reason] as const
  const items = database.query(FEED_ACTIVITY_SQL.rejected).all(...values, limit, offset) as Row[]
  const { rows } = database.query(FEED_ACTIVITY_SQL.countRejected).get(...values) as { rows: number }
  return { items: items.map(listedRejection), rows }
}

type FilterValues = Omit<RejectedFilter, "reason"> & { readonly reason?: string | null | undefined }

function listedRejection({ linePackageId, lineName, campaign, ...item }: Row): ListedRejection {
  return { ...item, line: lineName === null ? null : { packageId: linePackageId, name: lineName, campaign } }
}
