import { EVERYWHERE } from "../../keys/opening.ts"
import { type Assessment, points, related } from "./assessment.ts"
import type { Money } from "./reading/amounts.ts"
import { type Reading, timeUnits } from "./reading/read-brief.ts"
import type { Unwanted } from "./reading/targets.ts"
import type { Reasons } from "./reasons.ts"
import type { Price, Traits } from "./traits.ts"

/** A brief that was read, and how reasons are worded in its language. */
export interface ReadBrief {
  readonly reading: Reading
  readonly reasons: Reasons
}

/**
 * One thing that products are compared by with a brief that asks for it. Products have much in common: each is compared once with those
 * that are alike in `traits`, however many they are.
 */
export interface Aspect {
  readonly traits: readonly (keyof Traits)[]
  isAsked(reading: Reading): boolean
  compare(traits: Traits, brief: ReadBrief, assessment: Assessment): void
}

/** What is said before the words of the brief that a product has. */
export const aspectsBeforeWords: readonly Aspect[] = [
  {
    traits: ["channels", "topics", "features", "territories"],
    isAsked: ({ unwanted }) => unwanted.length > 0,
    compare: compareUnwanted,
  },
  { traits: ["channels"], isAsked: ({ channels }) => channels.size > 0, compare: compareChannels },
  {
    traits: ["territories"],
    isAsked: ({ countries, unwantedCountries }) => countries.length + unwantedCountries.length > 0,
    compare: compareCountries,
  },
  { traits: ["topics"], isAsked: ({ topics }) => topics.length > 0, compare: compareTopics },
]

/** What is said after them. */
export const aspectsAfterWords: readonly Aspect[] = [
  { traits: ["features"], isAsked: ({ features }) => features.length > 0, compare: compareFeatures },
  { traits: ["lengths"], isAsked: ({ seconds }) => seconds.length > 0, compare: compareLengths },
  { traits: ["pixels"], isAsked: ({ pixels }) => pixels.length > 0, compare: comparePixels },
  { traits: ["deliveryType"], isAsked: ({ deliveryType }) => deliveryType !== undefined, compare: compareDelivery },
  {
    traits: ["prices"],
    isAsked: ({ budget, prices, pricingModels }) =>
      budget !== undefined || pricingModels.length + Object.keys(prices).length > 0,
    compare: comparePrice,
  },
  { traits: ["lastMonth", "months"], isAsked: () => true, compare: comparePeriod },
]

function compareUnwanted(traits: Traits, { reading }: ReadBrief, assessment: Assessment): void {
  const unwanted = reading.unwanted.find((thing) => isThing(traits, thing))
  if (unwanted === undefined) return
  assessment.refuse()
  assessment.unwanted = unwanted
}

/** Whether the product is of each kind that is named. */
function isThing(about: Traits, { channels, topics, features, countries }: Unwanted): boolean {
  return (
    (channels.length === 0 || channels.some((channel) => about.channels.includes(channel))) &&
    (topics.length === 0 || topics.some((topic) => about.topics.has(topic))) &&
    (features.length === 0 || features.some((feature) => about.features.has(feature))) &&
    (countries.length === 0 || isOnlyIn(about, countries))
  )
}

const isOnlyIn = ({ territories }: Traits, countries: readonly string[]) =>
  territories.length > 0 && territories.every((code) => countries.includes(code))

function compareChannels({ channels: own }: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  const { channels } = reading
  let best: string | undefined
  let share = 0
  for (const channel of own) {
    const asked = channels.get(channel) ?? 0
    if (asked > share) [best, share] = [channel, asked]
  }
  if (best !== undefined) {
    if (assessment.add(points.channel * share, true)) assessment.say(reasons.is([best]))
  } else if (assessment.add(points.channel * nearness(own, channels), false)) {
    assessment.say(reasons.isOther(own, [...channels.keys()]))
  }
}

