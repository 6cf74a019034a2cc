import type { FeedCount, FeedRequest, LastRequest, RejectedItem } from "../../../domain/activity/feed-request.ts"
import { keptText, sentText, shortened } from "../../../domain/activity/sent-text.ts"
import { readPackageId } from "../../../domain/campaign/package-line.ts"
import { hourOf } from "../../../domain/operations/refusal.ts"
import { isObject } from "../../../domain/schema/batch.ts"
import { MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import type { Behind, WriteBehind } from "./write-behind.ts"

// Items that are kept for each key, feed and reason in a minute; one more is kept for each batch that is written, with the number of
// the others. So a flood of rejected items costs a few rows, and still nobody has to guess how large it was.
const KEPT_PER_MINUTE = 5
// While nothing can be written. What does not fit is counted, but not kept.
const WAITING_ITEMS_MAX = 2_000
const MESSAGE_CHARACTERS_MAX = 300
const MINUTE = 60 * MICROS_PER_SECOND

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] }

type Waiting<Row> = Pick<WriteBehind<Row>, "add" | "find" | "hasRoom">

export type WritableItem = Writable<RejectedItem>

export const FEED_COUNTS: Behind<Writable<FeedCount>> = {
  merge: (older, newer) => {
    older.count += newer.count
    return older
  },
  ridesAlone: true,
}

export const LAST_REQUESTS: Behind<LastRequest> = {
  merge: (older, newer) => (older.at <= newer.at ? newer : older),
  ridesAlone: true,
}

/** Two that stand for others are one, which stands for the other too. */
export const REJECTED_ITEMS: Behind<WritableItem> = {
  merge: (older, newer) => {
    older.more += newer.more + 1
    return older
  },
  room: WAITING_ITEMS_MAX,
  ridesAlone: true,
}

export interface FeedRows {
  readonly counts: Waiting<Writable<FeedCount>>
  readonly lastRequests: Waiting<LastRequest>
  readonly items: Waiting<WritableItem>
}

/** Notes what was sent: rows are written every few seconds, so that reports are not slowed down. */
export function feedNotes({ counts, lastRequests, items }: FeedRows): (request: FeedRequest) => void {
  // How many items of a key, feed and reason were kept in the latest minute.
  const pending = new Map<string, number>()
  let keptMinute = 0

  // Most requests are like the one before. A text that is made anew for each takes longer than all else here.
  const latest = new Map<FeedCount["unit"], Omit<FeedCount, "unit" | "count"> & { readonly key: string }>()

  function tally({ keyId, feed, at }: FeedRequest, unit: FeedCount["unit"], outcome: string, count: number): void {
    const hour = hourOf(at)
    let last = latest.get(unit)
    if (last?.keyId !== keyId || last.hour !== hour || last.feed !== feed || last.outcome !== outcome) {
      last = { keyId, hour, feed, outcome, key: `${keyId} ${hour} ${feed} ${unit} ${outcome}` }
      latest.set(unit, last)
    }
    const row = counts.find(last.key)
    if (row === undefined) counts.add({ keyId, hour, feed, unit, outcome, count }, last.key)
    else row.count += count
  }

  function keepSome(request: FeedRequest, reason: string, rejections: FeedRequest["rejected"]): void {
    const minute = Math.floor(request.at / MINUTE)
    // Of earlier minutes nothing has to be known, so that this stays as small as the number of keys in use.
    if (minute !== keptMinute) pending.clear()
    keptMinute = minute
    const key = `${request.keyId} ${request.feed} ${reason} ${minute}`
    for (const [i, rejection] of rejections.entries()) {
      const isOneOfMany = (pending.get(key) ?? 0) >= KEPT_PER_MINUTE
      const standsForMore = isOneOfMany ? items.find(key) : undefined
      if (standsForMore !== undefined) {
        standsForMore.more += rejections.length - i
        return
      }
      if (!items.hasRoom()) return
      const item = rejectedItem(request, rejection)
      if (isOneOfMany) items.add(item, key)
      else {
        items.add(item)
        pending.set(key, (pending.get(key) ?? 0) + 1)
      }
    }
  }

  return (request) => {
    const { keyId, at, feed, outcome, accepted, rejected } = request
    tally(request, "request", outcome, 1)
    lastRequests.add({ keyId, at, feed, outcome, accepted, rejected: rejected.length }, keyId)
    // Nothing of a dry run was stored, so nothing of it counts as delivered or as lost.
    if (outcome !== "answered") return
    if (accepted > 0) tally(request, "item", "accepted", accepted)
    if (rejected.length === 0) return
    for (const [reason, rejections] of Map.groupBy(rejected, (rejection) => rejection.reason)) {
      tally(request, "item", reason, rejections.length)
      keepSome(request, reason, rejections)
    }
  }
}

type Rejection = FeedRequest["rejected"][number]

function rejectedItem(request: FeedRequest, { index, reason, message }: Rejection): WritableItem {
  const { organizationId, keyId, at, feed, items } = request
  const sent = items[index]
  const code = isObject(sent) ? sent["code"] : undefined
  return {
    organizationId,
    keyId,
    at,
    feed,
    reason,
    message: shortened(message, MESSAGE_CHARACTERS_MAX),
    packageId: (isObject(sent) && readPackageId(sent["package_id"] ?? sent["packageId"])) || null,
    code: typeof code === "string" ? keptText(code) : null,
    sent: sentText(sent),
    more: 0,
  }
}
