import { type Rhythm, silentKeys } from "../../../domain/activity/rhythm.ts"
import { attentionOf, isFedBy, isInFlight, type Judged, mostPressingFirst } from "../../../domain/campaign/attention.ts"
import type { Organization } from "../../../domain/people/organization.ts"
import type { CalendarDate, Moment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { FlyingLine, KeyActivity } from "../../../storage/port/store.ts"
import { inParts } from "../paging.ts"
import type { WebContext } from "../web-context.ts"
import { yieldToEventLoop } from "../yield-to-event-loop.ts"

const LINES_AT_ONCE = 500

export interface SilentFeed {
  readonly key: KeyActivity
  readonly rhythm: Rhythm
  /** Running lines whose figures it used to bring. */
  readonly lines: number
}

/** What an organization sells now, and what of it needs somebody. */
export interface Selling {
  readonly today: CalendarDate
  /** The lines in flight today, the most pressing first. */
  readonly running: readonly Judged<FlyingLine>[]
  readonly silentFeeds: readonly SilentFeed[]
  /** Lines without recent figures that no silent feed explains count, those that one explains do not. */
  readonly needing: number
}

/** Lines in flight on one of these days, in parts, so that others are answered between them. */
export async function* linesInFlight(
  { store }: WebContext,
  { id }: Organization,
  from: CalendarDate,
  to: CalendarDate,
): AsyncGenerator<FlyingLine[]> {
  const limit = LINES_AT_ONCE
  yield* inParts<FlyingLine>(limit, async (after) => {
    if (after !== null) await yieldToEventLoop()
    return store.campaigns.inFlight(id, { from, to, after, limit })
  })
}

export async function sellingNow(context: WebContext, organization: Organization, now: Moment): Promise<Selling> {
  const today = dayOf(now, organization.timeZone)
  const lines: FlyingLine[] = []
  for await (const part of linesInFlight(context, organization, today, today)) lines.push(...part)
  return judged(lines, await silentFeedsOf(context, organization, now), now, today)
}

/** How much needs somebody, for the menu of every page. Null where that would take too long to find out. */
export async function countNeeding(
  context: WebContext,
  organization: Organization,
  now: Moment,
): Promise<number | null> {
  const today = dayOf(now, organization.timeZone)
  const range = { from: today, to: today, after: null, limit: LINES_AT_ONCE }
  const lines = await context.store.campaigns.inFlight(organization.id, range)
  if (lines.length === LINES_AT_ONCE) return null
  return judged(lines, await silentFeedsOf(context, organization, now), now, today).needing
}

function judged(
  lines: readonly FlyingLine[],
  silent: readonly Omit<SilentFeed, "lines">[],
  now: Moment,
  today: CalendarDate,
): Selling {
  const running = mostPressingFirst(
    lines.filter((line) => isInFlight(line, now)).map((line) => ({ line, reason: attentionOf(line, now) })),
  )
  const withoutFigures = running.filter(({ reason }) => reason === "silent").map(({ line }) => line)
  const silentFeeds = silent.map((feed) => ({
    ...feed,
    lines: withoutFigures.filter((line) => isFedBy(line, feed.rhythm)).length,
  }))
  const selling = { today, running, silentFeeds }
  return { ...selling, needing: silentFeeds.length + needingLines(selling).length }
}

/** The lines to name. Those whose feed is silent are not: the feed is. */
export function needingLines({ running, silentFeeds }: Omit<Selling, "needing">): Judged<FlyingLine>[] {
  return running.filter(
    ({ line, reason }) =>
      reason !== null && !(reason === "silent" && silentFeeds.some(({ rhythm }) => isFedBy(line, rhythm))),
  )
}

async function silentFeedsOf({ store }: WebContext, { id }: Organization, now: Moment) {
  return silentKeys(await store.feedActivity.keys(id), now)
}