function nearness(own: readonly string[], channels: ReadonlyMap<string, number>): number {
  let near = 0
  for (const [asked, share] of channels) {
    for (const channel of own) near = Math.max(near, share * (related[asked]?.[channel] ?? 0))
  }
  return near
}

function compareCountries(about: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  const { countries, unwantedCountries } = reading
  const { territories } = about
  const isEverywhere = territories.includes(EVERYWHERE)
  if (isOnlyIn(about, unwantedCountries)) {
    if (assessment.refuse()) assessment.say(reasons.tell("onlyIn", reasons.places(territories)))
    return
  }
  if (countries.length === 0) return
  if (countries.includes(EVERYWHERE)) {
    if (isEverywhere && assessment.add(points.everywhere, true)) assessment.say(reasons.tell("everywhere"))
    return
  }
  const open = isEverywhere ? countries : countries.filter((country) => territories.includes(country))
  if (open.length === 0) {
    if (assessment.add(points.countriesMissing, false))
      assessment.say(reasons.tell("notOpen", reasons.places(countries)))
    return
  }
  // What is opened for just this country is meant for it.
  const share = isEverywhere ? 0.8 : open.length / countries.length
  if (assessment.add(points.countries * (0.8 + 0.2 * share), true))
    assessment.say(reasons.tell("open", reasons.places(open)))
}

/** Which words tell the topic is said with the other words of the product. */
function compareTopics({ topics }: Traits, { reading }: ReadBrief, assessment: Assessment): void {
  let worth = 0
  for (const topic of reading.topics) worth += points.topic * (topics.get(topic) ?? 0)
  if (worth > 0) assessment.add(Math.min(points.topics, worth), true)
}

function compareFeatures({ features }: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  const shared = reading.features.filter((feature) => features.has(feature))
  if (shared.length > 0 && assessment.add(Math.min(points.features, points.feature * shared.length), true))
    assessment.say(reasons.tell("offers", reasons.and(shared)))
}

function compareLengths(
  { lengths }: Traits,
  { reading: { seconds }, reasons }: ReadBrief,
  assessment: Assessment,
): void {
  if (lengths.length === 0) return
  const taken = seconds.filter((asked) => lengths.some(([least, most]) => asked >= least && asked <= most))
  const fits = taken.length > 0
  if (!assessment.add(fits ? points.length : points.otherLength, fits)) return
  const offered = lengths.map(([least, most]) => (least === most ? `${most}` : reasons.tell("upTo", `${most}`)))
  const asked = reasons.or((fits ? taken : seconds).map(String))
  const others = reasons.or([...new Set(offered)])
  assessment.say(fits ? reasons.tell("seconds", asked) : reasons.tell("otherSeconds", others, asked))
}

function comparePixels({ pixels }: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  if (pixels.size === 0) return
  const taken = reading.pixels.filter((size) => pixels.has(size))
  const fits = taken.length > 0
  if (!assessment.add(fits ? points.size : points.otherSize, fits)) return
  assessment.say(
    fits ? reasons.tell("size", reasons.and(taken)) : reasons.tell("otherSize", reasons.or(reading.pixels)),
  )
}

/** What the budget and the prices named in a brief mean for the product. Amounts in different currencies are not compared. */
function comparePrice({ prices }: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  const { budget, pricingModels } = reading
  if (budget !== undefined) compareBudget(prices, budget, reasons, assessment)
  for (const model in reading.prices) compareCeiling(prices, model, reading.prices[model] as Money, reasons, assessment)
  const found = pricingModels.length === 0 ? undefined : prices.find(({ model }) => pricingModels.includes(model))
  if (found !== undefined && assessment.add(points.pricingModel, true))
    assessment.say(
      reasons.tell("model", found.model === "flat_rate" ? reasons.tell("flatRate") : found.model.toUpperCase()),
    )
}

const isIn = (currency: string, { currencies }: Money) => currencies.length === 0 || currencies.includes(currency)

