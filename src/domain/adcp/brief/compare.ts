import { EVERYWHERE } from "../../keys/opening.ts"
import { amountOf, leastSpend, type PricingOption } from "../schema/product/pricing-option.ts"
import type { SeenProduct } from "../seen-product.ts"
import type { Prepared } from "./prepared.ts"
import type { Money } from "./reading/money.ts"
import type { Reading, Term } from "./reading/read-brief.ts"
import type { Reasons } from "./reasons.ts"
import { isSameWord } from "./words/languages.ts"
import { subjectInside, subjectOf } from "./words/subjects.ts"

/** How far each fact moves a product. Only their differences matter. */
export const points = {
  channel: 8,
  relatedChannel: 2,
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
  ended: -12,
  delivery: 2.5,
  unwantedHint: -12,
} as const

const related = new Map(
  ["podcast streaming_audio radio", "ctv linear_tv olv", "dooh ooh", "social influencer"].flatMap((names) =>
    names.split(" ").map((name) => [name, names.split(" ")] as const),
  ),
)

const isRelated = (asked: readonly string[], own: readonly string[]) =>
  own.some((name) => related.get(name)?.some((each) => asked.includes(each)))

export type Tell = (reasons: Reasons) => string

/** What a brief says about products that are alike. Facts are put into words only where somebody asks for them. */
export class Verdict {
  score = 0
  /** Whether anything is as the brief wants it. */
  fits = false
  readonly #tells: Tell[] = []
  // Products that are alike share a verdict, so fifty of them have a few sentences.
  readonly #sentences = new Map<string, string>()

  add(score: number, fits: boolean, tell?: Tell): void {
    this.score += score
    this.fits ||= fits
    if (tell !== undefined) this.#tells.push(tell)
  }

