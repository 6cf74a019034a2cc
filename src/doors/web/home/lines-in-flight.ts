import { isOnSchedule, type Rhythm, silentOnlyBefore, watchKey } from "../../../domain/activity/rhythm.ts"
import { isFedBy, type Judged, mostPressingFirst, reasonOf } from "../../../domain/campaign/attention.ts"
import { worthsOf } from "../../../domain/campaign/campaign-summary.ts"
import { isInFlight, isTotalDue, stateOf, takesTotal } from "../../../domain/campaign/line-state.ts"
import { latestMeasurable } from "../../../domain/delivery/current-total.ts"
import { RECENT_DAYS } from "../../../domain/delivery/total-series.ts"
import type { Organization } from "../../../domain/people/organization.ts"
import { daysBefore, type Moment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { nextTurn } from "../../../next-turn.ts"
import type { KeyActivity, ListedLine } from "../../../storage/port/store.ts"
import type { WebContext } from "../web-context.ts"

// With more lines, pages would wait until they are judged: the menu then says what it said less than a minute ago.
const COUNTED_EACH_TIME = 500
const REPEATED_FOR: Moment = 60_000_000

export type SilentFeed = Readonly<{ key: KeyActivity; rhythm: Rhythm; lines: number }>

export type Selling = Awaited<ReturnType<typeof sellingNow>>

/** What an organization sells now, and what of it needs somebody, the most pressing first. */
export async function sellingNow(context: WebContext, organization: Organization, now: Moment) {
  const judged = await judge(context, organization, now)
  const { running } = judged
  const worths = worthsOf(running.map(({ line }) => line))
  await nextTurn()
  // Lines that are equally urgent keep this order: the database promises none.
  const inOrder = mostPressingFirst(running.toSorted((a, b) => a.line.lineId - b.line.lineId))
  await nextTurn()
  const today = dayOf(now, organization.timeZone)
  return { ...judged, today, worths, running: inOrder, named: inOrder.filter(isNamed) }
}

type Counted = Readonly<{ at: Moment; needing: number }>
const countedBefore = new WeakMap<WebContext, Map<number, Counted>>()

/** How much needs somebody, for the menu of every page. */
export async function countNeeding(context: WebContext, organization: Organization, now: Moment): Promise<number> {
  const before = countedBefore.get(context)?.get(organization.id)
  if (before !== undefined && now >= before.at && now - before.at < REPEATED_FOR) return before.needing
  return (await judge(context, organization, now)).needing
}

/** Lines without totals are not named: their feed is, or all of them together. */
const isNamed = ({ state }: Judged<ListedLine>) => reasonOf(state) !== null && state !== "no_recent_figures"

async function judge(context: WebContext, organization: Organization, now: Moment) {
  const { recent, taking, due, silent } = await linesTakingTotals(context, organization, now)
  const silentFeeds = silent.map((feed) => ({ ...feed, lines: 0 }))
  const running: Judged<ListedLine>[] = []
  const ahead: Judged<ListedLine>[] = []
  const latest = latestMeasurable(now)
  for (const line of taking) {
    await nextTurn()
    if (!isInFlight(line, now)) continue
    const judged = { line, state: stateOf(line, now) }
    running.push(judged)
    if ((line.total?.asOf ?? now) > latest) ahead.push(judged)
    if (isTotalDue(line, now)) for (const feed of silentFeeds) feed.lines += isFedBy(line, feed.rhythm) ? 1 : 0
  }
  const needing = ahead.length + silentFeeds.length + running.filter(isNamed).length + (due.length > 0 ? 1 : 0)
  const counted = countedBefore.get(context) ?? new Map<number, Counted>()
  if (running.length > COUNTED_EACH_TIME) counted.set(organization.id, { at: now, needing })
  countedBefore.set(context, counted)
  return {
    recent,
    running,
    /** Those whose current total was measured in the future. */
    ahead: ahead as readonly Judged<ListedLine>[],
    silentFeeds: silentFeeds as readonly SilentFeed[],
    due: due.length,
    /** How many of them never had a total. */
    unreported: due.filter(({ total }) => total === null).length,
    needing,
  }
}

// Lines that ended longer ago are reported on their own page.
export const ENDED_DAYS = 7

/**
 * Every line that ran in the days whose value is shown; those that run, or have ended lately and may take a total; and those of them that have no total since yesterday. Not those whose
 * feed is silent, because the feed is named; nor those whose feed is on schedule, because their total is on its way.
 */
export async function linesTakingTotals({ store }: WebContext, { id, timeZone }: Organization, now: Moment) {
  const today = dayOf(now, timeZone)
  const quiet = (await store.feedActivity.quietKeys(id, silentOnlyBefore(now))).map((key) => watchKey(key, now))
  const silent = quiet.filter(({ isSilent }) => isSilent)
  // Read once for everything that Today shows: there may be thousands. Lines that ended in these days earned something on them, too.
  const recent = await store.campaigns.listedInFlight(id, { from: daysBefore(today, RECENT_DAYS - 1), to: today })
  const lately = daysBefore(today, ENDED_DAYS)
  const taking: ListedLine[] = []
  const late: ListedLine[] = []
  for (const line of recent) {
    await nextTurn()
    if (line.flightEnd !== null && line.flightEnd < lately) continue
    if (!isInFlight(line, now) && !takesTotal(line, now)) continue
    taking.push(line)
    if (isTotalDue(line, now) && !silent.some(({ rhythm }) => isFedBy(line, rhythm))) late.push(line)
  }
  const feeds = await store.deliveryHistory.feeds(late.map(({ lineId }) => lineId))
  const rhythms = new Map(quiet.map(({ key, rhythm }) => [key.id, rhythm]))
  const due = late.filter(({ lineId }) => {
    const feed = feeds.get(lineId)
    return feed === undefined || !isOnSchedule(feed.at, rhythms.get(feed.keyId), now)
  })
  return { recent, taking, due, silent }
}
