import { type CalendarDate, dayBefore, type Moment } from "../time/moment.ts"
import { dayOf } from "../time/time-zone.ts"
import { isRunning, isTotalDue, type LineState, type PacedLine, stateOf } from "./line-state.ts"
import { bookedValue, deliveredValue, type PricedLine } from "./value.ts"

export interface WatchedLine extends PacedLine, PricedLine {
  readonly id: number
}

/** The API key that sent the current total of a line. */
export interface LineFeed {
  readonly keyId: number
  readonly label: string
  readonly receivedAt: Moment
}

// Lines that can still be rescued come first.
const PRESSING = ["behind", "over_delivered", "ends_soon"] as const satisfies LineState[]
type PressingState = (typeof PRESSING)[number]

/** A line that needs attention. */
export interface PressingLine<Line> {
  readonly line: Line
  readonly state: PressingState
}

/** The lines that need attention because of their state: the most urgent first, then those with the most money at stake. */
export function pressingLines<Line extends WatchedLine>(lines: readonly Line[], now: Moment): PressingLine<Line>[] {
  const pressing = lines.flatMap((line) => {
    const state = PRESSING.find((each) => each === stateOf(line, now))
    if (state === undefined || !isRunning(line, dayOf(now, line.timeZone))) return []
    return [{ line, state, rank: PRESSING.indexOf(state), stake: stakeOf(line, state) }]
  })
  const inOrder = pressing.toSorted(
    (a, b) =>
      a.rank - b.rank || b.stake - a.stake || endOf(a.line).localeCompare(endOf(b.line)) || a.line.id - b.line.id,
  )
  return inOrder.map(({ line, state }) => ({ line, state }))
}

/** The value of the missing quantity. Lines that end soon are sorted by their end. */
function stakeOf(line: WatchedLine, state: PressingState): number {
  if (state === "ends_soon") return 0
  return Math.max((bookedValue(line) ?? 0) - (deliveredValue(line) ?? 0), 0)
}

// Sorts after every date.
const NEVER = "~"
const endOf = ({ flightEnd }: WatchedLine): string => flightEnd ?? NEVER

/** A line that ended longer ago is reported on its own page. */
export const ENDED_DAYS_MAX = 7

/** Whether people may want to type a total: the line runs, or it ended lately and its last day isn't reported. */
export function takesTotal(line: WatchedLine, now: Moment): boolean {
  if (line.pricingBasis === "flat_rate" && line.total !== null) return false
  const today = dayOf(now, line.timeZone)
  if (isRunning(line, today)) return true
  return endedLately(line, today) && isTotalDue(line, now)
}

const endedLately = ({ flightEnd }: WatchedLine, today: CalendarDate): boolean =>
  flightEnd !== null && flightEnd < today && flightEnd >= dayBefore(today, ENDED_DAYS_MAX)

/**
 * The lines whose total of yesterday is missing and should be typed. If an API key reports a line, its total is on its way: such a line is
 * due only after two days, and not while the key is silent, because then the key is what needs attention.
 */
export function dueLines<Line extends WatchedLine>(
  lines: readonly Line[],
  feeds: ReadonlyMap<number, LineFeed>,
  silentKeyIds: ReadonlySet<number>,
  now: Moment,
): Line[] {
  return lines.filter((line) => {
    if (!takesTotal(line, now) || !isTotalDue(line, now)) return false
    const feed = feeds.get(line.id)
    if (feed === undefined) return true
    return stateOf(line, now) === "no_recent_totals" && !silentKeyIds.has(feed.keyId)
  })
}
