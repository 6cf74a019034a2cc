import type { CalendarDate, Moment } from "../time/moment.ts"
import type { TimeZone } from "../time/time-zone.ts"
import { bookedValue, lineValue, type PricedLine } from "./line-value.ts"
import {
  campaignPace,
  campaignStatus,
  expectedAt,
  type LineStatus,
  lacksRecentFigures,
  type Pace,
  type PacedLine,
  paceOf,
  statusOf,
} from "./pacing.ts"

export type SummedLine = PacedLine &
  PricedLine & { readonly currency: string | null; readonly seller: { readonly timeZone: TimeZone } }

/** An amount in one currency, delivered and booked. */
export interface Worth {
  readonly currency: string | null
  readonly delivered: number
  /** Null where a line has no booked quantity. */
  readonly booked: number | null
}

/** A campaign in one row. */
export interface CampaignSummary {
  readonly status: LineStatus | "empty"
  readonly pace: Pace | null
  readonly lines: number
  /** From the first start to the last end; null without lines, or where a line has no end. */
  readonly from: CalendarDate | null
  readonly to: CalendarDate | null
  /** Null where lines have no price, or prices in several currencies, which nobody can add up. */
  readonly worth: Worth | null
  /** Delivered and planned, as shares of what is booked; null where that is not known. */
  readonly delivered: number | null
  readonly planned: number | null
  /** Whether a running line has had no figure for days, and whether one has delivered more than was booked. */
  readonly isSilent: boolean
  readonly isOver: boolean
  /** When the newest total was measured. */
  readonly measuredAt: Moment | null
}

export function summaryOf(lines: readonly SummedLine[], now: Moment): CampaignSummary {
  const statuses = lines.map((line) => statusOf(line, now, line.seller.timeZone))
  const running = lines.filter((_, i) => statuses[i] === "running")
  const ends = lines.map(({ flightEnd }) => flightEnd)
  const worth = worthOf(lines)
  const shares = worth === null ? quantityShares(lines, now) : valueShares(lines, worth, now)
  return {
    status: campaignStatus(statuses),
    pace: campaignPace(running.map((line) => paceOf(line, line.seller.timeZone))),
    lines: lines.length,
    from: lines.map(({ flightStart }) => flightStart).toSorted()[0] ?? null,
    to: ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null),
    worth,
    ...shares,
    isSilent: lines.some((line) => lacksRecentFigures(line, now, line.seller.timeZone)),
    isOver: lines.some(({ booked, total }) => booked !== null && booked > 0 && (total?.quantity ?? 0) > booked),
    measuredAt: lines.reduce<Moment | null>((newest, { total }) => later(newest, total?.asOf ?? null), null),
  }
}

const later = (one: Moment | null, other: Moment | null) =>
  one === null || (other !== null && other > one) ? other : one

/** What all lines are worth together. */
export function worthOf(lines: readonly (PricedLine & { readonly currency: string | null })[]): Worth | null {
  const [first] = lines
  if (first === undefined || lines.some(({ rate, currency }) => rate === null || currency !== first.currency))
    return null
  const booked = lines.map(bookedValue)
  return {
    currency: first.currency,
    delivered: lines.reduce((sum, line) => sum + (lineValue(line) ?? 0), 0),
    booked: booked.includes(null) ? null : booked.reduce<number>((sum, value) => sum + (value ?? 0), 0),
  }
}

interface Shares {
  readonly delivered: number | null
  readonly planned: number | null
}

const UNKNOWN: Shares = { delivered: null, planned: null }

function valueShares(lines: readonly SummedLine[], { delivered, booked }: Worth, now: Moment): Shares {
  if (booked === null || booked === 0) return UNKNOWN
  const planned = lines.map((line) => {
    const share = plannedShare(line, now)
    const value = bookedValue(line)
    return share === null || value === null ? (lineValue(line) ?? 0) : share * value
  })
  return { delivered: delivered / booked, planned: planned.reduce((sum, value) => sum + value, 0) / booked }
}

/** Without prices, lines of one unit can be added up by their quantities. */
function quantityShares(lines: readonly SummedLine[], now: Moment): Shares {
  const [first] = lines
  const isAlike = lines.every(({ pricingBasis, booked }) => pricingBasis === first?.pricingBasis && booked !== null)
  const booked = lines.reduce((sum, line) => sum + (line.booked ?? 0), 0)
  if (!isAlike || booked === 0) return UNKNOWN
  const planned = lines.reduce((sum, line) => sum + (plannedShare(line, now) ?? 0) * (line.booked ?? 0), 0)
  return {
    delivered: lines.reduce((sum, { total }) => sum + (total?.quantity ?? 0), 0) / booked,
    planned: planned / booked,
  }
}

/** The plan at the time of the last total: an old figure is not behind just because it is old. */
function plannedShare(line: SummedLine, now: Moment): number | null {
  const expected = expectedAt(line, line.total?.asOf ?? now, line.seller.timeZone)
  return expected === null || !line.booked ? null : expected / line.booked
}
