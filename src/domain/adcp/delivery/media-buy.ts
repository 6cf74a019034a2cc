import { type Figures, formatMicros, sumFigures } from "../../affiliate.ts"
import type { LineFields, PackageId } from "../../campaign/line.ts"
import { type LineState, type PacedLine, shareOffPlan, stateOf } from "../../campaign/line-state.ts"
import { phaseOf, type SummedLine, summaryOf } from "../../campaign/summary.ts"
import type { DeliveredDays } from "../../campaign/value.ts"
import { amountOf, type Coins, exactSum } from "../../money.ts"
import { type CalendarDate, formatMoment, type Moment } from "../../time/moment.ts"
import { amountText, numberText } from "../text.ts"
import type { LineDelivery, UnknownDays } from "./line-delivery.ts"

/** ISO 4217 for "no currency": for amounts in several currencies, and for lines without a price. */
export const NO_CURRENCY = "XXX"

interface BoughtLine extends SummedLine, Pick<LineFields, "name" | "flightEnd"> {
  readonly packageId: PackageId
  readonly isArchived: boolean
}

export interface AffiliateDay {
  readonly date: CalendarDate
  readonly figures: Figures
}

/** A line and what it delivered. */
export interface DeliveredPackage {
  readonly line: BoughtLine
  readonly delivery: LineDelivery
  readonly affiliates: Figures
  /** Null unless days were asked for. */
  readonly affiliateDays: readonly AffiliateDay[] | null
}

export interface DeliveredBuy {
  readonly slug: string
  readonly name: string
  readonly packages: readonly DeliveredPackage[]
}

/** What some lines delivered together. */
export interface Sums {
  /** By the name of AdCP's metric. */
  readonly quantities: ReadonlyMap<string, number>
  /** By currency. */
  readonly spend: ReadonlyMap<string, Coins>
  readonly affiliates: Figures
  readonly withoutPrice: number
  /** How many lines have days whose delivery isn't known. */
  readonly withUnknownDays: number
}

export function sumsOf(packages: readonly DeliveredPackage[]): Sums {
  const quantities = new Map<string, number>()
  const spend = new Map<string, Coins>()
  for (const { line, delivery } of packages) {
    const { quantity, coins } = delivery
    if (quantity !== null)
      quantities.set(line.pricingBasis, exactSum([quantities.get(line.pricingBasis) ?? 0, quantity]))
    const currency = line.currency ?? NO_CURRENCY
    if (coins !== null) spend.set(currency, (spend.get(currency) ?? 0) + coins)
  }
  return {
    quantities,
    spend,
    affiliates: affiliatesOf(packages),
    withoutPrice: packages.filter(({ delivery }) => delivery.coins === null).length,
    withUnknownDays: packages.filter(({ delivery }) => delivery.unknown.length > 0).length,
  }
}

/** The figures of affiliate codes. Values in several currencies can't be added up. */
function affiliatesOf(packages: readonly DeliveredPackage[]): Figures {
  const all = sumFigures(packages.map(({ affiliates }) => affiliates))
  const valued = packages.filter(({ affiliates }) => affiliates.valueMicros !== null)
  return new Set(valued.map(({ line }) => line.currency)).size > 1 ? { ...all, valueMicros: null } : all
}

export const currencyOf = ({ spend }: Pick<Sums, "spend">): string => {
  const [only = NO_CURRENCY, ...others] = spend.keys()
  return others.length === 0 ? only : NO_CURRENCY
}

/** Whether there is one total: amounts in several currencies can't be added, and without prices 0 would be wrong. */
export const hasTotal = ({ spend, withoutPrice }: Sums): boolean => spend.size === 1 || spend.size + withoutPrice === 0

/** The figures as AdCP has them. It wants a number for spend, so beside several currencies there's an amount for each. */
export function totalsOf(sums: Sums): Record<string, unknown> & { readonly spend: number } {
  const [[currency, coins] = [NO_CURRENCY, 0]] = hasTotal(sums) ? sums.spend : []
  return {
    ...Object.fromEntries(sums.quantities),
    spend: numberOf(coins, currency),
    ...figureFields(sums.affiliates),
    ...(!hasTotal(sums) && { ext: { adbooth: { spend_is_total: false, spend: amountsOf(sums) } } }),
  }
}

const amountsOf = ({ spend }: Sums) =>
  [...spend].map(([currency, coins]) => ({ currency, spend: numberOf(coins, currency) }))

const numberOf = (coins: Coins, currency: string): number =>
  currency === NO_CURRENCY ? 0 : Number(amountOf(coins, currency))

const figureFields = ({ clicks, conversions, valueMicros }: Figures) => ({
  ...(clicks !== null && { clicks: Number(clicks) }),
  ...(conversions !== null && { conversions: Number(conversions) }),
  ...(valueMicros !== null && { conversion_value: Number(formatMicros(valueMicros)) }),
})

// Campaigns and lines in AdCP's words. If AdCP wants something that we don't know, ext.adbooth says so.

const STATUS = { upcoming: "pending_start", running: "active", ended: "completed" } as const

type ListedLine = PacedLine & Pick<BoughtLine, "isArchived">

export const statusOf = (lines: readonly ListedLine[], now: Moment) => STATUS[phaseOf(listed(lines), now)]

/** An archived line belongs to the sums of its campaign, but doesn't say whether it runs, unless all lines are archived. */
function listed<Line extends ListedLine>(lines: readonly Line[]): readonly Line[] {
  const others = lines.filter(({ isArchived }) => !isArchived)
  return others.length === 0 ? lines : others
}

