import { formatMoment, type Moment } from "../../time/moment.ts"
import { amountText, numberText } from "../text.ts"
import { type AdcpAnswer, AdcpError, type Arguments, completed, namesText } from "../tools/answer.ts"
import { nextPageLines, type Pagination } from "../tools/page.ts"
import { ignoredIn, type MediaBuyDeliveryInput } from "./delivery-input.ts"
import { currencyOf, type DeliveredBuy, hasTotal, mediaBuyOf, NO_CURRENCY, type Sums, totalsOf } from "./media-buy.ts"

interface Delivered {
  readonly buys: readonly DeliveredBuy[]
  /** What all lines of these buys delivered together. */
  readonly sums: Sums
  readonly pagination: Pagination
  /** Whether these are all media buys with all of their packages. */
  readonly isWhole: boolean
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
  const { buys, sums, pagination, isWhole, missing } = delivered
  const affiliates = buys.flatMap((buy) => buy.affiliates)
  const items = buys.map((buy) => mediaBuyOf(buy, now))
  const totals = { impressions: 0, ...totalsOf(sums, affiliates), media_buy_count: buys.length }
  const payload = {
    reporting_period: reportingPeriod(input, buys, now),
    currency: currencyOf(sums),
    ...(isWhole && hasTotal(sums) && { aggregated_totals: totals }),
    media_buy_deliveries: items,
    pagination,
    ...(missing.length > 0 && { errors: missing.slice(0, MISSING_MAX).map(notFound) }),
  }
  const lines = [...items.flatMap(buyLines), ...nextPageLines(pagination)]
  return completed(messageOf(delivered, ignoredIn(input)), payload, args, { lines })
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
  const [earliest] = buys.flatMap(({ lines }) => lines.map(({ flightStart }) => flightStart)).sort()
  const first = start_date ?? earliest
  const start = first === undefined ? end : `${first}T00:00:00Z`
  // If a campaign hasn't begun, its period is empty.
  const hasBegun = start <= end
  return { start, end: hasBegun ? end : start }
}

function messageOf({ buys, pagination, missing, others, sums }: Delivered, ignored: readonly string[]): string {
  const total = pagination.total_count
  const buysText = total === 1 ? "1 media buy" : `${total} media buys`
  return [
    buys.length < total ? `${buys.length} of ${buysText}.` : `${buysText}.`,
    ...(others > 0 ? [`${others} more ${others === 1 ? "isn't" : "aren't"} active: ask with status_filter.`] : []),
    ...(missing.length > 0 ? [`Not found: ${namesText(missing)}.`] : []),
    ...(ignored.length > 0 ? [`Not supported, so ignored: ${namesText(ignored)}.`] : []),
    ...(sums.withoutPrice > 0
      ? ["Some packages have no price: their rate and spend of 0 aren't known (price_known)."]
      : []),
    ...(sums.spend.size > 1
      ? [`There are several currencies, and amounts aren't added up: a spend of 0 in ${NO_CURRENCY} isn't a total.`]
      : []),
    ...(sums.withUnknownDays > 0
      ? ["Some days of the period aren't known (unknown_days), so they aren't counted."]
      : []),
  ].join(" ")
}

type Shown = ReturnType<typeof mediaBuyOf>

/** For hosts that read only text. */
function buyLines({ media_buy_id, status, currency, totals, by_package, ext }: Shown): string[] {
  return [
    `${media_buy_id}: ${ext.adbooth.name}; ${status}; ${figuresText({ ...totals, currency })}`,
    ...by_package.map((item) => {
      const { name, state } = item.ext.adbooth
      const told = (item.delivery_status ?? state).replaceAll("_", " ")
      return `- ${item.package_id}: ${name}; ${told}; ${figuresText(item)}`
    }),
  ]
}

const COUNTED = ["impressions", "downloads", "clicks", "conversions"]

function figuresText(fields: Readonly<Record<string, unknown>>): string {
  const counts = COUNTED.flatMap((name) => {
    const count = fields[name]
    return typeof count === "number" ? [`${numberText(count)} ${name}`] : []
  })
  const { ext, currency, spend } = fields as unknown as ShownFigures
  const { price_known: isPriced = true, spend: amounts } = ext?.adbooth ?? {}
  const single = isPriced && currency !== NO_CURRENCY ? [{ currency, spend }] : []
  const money = (amounts ?? single).map((amount) => amountText(amount.spend, amount.currency))
  return [...counts, ...money].join(", ") || "nothing reported"
}

interface Amount {
  readonly currency: string
  readonly spend: number
}

interface ShownFigures extends Amount {
  readonly ext?: { readonly adbooth?: { readonly price_known?: boolean; readonly spend?: readonly Amount[] } }
}
