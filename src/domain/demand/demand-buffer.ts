import type { Moment } from "../time/moment.ts"
import { countedBudget, type Demand, digestOfDemand, weekNumber, weekOf } from "./demand.ts"

export type DemandKind = "outcome" | "country" | "format" | "budget" | "caller" | "product"

/** Calls of one kind and value in a week, and how many of them matched nothing. */
export interface DemandCount {
  readonly week: string
  readonly kind: DemandKind
  readonly value: string
  readonly calls: number
  readonly unmatched: number
}

/** A brief of a week. */
export interface AskedBrief {
  readonly week: string
  readonly digest: string
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

/** A call of get_products that was answered. */
export interface DemandCall {
  readonly at: Moment
  readonly agentKeyId: string | null
  /** Null when the call was refused with an error. */
  readonly demand: Demand | null
}

export interface DemandBatch {
  readonly counts: readonly DemandCount[]
  readonly briefs: readonly AskedBrief[]
}

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] }

// Different questions are added up when there are this many, a small part of a flush at a time.
const QUESTIONS_MAX = 50
// Anybody can ask anything. Beyond these numbers in one week new briefs and new values are not kept, only counted.
export interface DemandLimits {
  readonly briefs: number
  readonly values: number
}

export const DEMAND_PER_WEEK: DemandLimits = { briefs: 2_000, values: 5_000 }
const ANONYMOUS_BRIEFS_PER_WEEK_MAX = 500
export const OTHER_VALUE = "other"

/** Counts by week, kind and value, without a text put together for each lookup. */
class Counts {
  readonly #weeks = new Map<string, Map<DemandKind, Map<string, Writable<DemandCount>>>>()

  find(week: string, kind: DemandKind, value: string): Writable<DemandCount> | undefined {
    return this.#weeks.get(week)?.get(kind)?.get(value)
  }

  add(count: DemandCount): void {
    const kinds = this.#weeks.get(count.week) ?? new Map<DemandKind, Map<string, Writable<DemandCount>>>()
    const values = kinds.get(count.kind) ?? new Map<string, Writable<DemandCount>>()
    this.#weeks.set(count.week, kinds.set(count.kind, values.set(count.value, count)))
  }

  isEmpty(): boolean {
    return this.#weeks.size === 0
  }

  all(): DemandCount[] {
    return [...this.#weeks.values()].flatMap((kinds) => [...kinds.values()].flatMap((values) => [...values.values()]))
  }
}

interface ShownList {
  readonly week: string
  readonly products: readonly string[]
  calls: number
  unmatched: number
}

/** The lists of products that were shown, with their calls. Questions that have a cached answer in common share one. */
function shownLists(questions: readonly Question[]): ShownList[] {
  const lists = new Map<readonly string[], ShownList>()
  const others: ShownList[] = []
  for (const { demand, calls, lastAt } of questions) {
    const { products, matched } = demand
    const shown = { week: weekOf(lastAt), products, calls, unmatched: matched === 0 ? calls : 0 }
    const known = lists.get(products)
    if (known === undefined) lists.set(products, shown)
    else if (known.week !== shown.week) others.push(shown)
    else {
      known.calls += shown.calls
      known.unmatched += shown.unmatched
    }
  }
  return [...lists.values(), ...others]
}

interface Question {
  readonly demand: Demand
  readonly agentKeyId: string | null
  calls: number
  lastAt: Moment
}

/**
 * Collects what was asked until it is written every few seconds. Noting costs the agent one lookup: the same question has the same
 * `Demand`, and only the number of its calls is counted until it is added up.
 */
export class DemandBuffer {
  #questions = new Map<Demand, Question>()
  #counts = new Counts()
  #briefs = new Map<string, Writable<AskedBrief>>()
  #week = ""
  #knownBriefs = new Set<string>()
  #anonymousBriefs = 0
  #knownValues = new Set<string>()
  #isCollected = false
  #underWay: DemandBatch | null = null

