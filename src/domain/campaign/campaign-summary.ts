import type { CalendarDate, Moment } from "../time/moment.ts"
import {
  bookedValue,
  campaignPhase,
  campaignState,
  expectedAt,
  type LineState,
  lineValue,
  type Phase,
  type PricedLine,
  type StatedLine,
  stateOf,
} from "./line-state.ts"

export type SummedLine = StatedLine & PricedLine & { readonly currency: string | null }

/** An amount in one currency, delivered and booked. */
export interface Worth {
  readonly currency: string | null
  readonly delivered: number
  /** Null where a line has no booked quantity. */
  readonly booked: number | null
}

/** A campaign in one row. */
export interface CampaignSummary {
  readonly state: LineState | "empty"
  readonly phase: Phase
  readonly lines: number
  /** From the first start to the last end; null without lines, or where a line has no end. */
  readonly from: CalendarDate | null
  readonly to: CalendarDate | null
  /** Null where lines have no price, or prices in several currencies, which nobody can add up. */
  readonly worth: Worth | null
  /** Delivered and planned, as shares of what is booked; null where that is not known. */
  readonly delivered: number | null
  readonly planned: number | null
  /** When the newest total was measured. */
  readonly measuredAt: Moment | null
}

export function summaryOf(lines: readonly SummedLine[], now: Moment): CampaignSummary {
  const summing = new CampaignSums(now)
  for (const line of lines) summing.add(line)
  return summing.summary()
}

/** What all lines are worth together. */
export function worthOf(lines: readonly (PricedLine & { readonly currency: string | null })[]): Worth | null {
  const sums = new WorthSums()
  for (const line of lines) sums.add(line, lineValue(line), bookedValue(line))
  return sums.worth()
}

class WorthSums {
  #currency: string | null | undefined
  /** Whether every line so far has a price, all in one currency. */
  #isPriced = true
  #delivered = 0
  #booked: number | null = 0

  add({ currency }: { readonly currency: string | null }, delivered: number | null, booked: number | null): void {
    if (this.#currency === undefined) this.#currency = currency
    // Only a line without a price is worth nothing that can be said.
    if (delivered === null || currency !== this.#currency) this.#isPriced = false
    if (!this.#isPriced) return
    this.#delivered += delivered ?? 0
    this.#booked = this.#booked === null || booked === null ? null : this.#booked + booked
  }

  worth(): Worth | null {
    if (this.#currency === undefined || !this.#isPriced) return null
    return { currency: this.#currency, delivered: this.#delivered, booked: this.#booked }
  }
}

/** Makes the summary of a campaign from its lines, one after the other: a campaign may have thousands, read in parts. */
export class CampaignSums {
  readonly #now: Moment
  readonly #worth = new WorthSums()
  readonly #shares = new ShareSums()
  readonly #states = new Set<LineState>()
  #lines = 0
  #from: CalendarDate | null = null
  #to: CalendarDate | null = null
  #isEndless = false
  #measuredAt: Moment | null = null

  constructor(now: Moment) {
    this.#now = now
  }

  add(line: SummedLine): void {
    const { flightStart, flightEnd, total, seller } = line
    // The plan at the time of the last total: an old figure is not behind just because it is old.
    const expected = expectedAt(line, total?.asOf ?? this.#now, seller.timeZone)
    this.#lines += 1
    this.#states.add(stateOf(line, this.#now))
    const value = lineValue(line)
    const bookedAs = bookedValue(line)
    this.#worth.add(line, value, bookedAs)
    this.#shares.add(line, expected, value, bookedAs)
    if (this.#from === null || flightStart < this.#from) this.#from = flightStart
    if (flightEnd === null) this.#isEndless = true
    else if (this.#to === null || flightEnd > this.#to) this.#to = flightEnd
    if (total !== null && (this.#measuredAt === null || total.asOf > this.#measuredAt)) this.#measuredAt = total.asOf
  }

  summary(): CampaignSummary {
    const worth = this.#worth.worth()
    return {
      state: campaignState(this.#states),
      phase: campaignPhase(this.#states),
      lines: this.#lines,
      from: this.#from,
      to: this.#isEndless ? null : this.#to,
      worth,
      ...(worth === null ? this.#shares.ofQuantity() : this.#shares.ofValue(worth)),
      measuredAt: this.#measuredAt,
    }
  }
}

interface Shares {
  readonly delivered: number | null
  readonly planned: number | null
}

const UNKNOWN: Shares = { delivered: null, planned: null }

class ShareSums {
  #plannedValue = 0
  #quantity = 0
  #booked = 0
  #plannedQuantity = 0
  #basis: PricedLine["pricingBasis"] | undefined
  /** Whether all lines so far have one unit, and a booked quantity. */
  #isAlike = true

  add(line: SummedLine, expected: number | null, value: number | null, bookedAs: number | null): void {
    const share = expected === null || !line.booked ? null : expected / line.booked
    this.#plannedValue += share === null || bookedAs === null ? (value ?? 0) : share * bookedAs
    this.#basis ??= line.pricingBasis
    if (line.pricingBasis !== this.#basis || line.booked === null) this.#isAlike = false
    this.#quantity += line.total?.quantity ?? 0
    this.#booked += line.booked ?? 0
    this.#plannedQuantity += (share ?? 0) * (line.booked ?? 0)
  }

  ofValue({ delivered, booked }: Worth): Shares {
    if (booked === null || booked === 0) return UNKNOWN
    return { delivered: delivered / booked, planned: this.#plannedValue / booked }
  }

  /** Without prices, lines of one unit can be added up by their quantities. */
  ofQuantity(): Shares {
    if (!this.#isAlike || this.#booked === 0) return UNKNOWN
    return { delivered: this.#quantity / this.#booked, planned: this.#plannedQuantity / this.#booked }
  }
}
