import type { Moment } from "../time/moment.ts"
import { countedBudget, type Demand, weekOf } from "./demand.ts"

// What the calls of get_products add up to, by the week.

export type DemandKind = "outcome" | "country" | "format" | "budget" | "caller" | "product"

/** Calls of one kind and value in a week, and how many of them matched nothing. */
export interface DemandCount {
  readonly week: string
  readonly kind: DemandKind
  readonly value: string
  readonly calls: number
  readonly unmatched: number
}

/** A brief of a week, with what was answered last. */
export interface AskedBrief {
  readonly week: string
  readonly brief: string
  readonly countries: readonly string[]
  readonly formats: readonly string[]
  readonly budget: number | null
  readonly currency: string | null
  readonly agentKeyId: string | null
  readonly asked: number
  readonly matched: number
  readonly firstProduct: string | null
  readonly lastAt: Moment
}

export interface BriefFilter {
  /** The Monday of the first week. */
  readonly fromWeek: string
  /** Those that matched nothing, or those that matched something. */
  readonly unmatched: boolean
}

/** A call of get_products as the log has it. */
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
  readonly #counts = new Map<string, Writable<DemandCount>>()
  readonly #briefs = new Map<string, AskedBrief>()
  readonly #read = new Map<string, Demand>()

  /** Adds a call. Calls come in the order of their time. */
  add({ at, agentKeyId, demand: text }: DemandCall): void {
    const week = weekOf(at)
    if (text === null) {
      this.#count(week, "outcome", "refused", false)
      return
    }
    const demand = this.#readDemand(text)
    const isUnmatched = demand.matched === 0
    for (const product of demand.products) this.#count(week, "product", product, isUnmatched)
    if (demand.isNextPage) return
    this.#count(week, "outcome", isUnmatched ? "nothing" : "matched", isUnmatched)
    this.#count(week, "caller", agentKeyId ?? "", isUnmatched)
    for (const country of demand.countries) this.#count(week, "country", country, isUnmatched)
    for (const format of demand.formats) this.#count(week, "format", format, isUnmatched)
    if (demand.budget !== null) this.#count(week, "budget", countedBudget(demand.budget), isUnmatched)
    if (demand.brief) this.#addBrief(week, demand.brief, demand, { at, agentKeyId })
  }

  counts(): readonly DemandCount[] {
    return [...this.#counts.values()]
  }

  /** The newest week first, and within a week the most asked first. */
  briefs({ fromWeek, unmatched }: BriefFilter): AskedBrief[] {
    return [...this.#briefs.values()]
      .filter(({ week, matched }) => week >= fromWeek && (matched === 0) === unmatched)
      .sort((a, b) => (a.week === b.week ? b.asked - a.asked || b.lastAt - a.lastAt : a.week < b.week ? 1 : -1))
  }

  #readDemand(text: string): Demand {
    const known = this.#read.get(text)
    if (known !== undefined) return known
    if (this.#read.size >= READ_MAX) this.#read.clear()
    const demand: Demand = JSON.parse(text)
    this.#read.set(text, demand)
    return demand
  }

  #count(week: string, kind: DemandKind, value: string, isUnmatched: boolean): void {
    const key = `${week} ${kind} ${value}`
    const count = this.#counts.get(key) ?? { week, kind, value, calls: 0, unmatched: 0 }
    count.calls += 1
    if (isUnmatched) count.unmatched += 1
    this.#counts.set(key, count)
  }

  #addBrief(week: string, brief: string, demand: Demand, call: Pick<DemandCall, "at" | "agentKeyId">): void {
    const { countries, formats, budget, matched, products } = demand
    const key = JSON.stringify([week, brief.toLowerCase(), countries, formats])
    this.#briefs.set(key, {
      week,
      brief,
      countries,
      formats,
      budget: budget?.amount ?? null,
      currency: budget?.currency ?? null,
      agentKeyId: call.agentKeyId,
      asked: (this.#briefs.get(key)?.asked ?? 0) + 1,
      matched,
      firstProduct: matched === 0 ? null : (products[0] ?? null),
      lastAt: call.at,
    })
  }
}
