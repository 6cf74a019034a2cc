import { memoize } from "../memoize.ts"
import type { CalendarDate, Moment } from "../time/moment.ts"
import type { Demand } from "./demand.ts"

// What the calls of get_products add up to.

type DemandKind = "outcome" | "country" | "format" | "caller" | "product"

interface DemandCount extends Ranked {
  readonly date: CalendarDate
  readonly kind: DemandKind
}

/** A brief with all calls that had it; who asked last, and what was answered then. */
export interface AskedBrief extends Omit<Demand, "isNextPage" | "products"> {
  readonly brief: string
  readonly agentKeyId: string | null
  readonly calls: number
  readonly firstProduct: string | null
  readonly lastAt: Moment
  readonly lastId: number
}

export interface DemandCall {
  readonly id: number
  readonly at: Moment
  readonly agentKeyId: string | null
  /** A `Demand` as JSON text; null when the call was refused with an error. */
  readonly demand: string | null
}

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] }

// The same question is asked again and again, so it is not read each time.
const READ_MAX = 1_000

export class DemandTally {
  readonly #dayOf: (at: Moment) => CalendarDate
  readonly #counts = new Map<string, Writable<DemandCount>>()
  readonly #briefs = new Map<string, AskedBrief>()
  readonly #read = memoize(READ_MAX, (text: string): Demand => JSON.parse(text))

  constructor(dayOf: (at: Moment) => CalendarDate) {
    this.#dayOf = dayOf
  }

  /** Adds a call. Calls come in the order of their time. */
  add({ id, at, agentKeyId, demand: text }: DemandCall): void {
    const date = this.#dayOf(at)
    if (text === null) {
      this.#count(date, "outcome", "refused", false)
      return
    }
    const demand = this.#read(text)
    const isUnmatched = demand.matched === 0
    for (const product of demand.products) this.#count(date, "product", product, isUnmatched)
    if (demand.isNextPage) return
    this.#count(date, "outcome", isUnmatched ? "nothing" : "matched", isUnmatched)
    this.#count(date, "caller", agentKeyId ?? "", isUnmatched)
    for (const country of demand.countries) this.#count(date, "country", country, isUnmatched)
    for (const format of demand.formats) this.#count(date, "format", format, isUnmatched)
    if (!demand.brief) return
    const { brief, countries, formats, budget, matched, products } = demand
    const key = JSON.stringify([brief.toLowerCase(), countries, formats])
    const calls = (this.#briefs.get(key)?.calls ?? 0) + 1
    const firstProduct = isUnmatched ? null : (products[0] ?? null)
    const last = { agentKeyId, calls, firstProduct, lastAt: at, lastId: id }
    this.#briefs.set(key, { brief, countries, formats, budget, matched, ...last })
  }

  counts(): readonly DemandCount[] {
    return [...this.#counts.values()]
  }

  /** Those that matched nothing, or those that matched something: the most asked first. */
  briefs({ unmatched }: { readonly unmatched: boolean }): AskedBrief[] {
    return [...this.#briefs.values()]
      .filter(({ matched }) => (matched === 0) === unmatched)
      .sort((a, b) => b.calls - a.calls || b.lastAt - a.lastAt)
  }

  #count(date: CalendarDate, kind: DemandKind, value: string, isUnmatched: boolean): void {
    const key = `${date} ${kind} ${value}`
    const count = this.#counts.get(key) ?? { date, kind, value, calls: 0, unmatched: 0 }
    count.calls += 1
    if (isUnmatched) count.unmatched += 1
    this.#counts.set(key, count)
  }
}

export type Ranked = Readonly<{ value: string; calls: number; unmatched: number }>

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

const ranked = (counts: readonly DemandCount[], kind: DemandKind): Ranked[] =>
  [...Map.groupBy(ofKind(counts, kind), ({ value }) => value)]
    .map(([value, entries]) => ({
      value,
      calls: entries.reduce((sum, { calls }) => sum + calls, 0),
      unmatched: entries.reduce((sum, { unmatched }) => sum + unmatched, 0),
    }))
    .sort((a, b) => b.calls - a.calls || (a.value < b.value ? -1 : 1))
