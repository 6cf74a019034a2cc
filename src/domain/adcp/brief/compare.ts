import { EVERYWHERE } from "../../keys/opening.ts"
import type { SeenProduct } from "../view.ts"
import type { Assessment } from "./assessment.ts"
import { compareFormats } from "./compare-formats.ts"
import { comparePrice } from "./compare-price.ts"
import type { Facts } from "./facts.ts"
import { points, related } from "./points.ts"
import type { Reading } from "./reading/read-brief.ts"
import { type SubsetTexts, subsetTexts } from "./subset-texts.ts"
import type { HitsOfWord } from "./topic-index.ts"
import {
  askedChannelsText,
  channelName,
  channelsText,
  countriesText,
  deliveryName,
  monthText,
  shortened,
} from "./wording.ts"

/** A brief that was read, with the products that have each of its words. */
export interface ReadBrief {
  readonly reading: Reading
  /** In the order of `reading.words`. */
  readonly hits: readonly HitsOfWord[]
  readonly texts: BriefTexts
}

/** What is said of many products, made once. */
interface BriefTexts {
  readonly openInAll: string
  readonly notOpen: string
  readonly topics: SubsetTexts
  readonly words: SubsetTexts
  readonly features: SubsetTexts
}

const WORDS_SHOWN_MAX = 8

const mentions = (words: readonly string[]) => `mentions ${shortened(words, WORDS_SHOWN_MAX)}`

export function briefTexts({ countries, topics, words, features }: Reading): BriefTexts {
  const named = countriesText(countries)
  return {
    openInAll: `open in ${named}`,
    notOpen: `not open in ${named}`,
    topics: subsetTexts(topics, (chosen) => `about ${shortened(chosen, WORDS_SHOWN_MAX)}`),
    words: subsetTexts(
      words.map(({ word }) => word),
      mentions,
    ),
    features: subsetTexts(features, (chosen) => chosen.join(", ")),
  }
}

// A score of text search at which most of the points for words are given.
const WORDS_SCALE = 8

/** Assesses a product by everything that a brief says. Looks at nothing but what the caller sees. */
export function compare(seen: SeenProduct, facts: Facts, brief: ReadBrief, assessment: Assessment): void {
  const { reading, texts } = brief
  compareChannels(seen, reading, assessment)
  compareCountries(seen, brief, assessment)
  compareTopics(facts, brief, assessment)
  compareWords(seen, brief, assessment)
  compareFormats(facts, reading, texts.features, assessment)
  compareDelivery(seen, reading, assessment)
  comparePrice(seen, reading, assessment)
  comparePeriod(seen, facts, reading, assessment)
}

const NO_CHANNELS: readonly string[] = []

function compareChannels({ product }: SeenProduct, reading: Reading, assessment: Assessment): void {
  const { channels, unwantedChannels } = reading
  const own: readonly string[] = product.channels ?? NO_CHANNELS
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

function compareCountries({ territories }: SeenProduct, { reading, texts }: ReadBrief, assessment: Assessment): void {
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

function compareTopics({ topics }: Facts, { reading, texts }: ReadBrief, assessment: Assessment): void {
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

function compareWords({ id }: SeenProduct, brief: ReadBrief, assessment: Assessment): void {
  const { words } = brief.reading
  let score = 0
  let named = 0
  let isAsWritten = true
  for (let place = 0; place < words.length; place++) {
    const hit = brief.hits[place]?.get(id)
    const weight = words[place]?.weight ?? 0
    if (hit === undefined) continue
    score += hit.score * weight
    // What kind of product it is, its channel says already.
    if (weight < 1) continue
    named += 2 ** place
    isAsWritten &&= hit.word === undefined
  }
  if (score === 0) return
  const isTold = assessment.add(points.words * (1 - Math.exp(-score / WORDS_SCALE)), named > 0)
  if (!isTold || named === 0) return
  assessment.say(isAsWritten ? brief.texts.words(named) : mentions(wordsFound(id, brief)))
}

/** The words of a brief as a product has them, each once. */
function wordsFound(id: string, { reading: { words }, hits }: ReadBrief): string[] {
  const found = words.flatMap(({ word, weight }, place) => {
    const hit = weight === 1 ? hits[place]?.get(id) : undefined
    return hit === undefined ? [] : [hit.word ?? word]
  })
  return [...new Set(found)]
}

function compareDelivery({ product }: SeenProduct, { deliveryType }: Reading, assessment: Assessment): void {
  if (deliveryType === undefined) return
  const fits = product.delivery_type === deliveryType
  if (assessment.add(fits ? points.delivery : points.otherDelivery, fits))
    assessment.say(deliveryName(product.delivery_type))
}

function comparePeriod({ product }: SeenProduct, { months }: Facts, reading: Reading, assessment: Assessment): void {
  const { period, today } = reading
  const last = product.expires_at?.slice(0, 7)
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
