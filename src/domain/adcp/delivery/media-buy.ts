import type { CampaignFigures, Figures } from "../../affiliate/affiliate-figures.ts"
import { addFigures, byCampaign, NO_FIGURES } from "../../affiliate/affiliate-figures.ts"
import { formatMicros } from "../../affiliate/affiliate-metric.ts"
import type { CampaignSummary } from "../../campaign/campaign-summary.ts"
import { type LineState, offPlan, type Phase, stateOf, stateToShow, withoutNoise } from "../../campaign/line-state.ts"
import { COUNTED_BASES, type PricingBasis } from "../../campaign/pricing-basis.ts"
import { firstDayOf } from "../../delivery/total-series.ts"
import { formatMoment, type Moment } from "../../time/moment.ts"
import type { DeliveredDay, DeliveredLine, LineDelivery, UnknownDays } from "./line-delivery.ts"

// Campaigns and lines in the words of AdCP. What the standard demands and is unknown is said under ext.adbooth.

/** ISO 4217 for "no currency": where amounts are in several, or where there is no price. */
export const NO_CURRENCY = "XXX"

export const STATUS_OF: Readonly<Record<Phase, string>> = {
  upcoming: "pending_start",
  running: "active",
  ended: "completed",
}

export type SummedLine = DeliveredLine & { readonly currency: string | null }

export interface BoughtLine extends SummedLine {
  readonly packageId: string
  readonly name: string
}

type AffiliateCode = Parameters<typeof byCampaign>[0][number]
export type AffiliateDay = Figures & { readonly date: string }

export interface DeliveredPackage {
  readonly line: BoughtLine
  readonly delivery: LineDelivery
  readonly codes: readonly AffiliateCode[]
  /** Undefined unless days were asked for. */
  readonly affiliateDays: readonly AffiliateDay[] | undefined
}

export interface DeliveredBuy {
  readonly slug: string
  readonly name: string
  readonly summary: CampaignSummary
  /** Of all lines, however many packages are listed. */
  readonly sums: Sums
  readonly codes: readonly AffiliateCode[]
  readonly packages: readonly DeliveredPackage[]
}

export interface Sums {
  /** By the name of AdCP's metric. */
  readonly quantities: ReadonlyMap<string, number>
  /** By currency. */
  readonly spend: ReadonlyMap<string, number>
  readonly unpriced: number
  /** How many have days that are not known. */
  readonly incomplete: number
}

export const sumsOf = ({ pricingBasis, currency }: SummedLine, { quantity, spend, unknown }: LineDelivery): Sums => ({
  quantities: metricsOf(pricingBasis, quantity),
  spend: spend === null ? new Map() : new Map([[currency ?? NO_CURRENCY, spend]]),
  unpriced: spend === null ? 1 : 0,
  incomplete: unknown.length > 0 ? 1 : 0,
})

const metricsOf = (basis: PricingBasis, quantity: number | null): ReadonlyMap<string, number> =>
  basis === "flat_rate" || quantity === null ? new Map() : new Map([[COUNTED_BASES[basis].metric, quantity]])

function addTo(sums: Map<string, number>, added: ReadonlyMap<string, number>): void {
  for (const [key, value] of added) sums.set(key, (sums.get(key) ?? 0) + value)
}

/** One pass: a campaign may have thousands of lines. */
export function addSums(all: readonly Sums[]): Sums {
  const sum = { unpriced: 0, incomplete: 0 }
  const [quantities, spend] = [new Map<string, number>(), new Map<string, number>()]
  for (const sums of all) {
    addTo(quantities, sums.quantities)
    addTo(spend, sums.spend)
    sum.unpriced += sums.unpriced
    sum.incomplete += sums.incomplete
  }
  return { ...sum, quantities, spend }
}

export const currencyOf = ({ spend }: Pick<Sums, "spend">): string => {
  const [only = NO_CURRENCY, ...others] = spend.keys()
  return others.length === 0 ? only : NO_CURRENCY
}

/** Of several currencies, and where nothing has a price, 0 is no total. */
export const hasTotal = ({ spend, unpriced }: Sums): boolean => spend.size === 1 || spend.size + unpriced === 0

/** What was delivered. Nothing is added up across several currencies: the standard wants a number for spend, and beside it is each of them. */
export function totalsOf(sums: Sums, codes: readonly AffiliateCode[]): { spend: number } & Record<string, unknown> {
  const { quantities, spend } = sums
  const [amount = 0] = hasTotal(sums) ? spend.values() : []
  return {
    ...Object.fromEntries(quantities),
    spend: withoutNoise(amount),
    ...affiliateFields(byCampaign(codes)),
    ...(!hasTotal(sums) && { ext: { adbooth: { spend_is_total: false, spend: amountsOf(sums) } } }),
  }
}

const amountsOf = ({ spend }: Sums) =>
  [...spend].map(([currency, amount]) => ({ currency, spend: withoutNoise(amount) }))

