import type { DemandCount, DemandKind } from "./demand-tally.ts"

export interface Ranked {
  readonly value: string
  readonly calls: number
  /** How many of these calls matched nothing. */
  readonly unmatched: number
}

export type DemandSummary = ReturnType<typeof summarizeDemand>

/** Each of the periods in order, also those in which nobody asked. */
export function demandByPeriod(counts: readonly DemandCount[], periods: readonly string[]) {
  const byPeriod = Map.groupBy(ofKind(counts, "outcome"), ({ period }) => period)
  return periods.map((period) => ({ period, ...outcomes(byPeriod.get(period) ?? []) }))
}

export function summarizeDemand(counts: readonly DemandCount[]) {
  const callers = ranked(counts, "caller")
  return {
    ...outcomes(ofKind(counts, "outcome")),
    keys: callers.filter(({ value }) => value !== "").length,
    withoutKey: callers.find(({ value }) => value === "")?.calls ?? 0,
    medianBudget: medianBudget(ranked(counts, "budget")),
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

/** Of the budgets in the most frequent currency, to two digits. */
function medianBudget(budgets: readonly Ranked[]) {
  const parsed = budgets.flatMap(({ value, calls }) => {
    const [currency = "", amount = ""] = value.split(" ")
    return amount === "" ? [] : [{ currency, amount: Number(amount), calls }]
  })
  const sumOf = (counts: readonly { readonly calls: number }[]) => counts.reduce((sum, { calls }) => sum + calls, 0)
  const [usual] = [...Map.groupBy(parsed, ({ currency }) => currency)].sort(([, a], [, b]) => sumOf(b) - sumOf(a))
  if (usual === undefined) return null
  const [currency, counts] = usual
  const calls = sumOf(counts)
  let before = 0
  for (const { amount, calls: here } of counts.toSorted((a, b) => a.amount - b.amount)) {
    before += here
    if (before * 2 >= calls) return { amount, currency: currency === "-" ? null : currency, calls }
  }
  return null
}