  /** With the words that a product mentions; undefined where there is nothing to say. */
  sentence(reasons: Reasons, mentions: readonly string[]): string | undefined {
    if (mentions.length + this.#tells.length === 0) return undefined
    const key = mentions.join(" ")
    const before = this.#sentences.get(key)
    if (before !== undefined) return before
    const facts = this.#tells.map((tell) => tell(reasons))
    if (mentions.length > 0) facts.push(reasons.say("mentions", reasons.quoted(mentions)))
    const sentence = reasons.sentence(facts)
    this.#sentences.set(key, sentence)
    return sentence
  }
}

/** All but words, so that it is the same for products that are alike. */
export function compare({ product, territories }: SeenProduct, reading: Reading, verdict: Verdict): void {
  const { channels = [] } = product
  const same = channels.filter((channel) => reading.channels.includes(channel))
  if (same.length > 0) verdict.add(points.channel, true, (reasons) => reasons.channels(same))
  else if (isRelated(reading.channels, channels)) verdict.add(points.relatedChannel, false)
  if (reading.countries.length > 0) compareCountries(territories, reading.countries, verdict)
  else if (reading.mentioned.length > 0) {
    const isThere = territories.some((code) => code === EVERYWHERE || reading.mentioned.includes(code))
    verdict.add(isThere ? points.mentionedCountry : -points.mentionedCountry, false)
  }
  const { budget, prices, period } = reading
  for (const model of ["cpm", "cpc"] as const) {
    const limit = prices[model]
    if (limit !== undefined) comparePrice(product.pricing_options, model, limit, verdict)
  }
  if (reading.isGuaranteed) {
    const isSo = product.delivery_type === "guaranteed"
    verdict.add(isSo ? points.delivery : -points.delivery, isSo, isSo ? ({ say }) => say("guaranteed") : undefined)
  }
  if (budget !== undefined) compareBudget(product.pricing_options, budget, verdict)
  if (period !== undefined && product.expires_at !== undefined && product.expires_at.slice(0, 7) < period.from) {
    const day = product.expires_at.slice(0, 10)
    verdict.add(points.ended, false, ({ say }) => say("until", day))
  }
}

function compareCountries(territories: readonly string[], asked: readonly string[], verdict: Verdict): void {
  const open = asked.filter((code) => territories.includes(code))
  // One of several countries is a part of what was asked for; all of them is better.
  const part = 0.8 + (0.2 * open.length) / asked.length
  if (territories.includes(EVERYWHERE)) verdict.add(points.everywhere, true, ({ say }) => say("everywhere"))
  else if (open.length > 0)
    verdict.add(points.countries * part, true, ({ say, countries }) => say("shown", countries(open)))
  else verdict.add(points.elsewhere, false, ({ say, countries }) => say("notShown", countries(asked)))
}

const isFloor = (option: PricingOption) => option.fixed_price === undefined

/** The first of those that cost the least. */
const least = (options: PricingOption[], costOf: (option: PricingOption) => number) =>
  options.length > 1 ? options.sort((a, b) => costOf(a) - costOf(b))[0] : options[0]

function comparePrice(options: readonly PricingOption[], model: "cpm" | "cpc", limit: Money, verdict: Verdict): void {
  const own = options.filter(({ pricing_model, currency }) => pricing_model === model && currency === limit.currency)
  const option = least(own, amountOf)
  if (option === undefined) verdict.add(points.otherPrice, false)
  else {
    const amount = amountOf(option)
    const isWithin = amount <= limit.most
    const kind = isFloor(option) ? `${model}Floor` : model
    verdict.add(isWithin ? points.price : points.overPrice, isWithin, limited(kind, amount, limit))
  }
}

/** An amount beside the most that the brief allows. */
const limited =
  (kind: string, value: number, { most, currency }: Money): Tell =>
  ({ say, amount }) =>
    say(value <= most ? "within" : "above", say(kind, amount(value, currency)), amount(most, currency))

function compareBudget(options: readonly PricingOption[], budget: Money, verdict: Verdict): void {
  const own = options.filter(({ currency }) => currency === budget.currency)
  const option = least(own, leastSpend)
  const spend = option === undefined ? 0 : leastSpend(option)
  if (option === undefined) verdict.add(points.otherCurrency, false)
  else if (spend === 0) verdict.add(points.budget, false)
  else {
    const isWithin = spend <= budget.most
    const isWhole = option.pricing_model === "flat_rate" && spend === amountOf(option)
    const kind = isWhole ? (isFloor(option) ? "flatFloor" : "flat") : "least"
    verdict.add(isWithin ? points.budget : points.overBudget, isWithin, limited(kind, spend, budget))
  }
}

/** Tells of a product, as a reason, what of it is surely not wanted: such products come last, whatever else fits. */
export function refusing({ unwanted, language }: Reading): (seen: SeenProduct, prepared: Prepared) => Tell | undefined {
  if (unwanted.length === 0) return () => undefined
  const refusedCountries = unwanted.flatMap(({ countries }) => countries)
  const isAll = (own: readonly string[], refused: readonly string[]) =>
    own.length > 0 && own.every((each) => refused.includes(each))
  return ({ product, territories }, { words, traits, language: spoken = language ?? "en" }) => {
    const own: readonly string[] = product.channels ?? []
    const isSame = ({ stem, word }: Term) => {
      const same = words.get(stem)
      return same?.raw !== undefined && isSameWord(same.word, word, spoken)
    }
    const found = unwanted.findLast(
      ({ channels, countries, terms, trait }) =>
        (channels.length === 0 || isAll(own, channels)) &&
        (countries.length === 0 || isAll(territories, refusedCountries)) &&
        (trait === undefined || traits.has(trait)) &&
        terms.every(isSame),
    )
    if (found === undefined) return undefined
    const { channels, countries, terms, trait } = found
    const said = terms.map(({ stem }) => words.get(stem)?.raw ?? "")
    return (reasons) => {
      const facts = [
        trait === undefined
          ? reasons.channels(channels.filter((channel) => own.includes(channel)))
          : reasons.say(trait),
        reasons.quoted(said),
        countries.length > 0 ? reasons.say("onlyIn", reasons.countries(countries)) : "",
      ]
      return reasons.say("unwanted", facts.filter(Boolean).join(", "))
    }
  }
}

/** Points that a product loses by what may be unwanted. */
export function hinting({ hints, language }: Reading): (prepared: Prepared) => number {
  if (hints.length === 0) return () => 0
  const all = hints.map((terms) =>
    terms.flatMap(({ stem, word }) => subjectOf(stem, language) ?? subjectInside(word, language) ?? []),
  )
  return ({ subjects }) =>
    points.unwantedHint * all.filter((each) => each.length > 0 && each.every((subject) => subjects.has(subject))).length
}