function affiliateFields(sums: readonly (Figures & Pick<CampaignFigures, "currency">)[]) {
  const all = sums.reduce(addFigures, NO_FIGURES)
  const currencies = new Set(sums.filter(({ valueMicros }) => valueMicros !== null).map(({ currency }) => currency))
  return figureFields(currencies.size > 1 ? { ...all, valueMicros: null } : all)
}

const figureFields = ({ clicks, conversions, valueMicros }: Figures) => ({
  ...(clicks !== null && { clicks: Number(clicks) }),
  ...(conversions !== null && { conversions: Number(conversions) }),
  ...(valueMicros !== null && { conversion_value: Number(formatMicros(valueMicros)) }),
})

export function mediaBuyOf(buy: DeliveredBuy, now: Moment) {
  const { slug, name, summary, sums, codes, packages } = buy
  const { unpriced, incomplete, spend } = sums
  const ext = {
    name,
    state: stateToShow(summary.state, summary.measuredAt !== null),
    packages: summary.lines,
    ...(summary.measuredAt !== null && { as_of: formatMoment(summary.measuredAt) }),
    ...(spend.size > 1 && { spend: amountsOf(sums) }),
    ...(unpriced > 0 && { packages_without_price: unpriced }),
    ...(incomplete > 0 && { packages_with_unknown_days: incomplete }),
  }
  return {
    media_buy_id: slug,
    status: STATUS_OF[summary.phase],
    currency: currencyOf(sums),
    totals: totalsOf(sums, codes),
    by_package: packages.map((line) => packageOf(line, now)),
    ext: { adbooth: ext },
  }
}

function packageOf({ line, delivery, codes, affiliateDays }: DeliveredPackage, now: Moment) {
  const { packageId, name, pricingBasis, rate, total, seller } = line
  const state = stateOf(line, now)
  const pace = offPlan(line, seller.timeZone)
  const status = deliveryStatus(state, pricingBasis)
  const together = delivery.days.filter(({ covers }) => covers > 1)
  const ext = {
    name,
    state: stateToShow(state, total !== null),
    ...(total !== null && { as_of: formatMoment(total.asOf) }),
    ...(rate === null && { price_known: false }),
    ...(delivery.unknown.length > 0 && { unknown_days: delivery.unknown.map(unknownDays) }),
    ...(affiliateDays && together.length > 0 && { undivided_days: together.map((days) => undividedDays(line, days)) }),
  }
  return {
    package_id: packageId,
    ...totalsOf(sumsOf(line, delivery), codes),
    pricing_model: pricingBasis === "flat_rate" ? pricingBasis : COUNTED_BASES[pricingBasis].model,
    rate: rate ?? 0,
    currency: line.currency ?? NO_CURRENCY,
    ...(pace !== null && { pacing_index: Math.round((pace + 1) * 10_000) / 10_000 }),
    ...(status !== undefined && { delivery_status: status }),
    ...(affiliateDays && { daily_breakdown: dailyBreakdown(line, delivery.days, affiliateDays) }),
    ext: { adbooth: ext },
  }
}

function deliveryStatus(state: LineState, basis: BoughtLine["pricingBasis"]): string | undefined {
  if (state === "delivered" || state === "over_delivered") return basis === "flat_rate" ? "completed" : "goal_met"
  if (state === "ended") return "flight_ended"
  // Before the flight, and where nothing was reported of late, it is unknown whether it delivers.
  return state === "upcoming" || state === "no_recent_figures" ? undefined : "delivering"
}

const unknownDays = ({ from, to, undivided }: UnknownDays) => ({
  start_date: from,
  end_date: to,
  ...(undivided !== undefined && { delivered_with_other_days: undivided }),
})

/** Days that nobody measured one by one: what came is known of all of them together. */
const undividedDays = ({ pricingBasis }: BoughtLine, { date, covers, quantity, spend }: DeliveredDay) => ({
  start_date: firstDayOf({ day: date, covers }),
  end_date: date,
  ...Object.fromEntries(metricsOf(pricingBasis, quantity)),
  spend: withoutNoise(spend),
})

/** One row for each day that has figures of its own, of any kind. */
function dailyBreakdown(line: BoughtLine, days: readonly DeliveredDay[], affiliates: readonly AffiliateDay[]) {
  const delivered = new Map(days.flatMap((day) => (day.covers === 1 ? [[day.date, day] as const] : [])))
  const reported = new Map(affiliates.map((day) => [day.date, day]))
  const dates = [...new Set([...delivered.keys(), ...reported.keys()])].sort()
  return dates.map((date) => {
    const day = delivered.get(date)
    const figures = reported.get(date)
    return {
      date,
      impressions: 0,
      ...Object.fromEntries(metricsOf(line.pricingBasis, day?.quantity ?? 0)),
      spend: withoutNoise(day?.spend ?? 0),
      ...(figures && figureFields(figures)),
      ...(day === undefined && { ext: { adbooth: { delivery_known: false } } }),
    }
  })
}
