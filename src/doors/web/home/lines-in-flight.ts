import { type Rhythm, silentKeys, silentOnlyBefore } from "../../../domain/activity/rhythm.ts"
import { isFedBy, type Judged, mostPressingFirst, reasonOf } from "../../../domain/campaign/attention.ts"
import { worthsOf } from "../../../domain/campaign/campaign-summary.ts"
import { isInFlight, isTotalDue, stateOf } from "../../../domain/campaign/line-state.ts"
import { latestMeasurable } from "../../../domain/delivery/current-total.ts"
import { eachInTurns, nextTurn } from "../../../domain/event-loop.ts"
import type { Organization } from "../../../domain/people/organization.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { KeyActivity, ListedLine } from "../../../storage/port/store.ts"
import type { WebContext } from "../web-context.ts"

// With more lines, pages would wait until they are judged: the menu then says what it said less than a minute ago.
const COUNTED_EACH_TIME = 500
const REPEATED_FOR: Moment = 60_000_000

export type SilentFeed = Readonly<{ key: KeyActivity; rhythm: Rhythm; lines: number }>

export type Selling = Awaited<ReturnType<typeof sellingNow>>

/** What an organization sells now, and what of it needs somebody, the most pressing first. */
export async function sellingNow(context: WebContext, organization: Organization, now: Moment) {
  const today = dayOf(now, organization.timeZone)
  const silent = await silentFeedsOf(context, organization, now)
  const lines = await context.store.campaigns.listedInFlight(organization.id, { from: today, to: today })
  const judged = await judge(lines, silent, now)
  const { running } = judged
  const worths = worthsOf(running.map(({ line }) => line))
  await nextTurn()
  // Lines that are equally urgent keep this order: the database promises none.
  const inOrder = mostPressingFirst(running.toSorted((a, b) => a.line.lineId - b.line.lineId))
  await nextTurn()
  return { ...judged, today, worths, running: inOrder, named: inOrder.filter(isNamed) }
}

type Counted = Readonly<{ at: Moment; needing: number }>
const countedBefore = new WeakMap<WebContext, Map<number, Counted>>()

/** How much needs somebody, for the menu of every page. */
export async function countNeeding(context: WebContext, organization: Organization, now: Moment): Promise<number> {
  const before = countedBefore.get(context)?.get(organization.id)
  if (before !== undefined && now >= before.at && now - before.at < REPEATED_FOR) return before.needing
  const today = dayOf(now, organization.timeZone)
  const lines = await context.store.campaigns.listedInFlight(organization.id, { from: today, to: today })
  const { needing } = await judge(lines, await silentFeedsOf(context, organization, now), now)
  const counted = countedBefore.get(context) ?? new Map<number, Counted>()
  if (lines.length > COUNTED_EACH_TIME) counted.set(organization.id, { at: now, needing })
  countedBefore.set(context, counted)
  return needing
}

/** Lines without totals are not named: their feed is, or all of them together. */
const isNamed = ({ state }: Judged<ListedLine>) => reasonOf(state) !== null && state !== "no_recent_figures"

async function judge(lines: readonly ListedLine[], silent: readonly Omit<SilentFeed, "lines">[], now: Moment) {
  const silentFeeds = silent.map((feed) => ({ ...feed, lines: 0 }))
  const running: Judged<ListedLine>[] = []
  const ahead: Judged<ListedLine>[] = []
  const latest = latestMeasurable(now)
  let [due, unreported] = [0, 0]
  await eachInTurns(lines, (line) => {
    if (!isInFlight(line, now)) return
    const state = stateOf(line, now)
    running.push({ line, state })
    if ((line.total?.asOf ?? now) > latest) ahead.push({ line, state })
    if (state !== "no_recent_figures" && !isTotalDue(line, now)) return
    const causes = silentFeeds.filter(({ rhythm }) => isFedBy(line, rhythm))
    for (const feed of causes) feed.lines += 1
    if (causes.length === 0) due += 1
    if (line.total === null) unreported += 1
  })
  const needing = ahead.length + silentFeeds.length + running.filter(isNamed).length + (due > 0 ? 1 : 0)
  return {
    running,
    /** Those whose current total was measured in the future. */
    ahead: ahead as readonly Judged<ListedLine>[],
    silentFeeds: silentFeeds as readonly SilentFeed[],
    /** How many lines have no total since yesterday. Those whose feed is silent are not counted: the feed is. */
    due,
    /** How many of them never had one. */
    unreported,
    needing,
  }
}

async function silentFeedsOf({ store }: WebContext, { id }: Organization, now: Moment) {
  return silentKeys(await store.feedActivity.quietKeys(id, silentOnlyBefore(now)), now)
}
