import { EVERYWHERE } from "../../keys/opening.ts"
import { type Assessment, points, related, type SubsetTexts, subsetTexts } from "./assessment.ts"
import type { Money } from "./reading/amounts.ts"
import type { Reading } from "./reading/read-brief.ts"
import type { Price, Traits } from "./traits.ts"
import {
  amountText,
  askedChannelsText,
  channelName,
  channelsText,
  countriesText,
  deliveryName,
  monthText,
  shortened,
} from "./wording.ts"

function compareFeatures({ features }: Traits, { reading, texts }: ReadBrief, assessment: Assessment): void {
  let count = 0
  let shared = 0
  let bit = 1
  for (const feature of reading.features) {
    if (features.has(feature)) {
      count++
      shared += bit
    }
    bit *= 2
  }
  if (count === 0) return
  if (assessment.add(Math.min(points.features, points.feature * count), true)) assessment.say(texts.features(shared))
}

function compareLengths({ lengths }: Traits, { reading: { seconds } }: ReadBrief, assessment: Assessment): void {
  if (lengths.length === 0) return
  const taken = seconds.filter((asked) => lengths.some(([least, most]) => asked >= least && asked <= most))
  const fits = taken.length > 0
  if (!assessment.add(fits ? points.length : points.otherLength, fits)) return
  const offered = [...new Set(lengths.map(lengthText))].join(" or ")
  assessment.say(fits ? `takes ${taken.join(" or ")} seconds` : `takes ${offered}, not ${seconds.join(" or ")} seconds`)
}

function lengthText([least, most]: readonly [number, number]): string {
  return least === most ? `${most} seconds` : `up to ${most} seconds`
}

function comparePixels({ pixels }: Traits, { reading }: ReadBrief, assessment: Assessment): void {
  if (pixels.size === 0) return
  const taken = reading.pixels.filter((size) => pixels.has(size))
  const fits = taken.length > 0
  if (!assessment.add(fits ? points.size : points.otherSize, fits)) return
  assessment.say(fits ? `takes ${taken.join(", ")}` : `does not take ${reading.pixels.join(", ")}`)
}

/** What the budget and the prices named in a brief mean for the product. Amounts in different currencies are not compared. */
function comparePrice({ prices }: Traits, { reading }: ReadBrief, assessment: Assessment): void {
  const { budget, cpm, pricingModels } = reading
  if (budget !== undefined) compareBudget(prices, budget, assessment)
  if (cpm !== undefined) compareCpm(prices, cpm, assessment)
  if (pricingModels.length > 0) compareModels(prices, pricingModels, assessment)
}

const isIn = (currency: string, { currencies }: Money) => currencies.length === 0 || currencies.includes(currency)

function compareBudget(prices: readonly Price[], budget: Money, assessment: Assessment): void {
  const price = cheapestOf(prices, budget)
  if (price === undefined) {
    if (!assessment.add(points.otherCurrency, false)) return
    const own = new Set(prices.map(({ currency }) => currency))
    assessment.say(`priced in ${[...own].join(", ")}, not ${budget.currencies.join(" or ")}`)
    return
  }
  const limit = budget.most ?? Number.POSITIVE_INFINITY
  const amount = price.leastSpend
  if (amount === 0) {
    if (assessment.add(points.noMinimum, true)) assessment.say("no minimum spend")
    return
  }
  const fits = amount <= limit
  const isTold = assessment.add(fits ? points.withinBudget : points.overBudget * (0.5 + excess(amount, limit)), fits)
  if (!isTold) return
  const cost = `${price.isFlat ? "flat price" : "minimum spend"} ${amountText(amount, price.currency)}`
  assessment.say(fits ? `${cost} is within the budget` : `${cost} is above the ${amountText(limit)} in the brief`)
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

function compareCpm(prices: readonly Price[], cpm: Money, assessment: Assessment): void {
  const limit = cpm.most
  const priced = prices.filter(({ model, currency }) => model === "cpm" && isIn(currency, cpm))
  const [first] = priced
  if (first === undefined || limit === undefined) return
  const lowest = Math.min(...priced.map(({ amount }) => amount))
  const fits = lowest <= limit
  if (!assessment.add(fits ? points.withinBudget : points.overBudget / 2, fits)) return
  assessment.say(
    `CPM ${amountText(lowest, first.currency)} is ${fits ? "within" : "above"} the ${amountText(limit)} in the brief`,
  )
}

function compareModels(prices: readonly Price[], asked: readonly string[], assessment: Assessment): void {
  const found = prices.find(({ model }) => asked.includes(model))
  if (found === undefined || !assessment.add(points.pricingModel, true)) return
  assessment.say(`priced by ${found.model === "flat_rate" ? "flat rate" : found.model.toUpperCase()}`)
}

/** A brief that was read, with what is said of many products, made once. */
export interface ReadBrief {
  readonly reading: Reading
  readonly texts: BriefTexts
}

interface BriefTexts {
  readonly openInAll: string
  readonly notOpen: string
  readonly topics: SubsetTexts
  readonly features: SubsetTexts
}

const TOPICS_SHOWN_MAX = 8

export function briefTexts({ countries, topics, features }: Reading): BriefTexts {
  const named = countriesText(countries)
  return {
    openInAll: `open in ${named}`,
    notOpen: `not open in ${named}`,
    topics: subsetTexts(topics, (chosen) => `about ${shortened(chosen, TOPICS_SHOWN_MAX)}`),
    features: subsetTexts(features, (chosen) => chosen.join(", ")),
  }
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
    traits: ["channels"],
    isAsked: ({ channels, unwantedChannels }) => channels.size + unwantedChannels.size > 0,
    compare: compareChannels,
  },
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
    isAsked: ({ budget, cpm, pricingModels }) => budget !== undefined || cpm !== undefined || pricingModels.length > 0,
    compare: comparePrice,
  },
  { traits: ["lastMonth", "months"], isAsked: () => true, compare: comparePeriod },
]

