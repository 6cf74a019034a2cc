import { EVERYWHERE } from "../../keys/opening.ts"
import { capitalized } from "../../text/short-text.ts"
import { amountOf, leastSpend, type PricingOption } from "../schema/product/pricing-option.ts"
import type { SeenProduct } from "../seen-product.ts"
import { amountText } from "../text.ts"
import { codesText } from "./facts.ts"
import type { Money } from "./reading/money.ts"
import type { Reading } from "./reading/read-brief.ts"
import { channelName } from "./words/channels.ts"

/** How far each fact moves a product. Only their differences matter. */
export const points = {
  channel: 8,
  relatedChannel: 2,
  doubtfulChannel: -4,
  countries: 7,
  everywhere: 5,
  elsewhere: -7,
  mentionedCountry: 3.5,
  language: 1,
  budget: 1.5,
  overBudget: -3,
  otherCurrency: -1,
  price: 3,
  overPrice: -12,
  otherPrice: -1,
  delivery: 2.5,
} as const

const related = new Map(
  ["podcast streaming_audio radio", "ctv linear_tv olv", "dooh ooh", "social influencer"].flatMap((names) =>
    names.split(" ").map((name) => [name, names.split(" ")] as const),
  ),
)

const isRelated = (asked: readonly string[], own: readonly string[]) =>
  own.some((name) => related.get(name)?.some((each) => asked.includes(each)))

/** What a brief asks for and whether a product has it; only what is asked for. */
export type Matches = Partial<Record<"channel" | "country" | "budget" | "price" | "delivery_type", boolean>>

/** A product beside a brief, all but its words: the same for products that are alike. */
export interface Comparison {
  score: number
  readonly matches: Matches
  /** What of that which is asked for, or perhaps asked for, it is not. */
  readonly misses: { channel: boolean; country: boolean }
  /** What of it is surely not wanted. */
  readonly refused: "channel" | "country" | undefined
  /** What the product is, of what is asked for, where somebody wants to know: most products are only compared. */
  readonly facts: string[] | undefined
}

export function compare({ product, territories }: SeenProduct, reading: Reading, facts?: string[]): Comparison {
  const channels: readonly string[] = product.channels ?? []
  const refused = refusedIn(channels, territories, reading)
  const found: Comparison = { score: 0, matches: {}, misses: { channel: false, country: false }, refused, facts }
  compareChannels(channels, reading, found)
  compareCountries(territories, reading, found)
  for (const model of ["cpm", "cpc"] as const) {
    const limit = reading.prices[model]
    if (limit !== undefined) comparePrice(product.pricing_options, model, limit, found)
  }
  if (reading.isGuaranteed) {
    const isSo = product.delivery_type === "guaranteed"
    note(found, "delivery_type", isSo, isSo ? points.delivery : -points.delivery)
    if (isSo) facts?.push("guaranteed delivery")
  }
  if (reading.budget !== undefined) compareBudget(product.pricing_options, reading.budget, found)
  return found
}

/** What is said of a product: why it is not wanted, or what it is of what is asked for. Undefined where nothing matches. */
export function sentenceFor(seen: SeenProduct, reading: Reading): string | undefined {
  const facts: string[] = []
  const { refused, matches } = compare(seen, reading, facts)
  if (refused === "channel") return `Not wanted: ${(seen.product.channels ?? []).map(channelName).join(", ")}.`
  if (refused === "country") return `Not wanted: shown only in ${codesText(seen.territories)}.`
  const text = Object.values(matches).includes(true) ? facts.join(", ") : ""
  return text === "" ? undefined : `${capitalized(text)}.`
}

function note(found: Comparison, what: keyof Matches, isSo: boolean, score: number): void {
  found.score += score
  found.matches[what] = isSo && found.matches[what] !== false
}

const isAll = (own: readonly string[], refused: readonly string[]) =>
  refused.length > 0 && own.length > 0 && own.every((each) => refused.includes(each))

function refusedIn(channels: readonly string[], territories: readonly string[], { without }: Reading) {
  if (isAll(channels, without.channels)) return "channel"
  return isAll(territories, without.countries) ? "country" : undefined
}

