import { type ActivityBatch, ActivityBuffer } from "../../../domain/activity/activity-buffer.ts"
import {
  type FeedCount,
  type LastRequest,
  REJECTED_ITEMS_MAX,
  trimCounter,
} from "../../../domain/activity/feed-request.ts"
import { RHYTHM_HOURS_MAX } from "../../../domain/activity/rhythm.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { FeedActivity, KeyActivity, ListedRejection } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import type { Session } from "../engine/session.ts"
import { FEED_ACTIVITY_SQL } from "./feed-activity-sql.ts"

const PRUNED_AT_ONCE = 1_000

/** Counts of several replicas add up. Each replica reads what it noted itself at once, and what others noted a few seconds later. */
export function feedActivity({ read, recordFigures, write }: Connection): FeedActivity {
  const buffer = new ActivityBuffer()
  const writeBatch = batchWriter()
  write.alongside({
    waiting: () => buffer.waiting(),
    collect: () => buffer.collect(),
    write: (transaction) => writeBatch(transaction, buffer.take()),
    written: () => buffer.written(),
  })
  // A page is shown even if nothing can be written.
  const flushed = () => write.flushWriteBuffer().catch(() => undefined)

  async function keysOf(organizationId: number | null, quietSince: Moment | null): Promise<KeyActivity[]> {
    await flushed()
    const values = [organizationId, RHYTHM_HOURS_MAX, quietSince]
    return (await read(({ rows }) => rows<KeyRow>(FEED_ACTIVITY_SQL.keys, values))).map(keyActivity)
  }

  return {
    note: (request) => buffer.note(request),
    keys: (organizationId) => keysOf(organizationId, null),
    quietKeys: (organizationId, since) => keysOf(organizationId, since),
    async counts(keyId, from) {
      await flushed()
      return read(({ rows }) => rows<FeedCount>(FEED_ACTIVITY_SQL.counts, [keyId, from]))
    },
    async rejected({ keyId, organizationId, from, until = Number.MAX_SAFE_INTEGER, reason = null }, page) {
      await flushed()
      const values = [keyId, organizationId, from, until, reason]
      return read(async ({ rows }) => {
        const items = await rows<ItemRow>(FEED_ACTIVITY_SQL.rejected, [...values, page.limit, page.offset])
        const [counted] = await rows<{ rows: number }>(FEED_ACTIVITY_SQL.countRejected, values)
        return { items: items.map(listedRejection), rows: counted?.rows ?? 0 }
      })
    },
    prune: (before) =>
      recordFigures(async ({ rows }) => {
        const counts = await rows(FEED_ACTIVITY_SQL.pruneCounts, [before, PRUNED_AT_ONCE])
        const items = await rows(FEED_ACTIVITY_SQL.pruneItems, [before, PRUNED_AT_ONCE])
        return counts.length + items.length
      }),
  }
}

function batchWriter(): (session: Session, batch: ActivityBatch) => Promise<void> {
  const toTrim = trimCounter()
  return async ({ rows }, { counts, lastRequests, items }) => {
    await rows(FEED_ACTIVITY_SQL.addCounts, [
      counts.map(({ keyId }) => keyId),
      counts.map(({ hour }) => hour),
      counts.map(({ feed }) => feed),
      counts.map(({ unit }) => unit),
      counts.map(({ outcome }) => outcome),
      counts.map(({ count }) => count),
    ])
    await rows(FEED_ACTIVITY_SQL.setLast, [
      lastRequests.map(({ keyId }) => keyId),
      lastRequests.map(({ at }) => at),
      lastRequests.map(({ feed }) => feed),
      lastRequests.map(({ outcome }) => outcome),
      lastRequests.map(({ accepted }) => accepted),
      lastRequests.map(({ rejected }) => rejected),
    ])
    if (items.length === 0) return
    await addItems({ rows }, items)
    for (const organizationId of toTrim(items)) await rows(FEED_ACTIVITY_SQL.trim, [organizationId, REJECTED_ITEMS_MAX])
  }
}

function addItems({ rows }: Pick<Session, "rows">, items: ActivityBatch["items"]): Promise<unknown> {
  return rows(FEED_ACTIVITY_SQL.addItems, [
    items.map(({ organizationId }) => organizationId),
    items.map(({ keyId }) => keyId),
    items.map(({ at }) => at),
    items.map(({ feed }) => feed),
    items.map(({ reason }) => reason),
    items.map(({ message }) => message),
    items.map(({ packageId }) => packageId),
    items.map(({ code }) => code),
    items.map(({ sent }) => sent),
    items.map(({ more }) => more),
  ])
}

type KeyRow = Omit<KeyActivity, "lastRequest"> & {
  readonly at: number | null
  readonly feed: string
  readonly outcome: LastRequest["outcome"]
  readonly accepted: number
  readonly rejected: number
}

function keyActivity({ at, feed, outcome, accepted, rejected, ...key }: KeyRow): KeyActivity {
  return { ...key, lastRequest: at === null ? null : { keyId: key.id, at, feed, outcome, accepted, rejected } }
}

type ItemRow = Omit<ListedRejection, "line"> & {
  readonly linePackageId: string
  readonly lineName: string | null
  readonly campaign: string
}

function listedRejection({ linePackageId, lineName, campaign, ...item }: ItemRow): ListedRejection {
  return { ...item, line: lineName === null ? null : { packageId: linePackageId, name: lineName, campaign } }
}