function compareBudget(prices: readonly Price[], budget: Money, reasons: Reasons, assessment: Assessment): void {
  const price = cheapestOf(prices, budget)
  if (price === undefined) {
    if (!assessment.add(points.otherCurrency, false)) return
    const own = [...new Set(prices.map(({ currency }) => currency))]
    assessment.say(reasons.tell("currency", reasons.and(own), reasons.or(budget.currencies)))
    return
  }
  const limit = budget.most ?? Number.POSITIVE_INFINITY
  const { leastSpend: amount, currency } = price
  if (amount === 0) {
    if (assessment.add(points.noMinimum, true)) assessment.say(reasons.tell("noMinimum"))
    return
  }
  const fits = amount <= limit
  const isTold = assessment.add(fits ? points.withinBudget : points.overBudget * (0.5 + excess(amount, limit)), fits)
  if (!isTold) return
  const cost = reasons.tell(price.least === "time" ? price.model : price.least, reasons.amount(amount, currency))
  assessment.say(
    fits ? reasons.tell("withinBudget", cost) : reasons.tell("overBudget", cost, reasons.amount(limit, currency)),
  )
}

/** How far above the limit an amount is, up to 1 for twice as much. */
const excess = (amount: number, limit: number) => Math.min(1, Math.log2(amount / limit))

function cheapestOf(prices: readonly Price[], budget: Money): Price | undefined {
  let cheapest: Price | undefined
  for (const price of prices) {
    if (!isIn(price.currency, budget)) continue
    if (cheapest === undefined || price.leastSpend < cheapest.leastSpend) cheapest = price
  }
  return cheapest
}

/** Who names the most that a thousand impressions may cost does not want what costs more. */
function compareCeiling(
  prices: readonly Price[],
  model: string,
  asked: Money,
  reasons: Reasons,
  assessment: Assessment,
): void {
  const limit = asked.most
  let lowest: Price | undefined
  for (const price of prices) {
    if (price.model !== model || !isIn(price.currency, asked)) continue
    if (lowest === undefined || price.amount < lowest.amount) lowest = price
  }
  if (lowest === undefined || limit === undefined) return
  const isAbove = lowest.amount > limit
  if (!(isAbove ? assessment.refuse() : assessment.add(points.pricingModel, true))) return
  const price = reasons.amount(lowest.amount, lowest.currency)
  const cost = timeUnits.has(model)
    ? reasons.tell(model, price)
    : reasons.tell("costs", reasons.tell(model.toUpperCase()), price)
  assessment.say(reasons.tell(isAbove ? "overLimit" : "withinLimit", cost, reasons.amount(limit, lowest.currency)))
}

function compareDelivery({ deliveryType: own }: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  const fits = own === reading.deliveryType
  if (assessment.add(fits ? points.delivery : points.otherDelivery, fits))
    assessment.say(reasons.tell(own === "guaranteed" ? "guaranteed" : "auction"))
}

function comparePeriod(
  { lastMonth: last, months }: Traits,
  { reading, reasons }: ReadBrief,
  assessment: Assessment,
): void {
  const { period, today } = reading
  if (last !== undefined && last < (period?.from ?? today.slice(0, 7))) {
    if (assessment.add(points.expired, false)) assessment.say(reasons.tell("until", reasons.month(last)))
    return
  }
  if (months.size === 0 || period === undefined) return
  const fits = monthsOf(period).some((month) => months.has(month))
  const isTold = assessment.add(fits ? points.season : points.otherSeason, fits)
  if (isTold) assessment.say(reasons.tell(fits ? "inSeason" : "outOfSeason"))
}

/** The numbers of the months of a period, each once. */
function monthsOf({ from, to }: { from: string; to: string }): number[] {
  const [year = 0, month = 1] = from.split("-").map(Number)
  const [lastYear = 0, lastMonth = 1] = to.split("-").map(Number)
  const count = Math.min(12, (lastYear - year) * 12 + lastMonth - month + 1)
  return Array.from({ length: count }, (_, place) => ((month - 1 + place) % 12) + 1)
}