function compareChannels(own: readonly string[], reading: Reading, found: Comparison): void {
  const { channels, named, doubtful } = reading
  // What a product is that names no channel is unknown.
  if (own.length === 0) return
  const same = channels.length === 0 ? [] : own.filter((channel) => channels.includes(channel))
  const isNamed = own.some((channel) => named.channels.includes(channel))
  found.misses.channel = same.length === 0 && !isNamed && channels.length + named.channels.length > 0
  if (same.length > 0) {
    note(found, "channel", true, points.channel)
    found.facts?.push(same.map(channelName).join(", "))
  } else if (isNamed) {
    // Perhaps asked for: that it matches is not said, nor that it does not.
    found.score += points.channel
    return
  } else if (isAll(own, doubtful)) found.score += points.doubtfulChannel
  else if (isRelated(channels, own) || isRelated(named.channels, own)) found.score += points.relatedChannel
  // That it is not what is refused does not make it what is asked for.
  if (channels.length > 0) found.matches.channel ??= false
  if (found.refused === "channel") found.matches.channel = false
}

function compareCountries(territories: readonly string[], reading: Reading, found: Comparison): void {
  const { countries, named, mentioned } = reading
  if (found.refused === "country") found.matches.country = false
  const isEverywhere = territories.includes(EVERYWHERE)
  const isSaid = countries.length > 0
  const asked = isSaid ? countries : named.countries
  const open = asked.filter((code) => territories.includes(code))
  if (asked.length === 0) {
    const isThere = isEverywhere || mentioned.some((code) => territories.includes(code))
    if (mentioned.length > 0) found.score += isThere ? points.mentionedCountry : -points.mentionedCountry
    return
  }
  // One of several countries is a part of what was asked for; all of them is better.
  const part = points.countries * (0.8 + (0.2 * open.length) / asked.length)
  found.score += isEverywhere ? points.everywhere : open.length > 0 ? part : points.elsewhere
  found.misses.country = !isEverywhere && open.length === 0
  // Of those that are perhaps asked for nothing is said.
  if (!isSaid) return
  note(found, "country", isEverywhere || open.length > 0, 0)
  if (isEverywhere) found.facts?.push("shown everywhere")
  else found.facts?.push(open.length > 0 ? `shown in ${codesText(open)}` : `not shown in ${codesText(countries)}`)
}

const isFloor = (option: PricingOption) => option.fixed_price === undefined

/** The first of those that cost the least. */
const least = (options: PricingOption[], costOf: (option: PricingOption) => number) =>
  options.length > 1 ? options.sort((a, b) => costOf(a) - costOf(b))[0] : options[0]

function comparePrice(options: readonly PricingOption[], model: "cpm" | "cpc", limit: Money, found: Comparison): void {
  const own = options.filter(({ pricing_model, currency }) => pricing_model === model && currency === limit.currency)
  const option = least(own, amountOf)
  if (option === undefined) found.score += points.otherPrice
  else {
    const isWithin = amountOf(option) <= limit.most
    note(found, "price", isWithin, isWithin ? points.price : points.overPrice)
    if (found.facts === undefined) return
    const price = `${amountText(amountOf(option), limit.currency)} ${model.toUpperCase()}${isFloor(option) ? " floor" : ""}`
    found.facts.push(isWithin ? price : `${price}, too high`)
  }
}

function compareBudget(options: readonly PricingOption[], budget: Money, found: Comparison): void {
  const own = options.filter(({ currency }) => currency === budget.currency)
  const option = least(own, leastSpend)
  const spend = option === undefined ? 0 : leastSpend(option)
  if (option === undefined) found.score += points.otherCurrency
  else if (spend === 0) found.score += points.budget
  else {
    const isWithin = spend <= budget.most
    note(found, "budget", isWithin, isWithin ? points.budget : points.overBudget)
    const minimum = found.facts && `minimum ${amountText(spend, budget.currency)}`
    if (minimum !== undefined) found.facts?.push(isWithin ? minimum : `${minimum}, above the budget`)
  }
}
