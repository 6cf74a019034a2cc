import { memoize } from "../memoize.ts"
import type { CalendarDate, Moment } from "../time/moment.ts"
import type { Demand } from "./demand.ts"

// What the calls of get_products add up to.

const NOTHING = { matched: 0, nothing: 0, refused: 0 }

export type Ranked = Readonly<{ value: string; calls: number; unmatched: number }>

/** A brief with all calls that had it; who asked last, and how many products matched then. */
export interface AskedBrief extends Omit<Demand, "isNextPage" | "products"> {
  readonly brief: string
  readonly agentKeyId: string | null
  readonly calls: number
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

const ranks = () => new Map<string, Writable<Ranked>>()
type RankedBy = "callers" | "countries" | "formats" | "products"

export class DemandTally {
  readonly #dayOf: (at: Moment) => CalendarDate
  readonly #days = new Map<CalendarDate, typeof NOTHING>()
  readonly #ranks = { callers: ranks(), countries: ranks(), formats: ranks(), products: ranks() }
  readonly #briefs = new Map<string, AskedBrief>()
  readonly #read = memoize(READ_MAX, (text: string): Demand => JSON.parse(text))

  constructor(dayOf: (at: Moment) => CalendarDate) {
    this.#dayOf = dayOf
  }

  get isEmpty(): boolean {
    return this.#days.size === 0
  }

  /** Adds a call. Calls come in the order of their time. */
  add({ id, at, agentKeyId, demand: text }: DemandCall): void {
    const day = this.#days.getOrInsertComputed(this.#dayOf(at), () => ({ ...NOTHING }))
    if (text === null) {
      day.refused++
      return
    }
    const demand = this.#read(text)
    const isUnmatched = demand.matched === 0
    this.#count("products", demand.products, isUnmatched)
    if (demand.isNextPage) return
    day[isUnmatched ? "nothing" : "matched"]++
    this.#count("callers", [agentKeyId ?? ""], isUnmatched)
    this.#count("countries", demand.countries, isUnmatched)
    this.#count("formats", demand.formats, isUnmatched)
    if (!demand.brief) return
    const { brief, countries, formats, budget, matched } = demand
    const key = JSON.stringify([brief.toLowerCase(), countries, formats])
    const calls = (this.#briefs.get(key)?.calls ?? 0) + 1
    const last = { agentKeyId, calls, lastAt: at, lastId: id }
    this.#briefs.set(key, { brief, countries, formats, budget, matched, ...last })
  }

  #count(what: RankedBy, values: readonly string[], isUnmatched: boolean): void {
    for (const value of values) {
      const count = this.#ranks[what].getOrInsertComputed(value, () => ({ value, calls: 0, unmatched: 0 }))
      count.calls++
      if (isUnmatched) count.unmatched++
    }
  }

  /** Each of the days in order, also those on which nobody asked. */
  byDay(days: readonly CalendarDate[]) {
    return days.map((date) => ({ date, ...(this.#days.get(date) ?? NOTHING) }))
  }

  /** Of all days. */
  outcomes(): Readonly<typeof NOTHING> {
    const sum = (of: keyof typeof NOTHING) => this.#days.values().reduce((before, day) => before + day[of], 0)
    return { matched: sum("matched"), nothing: sum("nothing"), refused: sum("refused") }
  }

  /** The most frequent first. Callers without a key are "". */
  ranked(what: RankedBy): Ranked[] {
    return [...this.#ranks[what].values()].sort((a, b) => b.calls - a.calls || (a.value < b.value ? -1 : 1))
  }

  /** The briefs that matched nothing, the most asked first. */
  misses(): AskedBrief[] {
    return [...this.#briefs.values()]
      .filter(({ matched }) => matched === 0)
      .sort((a, b) => b.calls - a.calls || b.lastAt - a.lastAt)
  }
}
