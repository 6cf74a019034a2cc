import { type Rhythm, silentKeys, silentOnlyBefore } from "../../../domain/activity/rhythm.ts"
import { CurrencySums, isFedBy, type Judged, PressingLines, reasonOf } from "../../../domain/campaign/attention.ts"
import type { Worth } from "../../../domain/campaign/campaign-summary.ts"
import { isInFlight, isTotalDue, stateOf } from "../../../domain/campaign/line-state.ts"
import { nextTurn } from "../../../domain/event-loop.ts"
import type { Organization } from "../../../domain/people/organization.ts"
import type { CalendarDate, Moment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { FlyingLine, KeyActivity, ListedLine } from "../../../storage/port/store.ts"
import type { WebContext } from "../web-context.ts"

// With more of them, every page would wait until they are counted.
const COUNTED_MAX = 500

export interface SilentFeed {
  readonly key: KeyActivity
  readonly rhythm: Rhythm
  /** Running lines whose figures it used to bring. */
  readonly lines: number
}

/** What an organization sells now, and what of it needs somebody. */
export interface Selling {
  readonly today: CalendarDate
  /** How many lines are in flight today, and what they are worth together. */
  readonly running: number
  readonly worths: readonly Worth[]
  /** The lines of the page, of all that are in flight, the most pressing first. */
  readonly shown: readonly Judged<FlyingLine>[]
  readonly silentFeeds: readonly SilentFeed[]
  /** The first lines that need somebody. Lines without totals are not named: their feed is, or all of them together. */
  readonly named: readonly Judged<FlyingLine>[]
  /** How many lines have no total since yesterday. Those whose feed is silent are not counted: the feed is. */
  readonly due: number
  /** How many things need somebody in all. */
  readonly needing: number
}

/** Which of the lines are wanted with everything that a page shows. */
interface Wanted {
  readonly offset: number
  readonly limit: number
  /** How many lines that need somebody are named. */
  readonly named: number
}

export async function sellingNow(
  context: WebContext,
  organization: Organization,
  now: Moment,
  wanted: Wanted,
): Promise<Selling> {
  const today = dayOf(now, organization.timeZone)
  const review = new Review(await silentFeedsOf(context, organization, now), now, wanted)
  const lines = await context.store.campaigns.listedInFlight(organization.id, { from: today, to: today })
  // With many lines, reading and judging take about the same time each: others are served in between.
  await nextTurn()
  // Lines that are equally urgent keep this order: the database promises none.
  for (const line of lines.toSorted((one, other) => one.lineId - other.lineId)) review.add(line)
  const { running, worths, needing, silentFeeds, due } = review
  const shown = review.first.inOrder().slice(wanted.offset)
  const named = review.named.inOrder()
  const whole = await wholeLines(context, organization, [...shown, ...named])
  return {
    today,
    running,
    worths: worths.worths(),
    shown: whole(shown),
    silentFeeds,
    named: whole(named),
    due,
    needing,
  }
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
  const review = new Review(await silentFeedsOf(context, organization, now), now, { offset: 0, limit: 0, named: 0 })
  for (const line of lines) review.add(line)
  return review.needing
}

/** Judges lines one after the other, and keeps only those that are wanted. */
class Review {
  readonly worths = new CurrencySums()
  readonly first: PressingLines<ListedLine>
  readonly named: PressingLines<ListedLine>
  running = 0
  readonly #now: Moment
  readonly #feeds: (SilentFeed & { lines: number })[]
  /** Lines whose total nobody has reported since yesterday. */
  due = 0
  #named = 0

  constructor(silent: readonly Omit<SilentFeed, "lines">[], now: Moment, { offset, limit, named }: Wanted) {
    this.#now = now
    this.#feeds = silent.map((feed) => ({ ...feed, lines: 0 }))
    this.first = new PressingLines(offset + limit)
    this.named = new PressingLines(named)
  }

  add(line: ListedLine): void {
    if (!isInFlight(line, this.#now)) return
    const judged = { line, state: stateOf(line, this.#now) }
    this.running += 1
    this.worths.add(line)
    this.first.add(judged)
    const isSilent = judged.state === "no_recent_figures"
    if ((isSilent || isTotalDue(line, this.#now)) && !this.#isFed(line)) this.due += 1
    if (reasonOf(judged.state) === null || isSilent) return
    this.#named += 1
    this.named.add(judged)
  }

  /** Whether a silent feed explains why the line has no figures. */
  #isFed(line: ListedLine): boolean {
    const causes = this.#feeds.filter(({ rhythm }) => isFedBy(line, rhythm))
    for (const feed of causes) feed.lines += 1
    return causes.length > 0
  }

  get silentFeeds(): readonly SilentFeed[] {
    return this.#feeds
  }

  get needing(): number {
    return this.#feeds.length + this.#named + (this.due > 0 ? 1 : 0)
  }
}

/** Everything that a page shows of these lines. */
async function wholeLines({ store }: WebContext, { id }: Organization, judged: readonly Judged<ListedLine>[]) {
  const ids = new Set(judged.map(({ line }) => line.lineId))
  const found = await store.campaigns.flyingLines(id, [...ids])
  const byId = new Map(found.map((line) => [line.lineId, line]))
  return (some: readonly Judged<ListedLine>[]): Judged<FlyingLine>[] =>
    some.flatMap(({ line, state }) => {
      const whole = byId.get(line.lineId)
      return whole === undefined ? [] : [{ line: whole, state }]
    })
}

async function silentFeedsOf({ store }: WebContext, { id }: Organization, now: Moment) {
  return silentKeys(await store.feedActivity.quietKeys(id, silentOnlyBefore(now)), now)
}