function compareChannels({ channels: own }: Traits, { reading }: ReadBrief, assessment: Assessment): void {
  const { channels, unwantedChannels } = reading
  let best: string | undefined
  let share = 0
  for (const channel of own) {
    if (unwantedChannels.has(channel)) {
      if (assessment.add(points.channelUnwanted, false)) assessment.say(`${channelName(channel)} is not wanted`)
      return
    }
    const asked = channels.get(channel) ?? 0
    if (asked > share) [best, share] = [channel, asked]
  }
  if (channels.size === 0) return
  if (best !== undefined) {
    if (assessment.add(points.channel * share, true)) assessment.say(channelName(best))
  } else if (assessment.add(points.channel * nearness(own, channels), false)) {
    const stated = own.length === 0 ? "no channel stated" : channelsText(own)
    assessment.say(`${stated}, not ${askedChannelsText(channels)}`)
  }
}

function nearness(own: readonly string[], channels: ReadonlyMap<string, number>): number {
  let near = 0
  for (const [asked, share] of channels) {
    for (const channel of own) near = Math.max(near, share * (related[asked]?.[channel] ?? 0))
  }
  return near
}

function compareCountries({ territories }: Traits, { reading, texts }: ReadBrief, assessment: Assessment): void {
  const { countries, unwantedCountries } = reading
  const isEverywhere = territories.includes(EVERYWHERE)
  if (countries.length === 0) {
    const isUnwanted = unwantedCountries.length > 0 && territories.every((code) => unwantedCountries.includes(code))
    if (isUnwanted && assessment.add(points.countriesMissing, false))
      assessment.say(`open only in ${countriesText(territories)}`)
    return
  }
  if (countries.includes(EVERYWHERE)) {
    if (isEverywhere && assessment.add(points.everywhere, true)) assessment.say("open everywhere")
    return
  }
  let open = 0
  for (const country of countries) if (isEverywhere || territories.includes(country)) open++
  if (open === 0) {
    if (assessment.add(points.countriesMissing, false)) assessment.say(texts.notOpen)
    return
  }
  // What is opened for just this country is meant for it.
  const share = isEverywhere ? 0.8 : open / countries.length
  if (assessment.add(points.countries * (0.8 + 0.2 * share), true)) {
    const named = () => countries.filter((country) => territories.includes(country))
    assessment.say(open === countries.length ? texts.openInAll : `open in ${countriesText(named())}`)
  }
}

function compareTopics({ topics }: Traits, { reading, texts }: ReadBrief, assessment: Assessment): void {
  let worth = 0
  let shared = 0
  let bit = 1
  for (const topic of reading.topics) {
    const weight = topics.get(topic) ?? 0
    if (weight > 0) shared += bit
    worth += points.topic * weight
    bit *= 2
  }
  if (worth > 0 && assessment.add(Math.min(points.topics, worth), true)) assessment.say(texts.topics(shared))
}

function compareDelivery({ deliveryType: own }: Traits, { reading }: ReadBrief, assessment: Assessment): void {
  const fits = own === reading.deliveryType
  if (assessment.add(fits ? points.delivery : points.otherDelivery, fits)) assessment.say(deliveryName(own))
}

function comparePeriod({ lastMonth: last, months }: Traits, { reading }: ReadBrief, assessment: Assessment): void {
  const { period, today } = reading
  if (last !== undefined && last < (period?.from ?? today.slice(0, 7))) {
    if (assessment.add(points.expired, false)) assessment.say(`offered until ${monthText(last)} only`)
    return
  }
  if (months.size === 0 || period === undefined) return
  const fits = monthsOf(period).some((month) => months.has(month))
  const isTold = assessment.add(fits ? points.season : points.otherSeason, fits)
  if (isTold) assessment.say(fits ? "in its season" : "out of its season")
}

/** The numbers of the months of a period, each once. */
function monthsOf({ from, to }: { from: string; to: string }): number[] {
  const [year = 0, month = 1] = from.split("-").map(Number)
  const [lastYear = 0, lastMonth = 1] = to.split("-").map(Number)
  const count = Math.min(12, (lastYear - year) * 12 + lastMonth - month + 1)
  return Array.from({ length: count }, (_, place) => ((month - 1 + place) % 12) + 1)
}
