import type { LastRequest } from "../../../domain/activity/feed-request.ts"
import { RHYTHM_HOURS_MAX } from "../../../domain/activity/rhythm.ts"
import { nextTurn } from "../../../domain/event-loop.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { FeedActivity, IngestKeyReads, KeyActivity, ListedRejection, RejectedFilter } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { FEED_ACTIVITY_SQL } from "./feed-activity-sql.ts"

// Each has hundreds of hours, and others are served between these parts.
const KEYS_AT_ONCE = 20

/** Reads what was noted too: whoever looks at a page has just sent something. */
export function feedActivity(
  connection: Connection,
  ingestKeys: IngestKeyReads,
): Pick<FeedActivity, "keys" | "quietKeys" | "rejected"> {
  const { database, write } = connection
  const lastRequest = database.query<LastRequest, [string]>(FEED_ACTIVITY_SQL.lastRequest)
  const hours = database.query<unknown, [string, number]>(FEED_ACTIVITY_SQL.hours)
  // A page is shown even if the disk cannot be written.
  const flushed = () => write.flushBehind().catch(() => undefined)

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
    keys: (organizationId) => keysOf(organizationId, () => true),
    quietKeys: (organizationId, since) =>
      keysOf(organizationId, ({ revokedAt, lastRequest, lastUsedAt }) => {
        const lastAt = lastRequest?.at ?? lastUsedAt
        return revokedAt === null && lastAt !== null && lastAt < since
      }),
    async rejected(filter, page) {
      await flushed()
      return rejectedItems(connection, filter, page)
    },
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