  note({ at, agentKeyId, demand }: DemandCall): void {
    if (demand === null) {
      this.#add(weekOf(at), "outcome", "refused", 1, 0)
      return
    }
    const known = this.#questions.get(demand)
    if (known !== undefined && weekNumber(known.lastAt) === weekNumber(at)) {
      known.calls += 1
      known.lastAt = at
      return
    }
    if (known !== undefined || this.#questions.size >= QUESTIONS_MAX) this.#addUp()
    this.#questions.set(demand, { demand, agentKeyId, calls: 1, lastAt: at })
  }

  waiting(): boolean {
    return this.#isCollected || this.#underWay !== null
  }

  /** From now on what was noted until now is waiting. */
  collect(): void {
    this.#addUp()
    this.#isCollected ||= !this.#counts.isEmpty()
  }

  /** What to write; called again when it was undone. */
  take(): DemandBatch {
    if (this.#underWay !== null) {
      for (const { week, kind, value, calls, unmatched } of this.#underWay.counts) {
        this.#add(week, kind, value, calls, unmatched)
      }
      for (const brief of this.#underWay.briefs) this.#addBrief(brief)
    }
    const batch = { counts: this.#counts.all(), briefs: [...this.#briefs.values()] }
    this.#counts = new Counts()
    this.#briefs = new Map()
    this.#isCollected = false
    this.#underWay = batch
    return batch
  }

  written(): void {
    this.#underWay = null
  }

  #addUp(): void {
    const questions = [...this.#questions.values()]
    for (const { week, products, calls, unmatched } of shownLists(questions)) {
      for (const product of products) this.#add(week, "product", product, calls, unmatched)
    }
    for (const question of questions) if (!question.demand.isNextPage) this.#addQuestion(question)
    this.#questions = new Map()
  }

  #addQuestion({ demand, agentKeyId, calls, lastAt }: Question): void {
    const week = weekOf(lastAt)
    const unmatched = demand.matched === 0 ? calls : 0
    this.#add(week, "outcome", demand.matched === 0 ? "nothing" : "matched", calls, unmatched)
    this.#add(week, "caller", agentKeyId ?? "", calls, unmatched)
    for (const country of demand.countries) this.#add(week, "country", country, calls, unmatched)
    for (const format of demand.formats) this.#add(week, "format", format, calls, unmatched)
    if (demand.budget !== null) this.#add(week, "budget", countedBudget(demand.budget), calls, unmatched)
    if (demand.brief === null || demand.brief === "") return
    this.#addBrief({
      week,
      digest: digestOfDemand(demand),
      brief: demand.brief,
      countries: demand.countries,
      formats: demand.formats,
      budget: demand.budget?.amount ?? null,
      currency: demand.budget?.currency ?? null,
      agentKeyId,
      asked: calls,
      matched: demand.matched,
      firstProduct: demand.matched === 0 ? null : (demand.products[0] ?? null),
      lastAt,
    })
  }

  #add(week: string, kind: DemandKind, wanted: string, calls: number, unmatched: number): void {
    const known = this.#counts.find(week, kind, wanted)
    if (known !== undefined) {
      known.calls += calls
      known.unmatched += unmatched
      return
    }
    this.#beginWeek(week)
    const key = `${kind} ${wanted}`
    if (this.#knownValues.size >= DEMAND_PER_WEEK.values && !this.#knownValues.has(key) && wanted !== OTHER_VALUE) {
      this.#add(week, kind, OTHER_VALUE, calls, unmatched)
      return
    }
    this.#knownValues.add(key)
    this.#counts.add({ week, kind, value: wanted, calls, unmatched })
  }

  #addBrief(brief: AskedBrief): void {
    this.#beginWeek(brief.week)
    const key = `${brief.week} ${brief.digest}`
    if (!this.#knownBriefs.has(key) && !this.#hasRoomFor(brief)) return
    this.#knownBriefs.add(key)
    const known = this.#briefs.get(key)
    if (known === undefined) {
      this.#briefs.set(key, { ...brief })
      return
    }
    const asked = known.asked + brief.asked
    if (known.lastAt <= brief.lastAt) Object.assign(known, brief)
    known.asked = asked
  }

  #hasRoomFor({ agentKeyId }: AskedBrief): boolean {
    if (this.#knownBriefs.size >= DEMAND_PER_WEEK.briefs) return false
    if (agentKeyId !== null) return true
    this.#anonymousBriefs += 1
    return this.#anonymousBriefs <= ANONYMOUS_BRIEFS_PER_WEEK_MAX
  }

  #beginWeek(week: string): void {
    if (week <= this.#week) return
    this.#week = week
    this.#knownBriefs = new Set()
    this.#anonymousBriefs = 0
    this.#knownValues = new Set()
  }
}
