import { type Rhythm, silentKeys, silentOnlyBefore } from "../../../domain/activity/rhythm.ts"
import { isFedBy, type Judged, mostPressingFirst, reasonOf } from "../../../domain/campaign/attention.ts"
import { worthsOf } from "../../../domain/campaign/campaign-summary.ts"
import { isInFlight, isTotalDue, stateOf } from "../../../domain/campaign/line-state.ts"
import { nextTurn } from "../../../domain/event-loop.ts"
import type { Organization } from "../../../domain/people/organization.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { KeyActivity, ListedLine } from "../../../storage/port/store.ts"
import type { WebContext } from "../web-context.ts"

// With more of them, every page would wait until they are judged.
const COUNTED_MAX = 500

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

/** How much needs somebody, for the menu of every page: of very many lines what some of them show, and that there may be more. */
export async function countNeeding(context: WebContext, organization: Organization, now: Moment) {
  const today = dayOf(now, organization.timeZone)
  const range = { from: today, to: today, limit: COUNTED_MAX + 1 }
  const lines = await context.store.campaigns.listedInFlight(organization.id, range)
  const { needing } = await judge(lines.slice(0, COUNTED_MAX), await silentFeedsOf(context, organization, now), now)
  return { count: needing, isMore: lines.length > COUNTED_MAX }
}

/** Lines without totals are not named: their feed is, or all of them together. */
const isNamed = ({ state }: Judged<ListedLine>) => reasonOf(state) !== null && state !== "no_recent_figures"

// With thousands of lines each of these takes some milliseconds: others are served in between.
const JUDGED_AT_ONCE = 1_000

async function judge(lines: readonly ListedLine[], silent: readonly Omit<SilentFeed, "lines">[], now: Moment) {
  const silentFeeds = silent.map((feed) => ({ ...feed, lines: 0 }))
  const running: Judged<ListedLine>[] = []
  let [due, unreported] = [0, 0]
  for (const [i, line] of lines.entries()) {
    if (i > 0 && i % JUDGED_AT_ONCE === 0) await nextTurn()
    if (!isInFlight(line, now)) continue
    const state = stateOf(line, now)
    running.push({ line, state })
    if (state !== "no_recent_figures" && !isTotalDue(line, now)) continue
    const causes = silentFeeds.filter(({ rhythm }) => isFedBy(line, rhythm))
    for (const feed of causes) feed.lines += 1
    if (causes.length === 0) due += 1
    if (line.total === null) unreported += 1
  }
  const needing = silentFeeds.length + running.filter(isNamed).length + (due > 0 ? 1 : 0)
  return {
    running,
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
