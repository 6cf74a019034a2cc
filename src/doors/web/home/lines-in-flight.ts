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

// With more of them, every page would wait until they are counted.
const COUNTED_MAX = 500

export type SilentFeed = Readonly<{ key: KeyActivity; rhythm: Rhythm; lines: number }>

export type Selling = Awaited<ReturnType<typeof sellingNow>>

/** What an organization sells now, and what of it needs somebody, the most pressing first. */
export async function sellingNow(context: WebContext, organization: Organization, now: Moment) {
  const today = dayOf(now, organization.timeZone)
  const silent = await silentFeedsOf(context, organization, now)
  const lines = await context.store.campaigns.listedInFlight(organization.id, { from: today, to: today })
  // With many lines, reading and judging take about the same time each: others are served in between.
  await nextTurn()
  // Lines that are equally urgent keep this order: the database promises none.
  const { running, named, ...rest } = judge(
    lines.toSorted((one, other) => one.lineId - other.lineId),
    silent,
    now,
  )
  return { today, ...rest, running: mostPressingFirst(running), named: mostPressingFirst(named) }
}

/** How much needs somebody, for the menu of every page. Null where that would take too long to find out. */
export async function countNeeding(
  context: WebContext,
  organization: Organization,
  now: Moment,
): Promise<number | null> {
  const today = dayOf(now, organization.timeZone)
  const range = { from: today, to: today, limit: COUNTED_MAX }
  const lines = await context.store.campaigns.listedInFlight(organization.id, range)
  if (lines.length === COUNTED_MAX) return null
  return judge(lines, await silentFeedsOf(context, organization, now), now).needing
}

function judge(lines: readonly ListedLine[], silent: readonly Omit<SilentFeed, "lines">[], now: Moment) {
  const silentFeeds = silent.map((feed) => ({ ...feed, lines: 0 }))
  const running: Judged<ListedLine>[] = []
  let due = 0
  for (const line of lines) {
    if (!isInFlight(line, now)) continue
    const state = stateOf(line, now)
    running.push({ line, state })
    if (state !== "no_recent_figures" && !isTotalDue(line, now)) continue
    const causes = silentFeeds.filter(({ rhythm }) => isFedBy(line, rhythm))
    for (const feed of causes) feed.lines += 1
    if (causes.length === 0) due += 1
  }
  // Lines without totals are not named: their feed is, or all of them together.
  const named = running.filter(({ state }) => reasonOf(state) !== null && state !== "no_recent_figures")
  const needing = silentFeeds.length + named.length + (due > 0 ? 1 : 0)
  return {
    running,
    worths: worthsOf(running.map(({ line }) => line)),
    silentFeeds: silentFeeds as readonly SilentFeed[],
    named,
    /** How many lines have no total since yesterday. Those whose feed is silent are not counted: the feed is. */
    due,
    needing,
  }
}

async function silentFeedsOf({ store }: WebContext, { id }: Organization, now: Moment) {
  return silentKeys(await store.feedActivity.quietKeys(id, silentOnlyBefore(now)), now)
}
