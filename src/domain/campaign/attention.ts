import type { Rhythm } from "../activity/rhythm.ts"
import { MICROS_PER_DAY } from "../time/moment.ts"
import { bookedValue, type LineState, lineValue, type PricedLine, type ZonedLine } from "./line-state.ts"

// What a seller should look at today, and in which order. A line is named once, by its state.

// What can still be rescued comes first.
const NEEDING = ["behind", "no_recent_figures", "over_delivered", "ends_soon"] as const satisfies LineState[]
export type AttentionReason = (typeof NEEDING)[number]

export type WatchedLine = ZonedLine & PricedLine

export const reasonOf = (state: LineState): AttentionReason | null => NEEDING.find((reason) => reason === state) ?? null

export type Judged<Line extends WatchedLine> = Readonly<{ line: Line; state: LineState }>

/** The most pressing first: by reason, then by what is at stake, then by the end of the flight. The rest in the order it came. */
export function mostPressingFirst<Line extends WatchedLine>(lines: readonly Judged<Line>[]): Judged<Line>[] {
  const pressing = lines.map((judged) => ({ judged, ...pressingOf(judged) }))
  const sorted = pressing.sort(
    (a, b) => a.rank - b.rank || b.stake - a.stake || (a.end < b.end ? -1 : a.end > b.end ? 1 : 0),
  )
  return sorted.map(({ judged }) => judged)
}

// Sorts after every date.
const NEVER = "~"

function pressingOf({ line, state }: Judged<WatchedLine>) {
  const reason = reasonOf(state)
  if (reason === null) return { rank: NEEDING.length, stake: 0, end: "" }
  return { rank: NEEDING.indexOf(reason), stake: stakeOf(line, reason), end: line.flightEnd ?? NEVER }
}

/** What is missing is worth; for lines without a price nothing is known. Lines that end soon are ordered by their end. */
function stakeOf(line: WatchedLine, reason: AttentionReason): number {
  if (reason === "ends_soon") return 0
  return Math.max((bookedValue(line) ?? 0) - (lineValue(line) ?? 0), 0)
}

// A daily feed reports yesterday's total in the morning; a little more than a day, so that a late one counts too.
const REPORTED_WITHIN_DAYS = 1.5

/** Whether the last total of a line without recent figures came while this feed still reported: the feed is the cause. */
export function isFedBy(line: WatchedLine, { silentFor, lastAt }: Rhythm): boolean {
  if (silentFor === null || lastAt === null || line.total === null) return false
  const before = lastAt - line.total.asOf
  return before >= 0 && before <= REPORTED_WITHIN_DAYS * MICROS_PER_DAY
}
