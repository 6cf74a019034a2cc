import { memoize } from "../memoize.ts"
import type { Moment } from "../time/moment.ts"
import { countedBudget, type Demand, weekOf } from "./demand.ts"

// What the calls of get_products add up to, by the week or another period.

export type DemandKind = "outcome" | "country" | "format" | "budget" | "caller" | "product"

export interface DemandCount {
  readonly period: string
  readonly kind: DemandKind
  readonly value: string
  readonly calls: number
  readonly unmatched: number
}

export interface AskedBrief {
  readonly period: string
  readonly brief: string
  readonly countries: readonly string[]
  readonly formats: readonly string[]
  readonly budget: number | null
  readonly currency: string | null
  readonly agentKeyId: string | null
  readonly calls: number
  readonly matched: number
  readonly firstProduct: string | null
  readonly lastAt: Moment
  readonly lastId: number
}

export interface BriefFilter {
  readonly from: string
  /** Those that matched nothing, or those that matched something. */
  readonly unmatched: boolean
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

type PeriodOf = (at: Moment) => string

export class DemandTally {
  readonly #countedBy: PeriodOf
  readonly #briefsBy: PeriodOf
  readonly #counts = new Map<string, Writable<DemandCount>>()
  readonly #briefs = new Map<string, AskedBrief>()
  readonly #read = memoize(READ_MAX, (text: string): Demand => JSON.parse(text))

  /** By which period calls are counted, and briefs listed. */
  constructor(countedBy: PeriodOf = weekOf, briefsBy: PeriodOf = countedBy) {
    this.#countedBy = countedBy
    this.#briefsBy = briefsBy
  }

  /** Adds a call. Calls come in the order of their time. */
  add({ id, at, agentKeyId, demand: text }: DemandCall): void {
    const period = this.#countedBy(at)
    if (text === null) {
      this.#count(period, "outcome", "refused", false)
      return
    }
    const demand = this.#read(text)
    const isUnmatched = demand.matched === 0
    for (const product of demand.products) this.#count(period, "product", product, isUnmatched)
    if (demand.isNextPage) return
    this.#count(period, "outcome", isUnmatched ? "nothing" : "matched", isUnmatched)
    this.#count(period, "caller", agentKeyId ?? "", isUnmatched)
    for (const country of demand.countries) this.#count(period, "country", country, isUnmatched)
    for (const format of demand.formats) this.#count(period, "format", format, isUnmatched)
    if (demand.budget !== null) this.#count(period, "budget", countedBudget(demand.budget), isUnmatched)
    if (demand.brief) this.#addBrief(demand.brief, demand, { id, at, agentKeyId })
  }

  counts(): readonly DemandCount[] {
    return [...this.#counts.values()]
  }

  /** The newest period first, and within it the most asked first. */
  briefs({ from, unmatched }: BriefFilter): AskedBrief[] {
    return [...this.#briefs.values()]
      .filter(({ period, matched }) => period >= from && (matched === 0) === unmatched)
      .sort((a, b) => (a.period === b.period ? b.calls - a.calls || b.lastAt - a.lastAt : a.period < b.period ? 1 : -1))
  }

  #count(period: string, kind: DemandKind, value: string, isUnmatched: boolean): void {
    const key = `${period} ${kind} ${value}`
    const count = this.#counts.get(key) ?? { period, kind, value, calls: 0, unmatched: 0 }
    count.calls += 1
    if (isUnmatched) count.unmatched += 1
    this.#counts.set(key, count)
  }

  #addBrief(brief: string, demand: Demand, call: Pick<DemandCall, "id" | "at" | "agentKeyId">): void {
    const { countries, formats, budget, matched, products } = demand
    const period = this.#briefsBy(call.at)
    const key = JSON.stringify([period, brief.toLowerCase(), countries, formats])
    this.#briefs.set(key, {
      period,
      brief,
      countries,
      formats,
      budget: budget?.amount ?? null,
      currency: budget?.currency ?? null,
      agentKeyId: call.agentKeyId,
      calls: (this.#briefs.get(key)?.calls ?? 0) + 1,
      matched,
      firstProduct: matched === 0 ? null : (products[0] ?? null),
      lastAt: call.at,
      lastId: call.id,
    })
  }
}