/** A media buy as AdCP has it, and in lines for hosts that read only text. */
export function mediaBuyOf({ slug, name, packages }: DeliveredBuy, now: Moment) {
  const sums = sumsOf(packages)
  const lines = packages.map(({ line }) => line)
  const { state, phase, measuredAt } = summaryOf(listed(lines), now)
  const shown = packages.map((each) => packageOf(each, now))
  const status = STATUS[phase]
  const ext = {
    name,
    state: shownState(state ?? "upcoming", measuredAt !== null),
    packages: lines.length,
    ...(measuredAt !== null && { as_of: formatMoment(measuredAt) }),
    ...(sums.spend.size > 1 && { spend: amountsOf(sums) }),
    ...(sums.withoutPrice > 0 && { packages_without_price: sums.withoutPrice }),
    ...(sums.withUnknownDays > 0 && { packages_with_unknown_days: sums.withUnknownDays }),
  }
  const fields = {
    media_buy_id: slug,
    status,
    currency: currencyOf(sums),
    totals: totalsOf(sums),
    by_package: shown.map(({ fields }) => fields),
    ext: { adbooth: ext },
  }
  return { fields, lines: [`${slug}: ${name}; ${status}; ${sumsText(sums)}`, ...shown.map(({ text }) => text)] }
}

/** "1,000 impressions, 12 clicks, 250 EUR" */
function sumsText({ quantities, spend, affiliates: { clicks, conversions } }: Sums): string {
  const counted = {
    impressions: quantities.get("impressions"),
    downloads: quantities.get("downloads"),
    clicks,
    conversions,
  }
  const counts = Object.entries(counted).flatMap(([name, count]) =>
    count === undefined || count === null ? [] : [`${numberText(Number(count))} ${name}`],
  )
  const money = [...spend].map(([currency, coins]) => amountText(numberOf(coins, currency), currency))
  return [...counts, ...money].join(", ") || "nothing reported"
}

/** Totals can't be old before there is one. */
const shownState = (state: LineState, isReported: boolean): string =>
  state === "no_recent_totals" && !isReported ? "no_totals_yet" : state

function packageOf(delivered: DeliveredPackage, now: Moment) {
  const { line, delivery, affiliateDays } = delivered
  const { packageId, name, pricingBasis, rate, currency, total } = line
  const state = stateOf(line, now)
  const stateText = shownState(state, total !== null)
  const sums = sumsOf([delivered])
  const offPlan = shareOffPlan(line)
  const status = deliveryStatus(state, line)
  const together = delivery.days.filter(({ from, to }) => from !== to)
  const ext = {
    name,
    state: stateText,
    ...(total !== null && { as_of: formatMoment(total.asOf) }),
    ...(line.isArchived && { archived: true }),
    ...(rate === null && { price_known: false }),
    ...(delivery.unknown.length > 0 && { unknown_days: delivery.unknown.map(unknownDays) }),
    ...(affiliateDays !== null &&
      together.length > 0 && { undivided_days: together.map((each) => undivided(line, each)) }),
  }
  const fields = {
    package_id: packageId,
    ...totalsOf(sums),
    pricing_model: pricingBasis === "flat_rate" ? "flat_rate" : "cpm",
    rate: rate ?? 0,
    currency: currency ?? NO_CURRENCY,
    ...(offPlan !== null && { pacing_index: Math.round((offPlan + 1) * 10_000) / 10_000 }),
    ...(status !== null && { delivery_status: status }),
    ...(affiliateDays !== null && { daily_breakdown: dailyBreakdown(line, delivery.days, affiliateDays) }),
    ext: { adbooth: ext },
  }
  const told = (status ?? stateText).replaceAll("_", " ")
  return { fields, text: `- ${packageId}: ${name}; ${told}; ${sumsText(sums)}` }
}

/** Null if it isn't known whether the line delivers: before its flight, without recent totals, and archived. */
function deliveryStatus(state: LineState, { pricingBasis, isArchived }: BoughtLine): string | null {
  if (state === "delivered" || state === "over_delivered")
    return pricingBasis === "flat_rate" ? "completed" : "goal_met"
  if (state === "ended") return "flight_ended"
  return state === "upcoming" || state === "no_recent_totals" || isArchived ? null : "delivering"
}

const unknownDays = ({ from, to, together }: UnknownDays) => ({
  start_date: from,
  end_date: to,
  ...(together !== null && { delivered_with_other_days: together }),
})

const quantityField = ({ pricingBasis }: BoughtLine, quantity: number) =>
  pricingBasis === "flat_rate" ? {} : { [pricingBasis]: quantity }

const spendOf = ({ currency }: BoughtLine, { coins }: Pick<DeliveredDays, "coins">): number =>
  numberOf(coins ?? 0, currency ?? NO_CURRENCY)

/** Days that weren't measured one by one. */
const undivided = (line: BoughtLine, days: DeliveredDays) => ({
  start_date: days.from,
  end_date: days.to,
  ...quantityField(line, days.quantity),
  spend: spendOf(line, days),
})

/** One row for each day that has figures of its own, of any kind. */
function dailyBreakdown(line: BoughtLine, days: readonly DeliveredDays[], affiliates: readonly AffiliateDay[]) {
  const measured = new Map(days.filter(({ from, to }) => from === to).map((day) => [day.to, day]))
  const reported = new Map(affiliates.map(({ date, figures }) => [date, figures]))
  const dates = [...new Set([...measured.keys(), ...reported.keys()])].sort()
  return dates.map((date) => {
    const day = measured.get(date)
    const figures = reported.get(date)
    return {
      date,
      impressions: 0,
      ...quantityField(line, day?.quantity ?? 0),
      spend: spendOf(line, { coins: day?.coins ?? null }),
      ...(figures && figureFields(figures)),
      ...(day === undefined && { ext: { adbooth: { delivery_known: false } } }),
    }
  })
}
