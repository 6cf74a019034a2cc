import type { CalendarDate } from "../time/moment.ts"
import type { DemandCount, DemandKind } from "./demand-tally.ts"

export interface Ranked {
  readonly value: string
  readonly calls: number
  /** How many of these calls matched nothing. */
  readonly unmatched: number
}

export type DemandSummary = ReturnType<typeof summarizeDemand>

/** Each of the days in order, also those on which nobody asked. */
export function demandByDay(counts: readonly DemandCount[], days: readonly CalendarDate[]) {
  const byDay = Map.groupBy(ofKind(counts, "outcome"), ({ date }) => date)
  return days.map((date) => ({ date, ...outcomes(byDay.get(date) ?? []) }))
}

export function summarizeDemand(counts: readonly DemandCount[]) {
  const callers = ranked(counts, "caller")
  return {
    ...outcomes(ofKind(counts, "outcome")),
    callers,
    keys: callers.filter(({ value }) => value !== "").length,
    withoutKey: callers.find(({ value }) => value === "")?.calls ?? 0,
    countries: ranked(counts, "country"),
    formats: ranked(counts, "format"),
    products: ranked(counts, "product"),
  }
}

const ofKind = (counts: readonly DemandCount[], kind: DemandKind) => counts.filter((count) => count.kind === kind)

function outcomes(counts: readonly DemandCount[]) {
  const callsOf = (outcome: string) =>
    counts.reduce((sum, { value, calls }) => sum + (value === outcome ? calls : 0), 0)
  return { matched: callsOf("matched"), nothing: callsOf("nothing"), refused: callsOf("refused") }
}

function ranked(counts: readonly DemandCount[], kind: DemandKind): Ranked[] {
  return [...Map.groupBy(ofKind(counts, kind), ({ value }) => value)]
    .map(([value, entries]) => ({
      value,
      calls: entries.reduce((sum, { calls }) => sum + calls, 0),
      unmatched: entries.reduce((sum, { unmatched }) => sum + unmatched, 0),
    }))
    .sort((a, b) => b.calls - a.calls || (a.value < b.value ? -1 : 1))
}
