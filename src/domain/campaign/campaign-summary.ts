import type { Moment } from "../time/moment.ts"
import {
  bookedValue,
  campaignPhase,
  campaignState,
  expectedAt,
  lineValue,
  type PricedLine,
  type StatedLine,
  stateOf,
} from "./line-state.ts"

export type SummedLine = StatedLine & PricedLine & { readonly currency: string | null }

export interface Worth {
  readonly currency: string | null
  readonly delivered: number
  /** Null where a line has no booked quantity. */
  readonly booked: number | null
}

/** A campaign in one row. */
export type CampaignSummary = ReturnType<typeof summaryOf>

export function summaryOf(lines: readonly SummedLine[], now: Moment) {
  const states = new Set(lines.map((line) => stateOf(line, now)))
  const worth = worthOf(lines)
  const ends = lines.map(({ flightEnd }) => flightEnd)
  return {
    state: campaignState(states),
    phase: campaignPhase(states),
    lines: lines.length,
    // From the first start to the last end; null without lines, or where a line has no end.
    from: lines.map(({ flightStart }) => flightStart).sort()[0] ?? null,
    to: ends.includes(null) ? null : (ends.sort().at(-1) ?? null),
    /** Null where lines have no price, or prices in several currencies, which nobody can add up. */
    worth,
    ...(worth === null ? sharesOfQuantity(lines, now) : sharesOfValue(lines, worth, now)),
    /** When the newest total was measured. */
    measuredAt: lines.reduce<Moment | null>((last, { total }) => {
      return total !== null && (last === null || total.asOf > last) ? total.asOf : last
    }, null),
  }
}

export function worthOf(lines: readonly CurrencyLine[]): Worth | null {
  const [worth, ...others] = worthsOf(lines)
  const isPriced = lines.every(({ rate }) => rate !== null)
  return worth === undefined || others.length > 0 || !isPriced ? null : worth
}

type CurrencyLine = PricedLine & { readonly currency: string | null }

/** The sums of lines in each currency; lines without a price are left out. The currency of most lines comes first. */
export function worthsOf(lines: readonly CurrencyLine[]): Worth[] {
  const priced = lines.filter(({ rate }) => rate !== null)
  return [...Map.groupBy(priced, ({ currency }) => currency)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([currency, some]) => {
      const booked = some.map(bookedValue)
      return {
        currency,
        delivered: sumOf(some, (line) => lineValue(line) ?? 0),
        booked: booked.includes(null) ? null : sumOf(booked, (value) => value ?? 0),
      }
    })
}

const sumOf = <Item>(items: readonly Item[], figure: (item: Item) => number) =>
  items.reduce((sum, item) => sum + figure(item), 0)

/** Delivered and planned, as shares of what is booked; null where that is not known. */
type Shares = Readonly<Record<"delivered" | "planned", number | null>>

const UNKNOWN: Shares = { delivered: null, planned: null }

function plannedShare(line: SummedLine, now: Moment): number | null {
  // The plan at the time of the last total: an old figure is not behind just because it is old.
  const expected = expectedAt(line, line.total?.asOf ?? now, line.seller.timeZone)
  return expected === null || !line.booked ? null : expected / line.booked
}

function sharesOfValue(lines: readonly SummedLine[], { delivered, booked }: Worth, now: Moment): Shares {
  if (booked === null || booked === 0) return UNKNOWN
  const planned = sumOf(lines, (line) => {
    const share = plannedShare(line, now)
    const value = bookedValue(line)
    return share === null || value === null ? (lineValue(line) ?? 0) : share * value
  })
  return { delivered: delivered / booked, planned: planned / booked }
}

/** Without prices, lines of one unit can be added up by their quantities. */
function sharesOfQuantity(lines: readonly SummedLine[], now: Moment): Shares {
  const booked = sumOf(lines, (line) => line.booked ?? 0)
  const isAlike = lines.every((line) => line.booked !== null && line.pricingBasis === lines[0]?.pricingBasis)
  if (!isAlike || booked === 0) return UNKNOWN
  const planned = sumOf(lines, (line) => (plannedShare(line, now) ?? 0) * (line.booked ?? 0))
  return { delivered: sumOf(lines, ({ total }) => total?.quantity ?? 0) / booked, planned: planned / booked }
}
