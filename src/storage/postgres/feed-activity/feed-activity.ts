import type { LastRequest } from "../../../domain/activity/feed-request.ts"
import { RHYTHM_HOURS_MAX } from "../../../domain/activity/rhythm.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { FeedActivity, KeyActivity, ListedRejection } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { FEED_ACTIVITY_SQL } from "./feed-activity-sql.ts"

export function feedActivity({ read, write }: Connection): Pick<FeedActivity, "keys" | "quietKeys" | "rejected"> {
  // A page is shown even if nothing can be written.
  const flushed = () => write.flushBehind().catch(() => undefined)

  async function keysOf(organizationId: number | null, quietSince: Moment | null): Promise<KeyActivity[]> {
    await flushed()
    const values = [organizationId, RHYTHM_HOURS_MAX, quietSince]
    return (await read(({ rows }) => rows<KeyRow>(FEED_ACTIVITY_SQL.keys, values))).map(keyActivity)
  }

  return {
    keys: (organizationId) => keysOf(organizationId, null),
    quietKeys: (organizationId, since) => keysOf(organizationId, since),
    async rejected({ keyId, organizationId, from, until = Number.MAX_SAFE_INTEGER, reason = null }, page) {
      await flushed()
      const values = [keyId, organizationId, from, until, reason]
      return read(async ({ rows }) => {
        const items = await rows<ItemRow>(FEED_ACTIVITY_SQL.rejected, [...values, page.limit, page.offset])
        const [counted] = await rows<{ rows: number }>(FEED_ACTIVITY_SQL.countRejected, values)
        return { items: items.map(listedRejection), rows: counted?.rows ?? 0 }
      })
    },
  }
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
