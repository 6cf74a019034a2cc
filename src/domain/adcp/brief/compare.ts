import { EVERYWHERE } from "../../keys/opening.ts"
import { type Assessment, points, related } from "./assessment.ts"
import type { Money } from "./reading/amounts.ts"
import { type Reading, timeUnits } from "./reading/read-brief.ts"
import type { Unwanted } from "./reading/targets.ts"
import type { Reasons } from "./reasons.ts"
import type { Price, Traits } from "./traits.ts"
import { distinctWords } from "./word-matches.ts"

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
    traits: ["channels", "topics", "wordByTopic", "features", "territories"],
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

function compareUnwanted(traits: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  const unwanted = reading.unwanted.find((thing) => isThing(traits, thing))
  if (unwanted !== undefined) assessment.refuse(() => unwantedText(traits, unwanted, reasons))
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

function unwantedText(about: Traits, unwanted: Unwanted, reasons: Reasons): string {
  const words = distinctWords(unwanted.topics.map((topic) => about.wordByTopic.get(topic)))
  if (words.length > 0) return reasons.tell("unwantedWords", reasons.quoted(words))
  const features = unwanted.features.filter((feature) => about.features.has(feature))
  if (features.length > 0) return reasons.tell("unwantedOffers", reasons.and(features))
  const channels = about.channels.filter((channel) => unwanted.channels.includes(channel))
  return reasons.tell("unwantedIs", reasons.is(channels))
}

const isOnlyIn = ({ territories }: Traits, countries: readonly string[]) =>
  territories.length > 0 && territories.every((code) => countries.includes(code))

function compareChannels({ channels: own }: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  const { channels } = reading
  let best: string | undefined
  let share = 0
  for (const channel of own) {
    const question = channels.get(channel) ?? 0
    if (question > share) [best, share] = [channel, question]
  }
  if (best === undefined)
    assessment.add(points.channel * nearness(own, channels), false, () => reasons.isOther(own, [...channels.keys()]))
  else assessment.add(points.channel * share, true, () => reasons.is([best]))
}

function nearness(own: readonly string[], channels: ReadonlyMap<string, number>): number {
  let near = 0
  for (const [wanted, share] of channels) {
    for (const channel of own) near = Math.max(near, share * (related[wanted]?.[channel] ?? 0))
  }
  return near
}

function compareCountries(about: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  const { countries, unwantedCountries } = reading
  const { territories } = about
  const isEverywhere = territories.includes(EVERYWHERE)
  const told = (fact: string, codes: readonly string[]) => () => reasons.tell(fact, reasons.places(codes))
  const open = isEverywhere ? countries : countries.filter((country) => territories.includes(country))
  if (isOnlyIn(about, unwantedCountries)) assessment.refuse(told("onlyIn", territories))
  else if (countries.includes(EVERYWHERE)) {
    if (isEverywhere) assessment.add(points.everywhere, true, () => reasons.tell("everywhere"))
  } else if (open.length > 0) {
    // What is opened for just this country is meant for it.
    const share = isEverywhere ? 0.8 : open.length / countries.length
    assessment.add(points.countries * (0.8 + 0.2 * share), true, told("open", open))
  } else if (countries.length > 0) assessment.add(points.countriesMissing, false, told("notOpen", countries))
}

/** Which words tell the topic is said with the other words of the product. */
function compareTopics({ topics }: Traits, { reading }: ReadBrief, assessment: Assessment): void {
  let worth = 0
  for (const topic of reading.topics) worth += points.topic * (topics.get(topic) ?? 0)
  if (worth > 0) assessment.add(Math.min(points.topics, worth), true)
}

function compareFeatures({ features }: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  const shared = reading.features.filter((feature) => features.has(feature))
  const worth = Math.min(points.features, points.feature * shared.length)
  if (worth > 0) assessment.add(worth, true, () => reasons.tell("offers", reasons.and(shared)))
}

function compareLengths({ lengths }: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  if (lengths.length === 0) return
  const { seconds } = reading
  const taken = seconds.filter((length) => lengths.some(([least, most]) => length >= least && length <= most))
  const other = () => {
    const offered = lengths.map(([least, most]) => (least === most ? `${most}` : reasons.tell("upTo", `${most}`)))
    return reasons.tell("otherSeconds", reasons.or([...new Set(offered)]), reasons.or(seconds.map(String)))
  }
  if (taken.length === 0) assessment.add(points.otherLength, false, other)
  else assessment.add(points.length, true, () => reasons.tell("seconds", reasons.or(taken.map(String))))
}

function comparePixels({ pixels }: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  if (pixels.size === 0) return
  const taken = reading.pixels.filter((size) => pixels.has(size))
  if (taken.length > 0) assessment.add(points.size, true, () => reasons.tell("size", reasons.and(taken)))
  else assessment.add(points.otherSize, false, () => reasons.tell("otherSize", reasons.or(reading.pixels)))
}

/** What the budget and the prices named in a brief mean for the product. Amounts in different currencies are not compared. */
function comparePrice({ prices }: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  const { budget, pricingModels } = reading
  if (budget !== undefined) compareBudget(prices, budget, reasons, assessment)
  for (const model in reading.prices) compareCeiling(prices, model, reading.prices[model] as Money, reasons, assessment)
  const model = prices.find((price) => pricingModels.includes(price.model))?.model
  if (model === undefined) return
  assessment.add(points.pricingModel, true, () =>
    reasons.tell("model", model === "flat_rate" ? reasons.tell("flatRate") : model.toUpperCase()),
  )
}

/** Of the prices in the currency of an amount, the one with the least of something. */
function lowestOf(prices: readonly Price[], { currencies }: Money, what: "amount" | "leastSpend"): Price | undefined {
  let lowest: Price | undefined
  for (const price of prices) {
    if (currencies.length > 0 && !currencies.includes(price.currency)) continue
    if (lowest === undefined || price[what] < lowest[what]) lowest = price
  }
  return lowest
}

function compareBudget(prices: readonly Price[], budget: Money, reasons: Reasons, assessment: Assessment): void {
  const price = lowestOf(prices, budget, "leastSpend")
  if (price === undefined) {
    const own = () => reasons.and([...new Set(prices.map(({ currency }) => currency))])
    assessment.add(points.otherCurrency, false, () => reasons.tell("currency", own(), reasons.or(budget.currencies)))
    return
  }
  const { leastSpend: amount, currency, least, model } = price
  const limit = budget.most ?? Number.POSITIVE_INFINITY
  const cost = () => reasons.tell(least === "time" ? model : least, reasons.amount(amount, currency))
  if (amount === 0) assessment.add(points.noMinimum, true, () => reasons.tell("noMinimum"))
  else if (amount <= limit) assessment.add(points.withinBudget, true, () => reasons.tell("withinBudget", cost()))
  else
    assessment.add(points.overBudget * (0.5 + excess(amount, limit)), false, () =>
      reasons.tell("overBudget", cost(), reasons.amount(limit, currency)),
    )
}

/** How far above the limit an amount is, up to 1 for twice as much. */
const excess = (amount: number, limit: number) => Math.min(1, Math.log2(amount / limit))

/** Who names the most that a thousand impressions may cost does not want what costs more. */
function compareCeiling(
  prices: readonly Price[],
  model: string,
  question: Money,
  reasons: Reasons,
  assessment: Assessment,
): void {
  const { most: limit } = question
  const ofModel = prices.filter((price) => price.model === model)
  const lowest = lowestOf(ofModel, question, "amount")
  if (lowest === undefined || limit === undefined) return
  const { amount, currency } = lowest
  const told = (fact: string) => () => {
    const price = reasons.amount(amount, currency)
    const isByTime = timeUnits.has(model)
    const cost = isByTime ? reasons.tell(model, price) : reasons.tell("costs", reasons.tell(model.toUpperCase()), price)
    return reasons.tell(fact, cost, reasons.amount(limit, currency))
  }
  if (amount > limit) assessment.refuse(told("overLimit"))
  else assessment.add(points.pricingModel, true, told("withinLimit"))
}

function compareDelivery({ deliveryType: own }: Traits, { reading, reasons }: ReadBrief, assessment: Assessment): void {
  const fits = own === reading.deliveryType
  const fact = own === "guaranteed" ? "guaranteed" : "auction"
  assessment.add(fits ? points.delivery : points.otherDelivery, fits, () => reasons.tell(fact))
}

function comparePeriod(
  { lastMonth: last, months }: Traits,
  { reading, reasons }: ReadBrief,
  assessment: Assessment,
): void {
  const { period, today } = reading
  if (last !== undefined && last < (period?.from ?? today.slice(0, 7)))
    assessment.add(points.expired, false, () => reasons.tell("until", reasons.month(last)))
  else if (months.size > 0 && period !== undefined) {
    const fits = monthsOf(period).some((month) => months.has(month))
    const fact = fits ? "inSeason" : "outOfSeason"
    assessment.add(fits ? points.season : points.otherSeason, fits, () => reasons.tell(fact))
  }
}

/** The numbers of the months of a period, each once. */
function monthsOf({ from, to }: { from: string; to: string }): number[] {
  const [year = 0, month = 1] = from.split("-").map(Number)
  const [lastYear = 0, lastMonth = 1] = to.split("-").map(Number)
  const count = Math.min(12, (lastYear - year) * 12 + lastMonth - month + 1)
  return Array.from({ length: count }, (_, place) => ((month - 1 + place) % 12) + 1)
}
