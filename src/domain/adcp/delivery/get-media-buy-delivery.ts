import { type Static, Type } from "@sinclair/typebox"
import { AnyObject, choice, DateText, Flag } from "../../schema/build.ts"
import { dayBefore, formatMoment, type Moment } from "../../time/moment.ts"
import { AccountInput, described, listOf, Pagination as PaginationInput, toolInput } from "../input.ts"
import {
  type AdcpAnswer,
  AdcpError,
  type Arguments,
  brokenRule,
  completed,
  countText,
  namesText,
  nextPageLines,
  type Pagination,
} from "../tools/answer.ts"
import type { Period } from "./line-delivery.ts"
import {
  currencyOf,
  type DeliveredBuy,
  hasTotal,
  mediaBuyOf,
  NO_CURRENCY,
  type Sums,
  sumsOf,
  totalsOf,
} from "./media-buy.ts"

const Status = choice("pending_creatives pending_start active paused completed rejected canceled")

export const MediaBuyDeliveryInput = toolInput({
  media_buy_ids: listOf(Type.String(), "Only these media buys. Default: all of yours."),
  status_filter: Type.Union([Status, Type.Array(Status, { minItems: 1, maxItems: 7 })], {
    description:
      "Only media buys in these states. This agent uses pending_start, active and completed. Default: active, or any " +
      "for media_buy_ids.",
  }),
  start_date: described(
    DateText,
    "First day, in each seller's time zone. With end_date; without both, everything so far.",
  ),
  end_date: described(DateText, "The day after the last one."),
  include_package_daily_breakdown: described(Flag, "true adds daily figures to each package."),
  time_granularity: described(
    choice("hourly daily monthly"),
    "Not supported. Use include_package_daily_breakdown for daily figures.",
  ),
  include_window_breakdown: described(Flag, "Not supported."),
  attribution_window: described(AnyObject, "Ignored. Sellers use their own attribution."),
  reporting_dimensions: described(AnyObject, "Ignored. Figures aren't broken down by dimension."),
  account: AccountInput,
  pagination: PaginationInput,
})
export type MediaBuyDeliveryInput = Static<typeof MediaBuyDeliveryInput>

const NEVER = "1970-01-01T00:00:00Z"

/** What the response schema wants even in a failed answer. */
export const NO_DELIVERY = {
  reporting_period: { start: NEVER, end: NEVER },
  currency: NO_CURRENCY,
  media_buy_deliveries: [],
}

/** The days that were asked for. Null for everything so far. Throws if they make no period. */
export function periodIn(input: MediaBuyDeliveryInput): Period | null {
  const { start_date, end_date } = input
  if (input.time_granularity !== undefined) {
    throw new AdcpError("UNSUPPORTED_GRANULARITY", "Delivery isn't available by time window.", {
      field: "time_granularity",
      suggestion: "Leave time_granularity out, and set include_package_daily_breakdown for days.",
    })
  }
  if (start_date === undefined && end_date === undefined) return null
  if (start_date === undefined) throw brokenRule("/start_date", "start_date is required beside end_date", "required")
  if (end_date === undefined) throw brokenRule("/end_date", "end_date is required beside start_date", "required")
  if (start_date >= end_date)
    throw brokenRule("/end_date", "end_date is the day after the last one, and must be after start_date")
  return { from: start_date, to: dayBefore(end_date) }
}

const IGNORED = ["attribution_window", "reporting_dimensions", "include_window_breakdown"]

/** Arguments that change nothing, although the caller may expect it. */
export function ignoredIn(input: MediaBuyDeliveryInput): string[] {
  const isKnown = (name: string) => Object.hasOwn(MediaBuyDeliveryInput.properties, name) && !IGNORED.includes(name)
  return Object.entries(input).flatMap(([name, value]) => (value === false || isKnown(name) ? [] : [name]))
}

interface Delivered {
  readonly buys: readonly DeliveredBuy[]
  readonly pagination: Pagination
  /** How many there are in states that weren't asked for. */
  readonly others: number
  /** The IDs that name none of the buyer's media buys. */
  readonly missing: readonly string[]
}

export function showDelivery(
  delivered: Delivered,
  input: MediaBuyDeliveryInput,
  args: Arguments,
  now: Moment,
): AdcpAnswer {
  const { buys, pagination, missing } = delivered
  const sums = sumsOf(buys.flatMap(({ packages }) => packages))
  const shown = buys.map((buy) => mediaBuyOf(buy, now))
  const isWhole = input.pagination?.cursor === undefined && !pagination.has_more
  const totals = { impressions: 0, ...totalsOf(sums), media_buy_count: buys.length }
  const payload = {
    reporting_period: reportingPeriod(input, buys, now),
    currency: currencyOf(sums),
    ...(isWhole && hasTotal(sums) && { aggregated_totals: totals }),
    media_buy_deliveries: shown.map(({ fields }) => fields),
    pagination,
    ...(missing.length > 0 && { errors: missing.slice(0, MISSING_MAX).map(notFound) }),
  }
  const lines = [...shown.flatMap(({ lines }) => lines), ...nextPageLines(pagination)]
  return completed(messageOf(delivered, sums, ignoredIn(input)), payload, args, { lines })
}

const MISSING_MAX = 50

/** Another buyer's media buy and a missing one get the same answer. */
const notFound = (id: string) =>
  new AdcpError("MEDIA_BUY_NOT_FOUND", `You have no media buy ${namesText([id])}.`, {
    field: "media_buy_ids",
    details: { media_buy_id: namesText([id]) },
  }).body

/** AdCP wants it in UTC, although each seller has its own days. */
function reportingPeriod({ start_date, end_date }: MediaBuyDeliveryInput, buys: readonly DeliveredBuy[], now: Moment) {
  const end = end_date === undefined ? formatMoment(now) : `${end_date}T00:00:00Z`
  const [earliest] = buys.flatMap(({ packages }) => packages.map(({ line }) => line.flightStart)).sort()
  const first = start_date ?? earliest
  const start = first === undefined ? end : `${first}T00:00:00Z`
  // If a campaign hasn't begun, its period is empty.
  const hasBegun = start <= end
  return { start, end: hasBegun ? end : start }
}

function messageOf({ buys, pagination, missing, others }: Delivered, sums: Sums, ignored: readonly string[]): string {
  return [
    `${countText(buys.length, pagination.total_count, "media buy")}.`,
    ...(others > 0 ? [`${others} more ${others === 1 ? "isn't" : "aren't"} active: ask with status_filter.`] : []),
    ...(missing.length > 0 ? [`Not found: ${namesText(missing)}.`] : []),
    ...(ignored.length > 0 ? [`Not supported, so ignored: ${namesText(ignored)}.`] : []),
    ...(sums.withoutPrice > 0
      ? ["Some packages have no price: their rate and spend of 0 aren't known (price_known)."]
      : []),
    ...(sums.spend.size > 1
      ? [`Spend is in several currencies, so there's no total: a spend of 0 in ${NO_CURRENCY} isn't an amount.`]
      : []),
    ...(sums.withUnknownDays > 0
      ? ["Some days of the period aren't known (unknown_days), so they aren't counted."]
      : []),
  ].join(" ")
}
