import { type Static, Type } from "@sinclair/typebox"
import { AnyObject, choice, DateText, Flag } from "../../schema/build.ts"
import { type CalendarDate, dayBefore } from "../../time/moment.ts"
import { AccountInput, described, listOf, Pagination, toolInput } from "../input.ts"
import { AdcpError, brokenRule } from "../tools/answer.ts"
import { NO_CURRENCY } from "./media-buy.ts"

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
  pagination: Pagination,
})
export type MediaBuyDeliveryInput = Static<typeof MediaBuyDeliveryInput>

const NEVER = "1970-01-01T00:00:00Z"

/** What the response schema wants even in a failed answer. */
export const NO_DELIVERY = {
  reporting_period: { start: NEVER, end: NEVER },
  currency: NO_CURRENCY,
  media_buy_deliveries: [],
}

/** Days in each seller's time zone, both included. */
export interface Period {
  readonly from: CalendarDate
  readonly to: CalendarDate
}

/** The days that were asked for. Null for everything so far. Throws if they make no period. */
export function periodIn(input: MediaBuyDeliveryInput): Period | null {
  const { start_date, end_date } = input
  if (input.time_granularity !== undefined) {
    throw new AdcpError("UNSUPPORTED_GRANULARITY", "Delivery isn't offered by windows.", {
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
