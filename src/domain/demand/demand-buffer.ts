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
  #counts = new Map<string, Writable<DemandCount>>()
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
    this.#isCollected ||= this.#counts.size > 0
  }

  /** What to write; called again when it was undone. */
  take(): DemandBatch {
    if (this.#underWay !== null) {
      for (const { week, kind, value, calls, unmatched } of this.#underWay.counts) {
        this.#add(week, kind, value, calls, unmatched)
      }
      for (const brief of this.#underWay.briefs) this.#addBrief(brief)
    }
    const batch = { counts: [...this.#counts.values()], briefs: [...this.#briefs.values()] }
    this.#counts = new Map()
    this.#briefs = new Map()
    this.#isCollected = false
    this.#underWay = batch
    return batch
  }

  written(): void {
    this.#underWay = null
  }

  #addUp(): void {
    for (const question of this.#questions.values()) this.#addQuestion(question)
    this.#questions = new Map()
  }

  #addQuestion({ demand, agentKeyId, calls, lastAt }: Question): void {
    const week = weekOf(lastAt)
    const unmatched = demand.matched === 0 ? calls : 0
    for (const product of demand.products) this.#add(week, "product", product, calls, unmatched)
    if (demand.isNextPage) return
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
    const key = `${week} ${kind} ${wanted}`
    const known = this.#counts.get(key)
    if (known !== undefined) {
      known.calls += calls
      known.unmatched += unmatched
      return
    }
    this.#beginWeek(week)
    if (this.#knownValues.size >= DEMAND_PER_WEEK.values && !this.#knownValues.has(key) && wanted !== OTHER_VALUE) {
      this.#add(week, kind, OTHER_VALUE, calls, unmatched)
      return
    }
    this.#knownValues.add(key)
    this.#counts.set(key, { week, kind, value: wanted, calls, unmatched })
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
