import { type Static, Type } from "@sinclair/typebox"
import { COUNTED_BASES, UNITS } from "../../campaign/pricing-basis.ts"
import { AnyObject, CalendarDate, choice, Flag } from "../../schema/schema-helpers.ts"
import { daysBefore, formatMoment, type Moment, parseDate } from "../../time/moment.ts"
import type { Period } from "../delivery/line-delivery.ts"
import type { DeliveredBuy } from "../delivery/media-buy.ts"
import { addSums, currencyOf, hasTotal, mediaBuyOf, NO_CURRENCY, totalsOf } from "../delivery/media-buy.ts"
import { amountText } from "../text.ts"
import {
  type AdcpAnswer,
  type AdcpError,
  type Arguments,
  adcpError,
  brokenRule,
  completed,
  namesText,
} from "./answer.ts"
import { AccountInput, described, listOf, Pagination, toolInput } from "./input.ts"
import { nextPage, type Page } from "./page.ts"

const Status = choice("pending_creatives pending_start active paused completed rejected canceled")

export const MediaBuyDeliveryInput = toolInput({
  media_buy_ids: listOf(Type.String(), "Only these media buys. Default: all of yours."),
  status_filter: Type.Union([Status, Type.Array(Status, { minItems: 1, maxItems: 7 })], {
    description:
      "Only media buys in these states. This agent uses pending_start, active and completed. Default: active, or any for media_buy_ids.",
  }),
  start_date: described(
    CalendarDate,
    "First day, in each seller's time zone. With end_date; without both, everything so far.",
  ),
  end_date: described(CalendarDate, "The day after the last one."),
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

// The schema wants these in a failed answer too.
const NEVER = "1970-01-01T00:00:00Z"
export const noDelivery = {
  reporting_period: { start: NEVER, end: NEVER },
  currency: NO_CURRENCY,
  media_buy_deliveries: [],
}

export const noKey = (contact: string): AdcpError =>
  adcpError("AUTH_MISSING", "Only a buyer's key that acts for a buyer can read delivery.", {
    suggestion: `Send your key in the header Authorization: Bearer. Ask ${contact} for one.`,
  })

export const noBuyer = (contact: string): AdcpError =>
  adcpError("PERMISSION_DENIED", "This key acts for no buyer, so there are no media buys that it may read.", {
    suggestion: `Ask ${contact} to say for which organization the key acts.`,
  })

/** Someone else's media buy and one that does not exist get the same answer. */
export const noSuchBuys = (ids: readonly string[]): AdcpError[] =>
  ids.slice(0, MISSING_MAX).map((id) =>
    adcpError("MEDIA_BUY_NOT_FOUND", `There is no media buy ${namesText([id])} of yours.`, {
      field: "media_buy_ids",
      details: { media_buy_id: namesText([id]) },
    }),
  )

const MISSING_MAX = 50

export const noneFound = (): AdcpError =>
  adcpError("MEDIA_BUY_NOT_FOUND", "None of the media_buy_ids is one of your media buys.", {
    field: "media_buy_ids",
    suggestion: "Leave media_buy_ids out for all of your media buys.",
  })

/** Rules that the schema does not state. */
export function refuseArguments(input: MediaBuyDeliveryInput): AdcpError | undefined {
  const { start_date, end_date } = input
  if (input.time_granularity !== undefined) {
    return adcpError("UNSUPPORTED_GRANULARITY", "Delivery is not offered by windows.", {
      field: "time_granularity",
      suggestion: "Leave time_granularity out, and set include_package_daily_breakdown for days.",
    })
  }
  for (const [name, date] of Object.entries({ start_date, end_date }))
    if (date !== undefined && parseDate(date) === undefined)
      return brokenRule(`/${name}`, `${name} is a day that does not exist`, "format")
  if (start_date === undefined && end_date === undefined) return undefined
  if (start_date === undefined) return brokenRule("/start_date", "start_date is required beside end_date")
  if (end_date === undefined) return brokenRule("/end_date", "end_date is required beside start_date")
  return start_date < end_date
    ? undefined
    : brokenRule("/end_date", "end_date is the day after the last one, and must be after start_date", "rule")
}

/** Undefined where everything counts. */
export const periodOf = ({ start_date, end_date }: MediaBuyDeliveryInput): Period | undefined =>
  start_date === undefined || end_date === undefined ? undefined : { from: start_date, to: daysBefore(end_date, 1) }

const IGNORED = ["attribution_window", "reporting_dimensions", "include_window_breakdown"]

/** Arguments that change nothing, and that somebody may have meant something by. */
function ignoredIn(input: MediaBuyDeliveryInput): string[] {
  const isKnown = (name: string) => Object.hasOwn(MediaBuyDeliveryInput.properties, name)
  return Object.entries(input).flatMap(([name, value]) =>
    value === false || (isKnown(name) && !IGNORED.includes(name)) ? [] : [name],
  )
}

export interface Delivered {
  readonly buys: readonly DeliveredBuy[]
  readonly pagination: Page<unknown>["pagination"]
  /** Whether these are all media buys with all of their packages. */
  readonly isWhole: boolean
  /** How many there are in other states, which were not asked for. */
  readonly others: number
  readonly missing: readonly string[]
}

export function showDelivery(
  delivered: Delivered,
  input: MediaBuyDeliveryInput,
  args: Arguments,
  now: Moment,
): AdcpAnswer {
  const { buys, pagination, isWhole } = delivered
  const all = addSums(buys.map(({ sums }) => sums))
  const codes = buys.flatMap((buy) => buy.codes)
  const currencies = new Set(buys.filter(({ sums }) => sums.spend.size > 0).map(({ sums }) => currencyOf(sums)))
  const currency = currencies.size === 1 ? ([...currencies][0] ?? NO_CURRENCY) : NO_CURRENCY
  const totals = { impressions: 0, ...totalsOf(all, codes), media_buy_count: buys.length }
  const items = buys.map((buy) => mediaBuyOf(buy, now))
  const fields = {
    reporting_period: reportingPeriod(input, buys, now),
    currency,
    ...(isWhole && hasTotal(all) && { aggregated_totals: totals }),
    media_buy_deliveries: items,
    pagination,
    ...(delivered.missing.length > 0 && { errors: noSuchBuys(delivered.missing) }),
  }
  const lines = [...items.flatMap(buyLines), ...nextPage({ items: [], pagination })]
  return completed(messageOf(delivered, all, ignoredIn(input)), fields, args, lines)
}

/** What counts, in UTC as the standard wants it. Days are those of each seller. */
function reportingPeriod({ start_date, end_date }: MediaBuyDeliveryInput, buys: readonly DeliveredBuy[], now: Moment) {
  const end = end_date === undefined ? formatMoment(now) : `${end_date}T00:00:00Z`
  const [earliest] = buys.flatMap(({ summary }) => summary.from ?? []).sort()
  const start = start_date ?? earliest
  const begun = start === undefined ? end : `${start}T00:00:00Z`
  // What has not begun has an empty period.
  return { start: begun, end: [begun, end].sort()[1] }
}

function messageOf(
  { buys, pagination, missing, others }: Delivered,
  { spend, unpriced, incomplete }: DeliveredBuy["sums"],
  ignored: readonly string[],
): string {
  const total = pagination.total_count
  return [
    `${total} ${total === 1 ? "media buy" : "media buys"}${buys.length < total ? `, ${buys.length} of them here` : ""}.`,
    others > 0 ? ` ${others} that ${others === 1 ? "is" : "are"} not active: ask with status_filter.` : "",
    missing.length > 0 ? ` Not found: ${namesText(missing)}.` : "",
    ignored.length > 0 ? ` Not supported, and ignored: ${namesText(ignored)}.` : "",
    unpriced > 0 ? " Some packages have no price: their rate and spend of 0 are not known (price_known)." : "",
    spend.size > 1
      ? ` Amounts are in several currencies, which are not added up: a spend of 0 in ${NO_CURRENCY} is no total.`
      : "",
    incomplete > 0 ? " Some days of the period are not known (unknown_days), and not counted." : "",
  ].join("")
}

/** For hosts that read only text. */
function buyLines({
  media_buy_id,
  status,
  currency,
  totals,
  by_package,
  ext,
}: ReturnType<typeof mediaBuyOf>): string[] {
  return [
    `${media_buy_id}: ${ext.adbooth.name}; ${status}; ${figuresText({ ...totals, currency })}`,
    ...by_package.map((item) => {
      const { name, state } = item.ext.adbooth
      const said = (item.delivery_status ?? state).replaceAll("_", " ")
      return `- ${item.package_id}: ${name}; ${said}; ${figuresText(item)}`
    }),
  ]
}

const COUNTED = [...new Set(UNITS.map((unit) => COUNTED_BASES[unit].metric)), "clicks", "conversions"]

function figuresText(fields: Record<string, unknown>): string {
  const counts = COUNTED.flatMap((name) => {
    const count = fields[name]
    return typeof count === "number" ? [`${count.toLocaleString("en-US")} ${name}`] : []
  })
  return [...counts, ...amountsText(fields)].join(", ") || "nothing reported"
}

function amountsText({ ext, currency, spend: sum }: Record<string, unknown>): string[] {
  const { price_known: isPriced = true, spend: amounts } = (ext as { adbooth?: Ours } | undefined)?.adbooth ?? {}
  if (amounts !== undefined) return amounts.map(({ currency, spend }) => amountText(spend, currency))
  return isPriced && currency !== NO_CURRENCY ? [amountText(Number(sum), String(currency))] : []
}

interface Ours {
  readonly price_known?: boolean
  readonly spend?: readonly { readonly currency: string; readonly spend: number }[]
}
