import type { CalendarDate, Moment } from "../time/moment.ts"
import type { LineState, Phase, PricedLine, ZonedLine } from "./line-state.ts"
import { bookedValue, campaignPhase, campaignState, expectedAt, lineValue, phaseOf, stateOf } from "./line-state.ts"
import type { PricingBasis } from "./pricing-basis.ts"

export type SummedLine = ZonedLine & PricedLine

export interface Worth {
  readonly currency: string | null
  readonly delivered: number
  /** Null where a line has no booked quantity. */
  readonly booked: number | null
}

/** A campaign in one row. */
export type CampaignSummary = ReturnType<typeof summaryOf>

/** Of all lines of a campaign. */
export function summaryOf(lines: readonly SummedLine[], now: Moment) {
  const sums = campaignSums(now)
  for (const line of lines) sums.add(line)
  return sums.summary()
}

/** The same of many campaigns, by the id of each. */
export function summariesOf(lines: readonly (SummedLine & { readonly campaignId: number })[], now: Moment) {
  const byCampaign = new Map<number, ReturnType<typeof campaignSums>>()
  for (const line of lines) {
    const sums = byCampaign.get(line.campaignId) ?? campaignSums(now)
    byCampaign.set(line.campaignId, sums)
    sums.add(line)
  }
  return (campaignId: number) => (byCampaign.get(campaignId) ?? campaignSums(now)).summary()
}

function campaignSums(now: Moment) {
  const states = new Set<LineState>()
  const phases = new Set<Phase>()
  const bases = new Set<PricingBasis>()
  const worths = worthSums()
  const quantity = { delivered: 0, planned: 0, booked: 0 }
  let plannedValue = 0
  let isBooked = true
  let lines = 0
  let from: CalendarDate | null = null
  let to: CalendarDate | null = null
  let isEndless = false
  let measuredAt: Moment | null = null
  return {
    add(line: SummedLine) {
      lines += 1
      states.add(stateOf(line, now))
      phases.add(phaseOf(line, now))
      worths.add(line)
      const share = plannedShare(line, now)
      const value = bookedValue(line)
      plannedValue += share === null || value === null ? (lineValue(line) ?? 0) : share * value
      bases.add(line.pricingBasis)
      isBooked &&= line.booked !== null
      quantity.booked += line.booked ?? 0
      quantity.planned += (share ?? 0) * (line.booked ?? 0)
      quantity.delivered += line.total?.quantity ?? 0
      if (from === null || line.flightStart < from) from = line.flightStart
      if (line.flightEnd === null) isEndless = true
      else if (to === null || line.flightEnd > to) to = line.flightEnd
      if (line.total !== null && (measuredAt === null || line.total.asOf > measuredAt)) measuredAt = line.total.asOf
    },
    summary() {
      const worth = worths.only()
      // By their value or, without prices, lines of one unit by their quantities.
      const byQuantity = isBooked && bases.size === 1 ? quantity : UNKNOWN
      const { delivered, planned, booked } = worth === null ? byQuantity : { ...worth, planned: plannedValue }
      return {
        state: campaignState(states),
        phase: campaignPhase(phases),
        lines,
        // From the first start to the last end; null without lines, or where a line has no end.
        from,
        to: isEndless ? null : to,
        /** Null where lines have no price, or prices in several currencies, which nobody can add up. */
        worth,
        /** In each currency; none where a line has no price. */
        worths: worths.known(),
        /** As shares of what is booked; null where that is not known. */
        delivered: booked ? delivered / booked : null,
        planned: booked ? planned / booked : null,
        measuredAt,
      }
    },
  }
}

const UNKNOWN = { delivered: 0, planned: 0, booked: null }

function plannedShare(line: SummedLine, now: Moment): number | null {
  // The plan at the time of the last total: an old figure is not behind just because it is old.
  const expected = expectedAt(line, line.total?.asOf ?? now, line.seller.timeZone)
  return expected === null || !line.booked ? null : expected / line.booked
}

export const worthOf = (lines: readonly PricedLine[]) => worthsIn(lines).only()

/** The sums of lines in each currency; lines without a price are left out. The currency of most lines comes first. */
export const worthsOf = (lines: readonly PricedLine[]) => worthsIn(lines).all()

function worthsIn(lines: readonly PricedLine[]) {
  const sums = worthSums()
  for (const line of lines) sums.add(line)
  return sums
}

function worthSums() {
  const byCurrency = new Map<string | null, { lines: number; delivered: number; booked: number | null }>()
  let isPriced = true
  const all = (): Worth[] =>
    [...byCurrency]
      .toSorted(([, a], [, b]) => b.lines - a.lines)
      .map(([currency, { delivered, booked }]) => ({ currency, delivered, booked }))
  const known = () => (isPriced ? all() : [])
  return {
    add(line: PricedLine) {
      if (line.rate === null) {
        isPriced = false
        return
      }
      const sum = byCurrency.get(line.currency) ?? { lines: 0, delivered: 0, booked: 0 }
      const booked = bookedValue(line)
      sum.lines += 1
      sum.delivered += lineValue(line) ?? 0
      sum.booked = booked === null || sum.booked === null ? null : sum.booked + booked
      byCurrency.set(line.currency, sum)
    },
    all,
    known,
    /** Null unless every line has a price, in one currency. */
    only(): Worth | null {
      const [worth, ...others] = known()
      return worth === undefined || others.length > 0 ? null : worth
    },
  }
}
