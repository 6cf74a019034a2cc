import { EVERYWHERE } from "../../keys/opening.ts"
import type { Assessment } from "./assessment.ts"
import { compareFormats } from "./compare-formats.ts"
import { comparePrice } from "./compare-price.ts"
import { points, related } from "./points.ts"
import type { Reading } from "./reading/read-brief.ts"
import { type SubsetTexts, subsetTexts } from "./subset-texts.ts"
import type { About, Terms } from "./traits.ts"
import {
  askedChannelsText,
  channelName,
  channelsText,
  countriesText,
  deliveryName,
  monthText,
  shortened,
} from "./wording.ts"

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

/** What comes before the words of the brief that a product has. */
export function compareAbout(about: About, brief: ReadBrief, assessment: Assessment): void {
  compareChannels(about, brief.reading, assessment)
  compareCountries(about, brief, assessment)
  compareTopics(about, brief, assessment)
}

/** What comes after them. */
export function compareTerms(terms: Terms, { reading, texts }: ReadBrief, assessment: Assessment): void {
  compareFormats(terms, reading, texts.features, assessment)
  compareDelivery(terms, reading, assessment)
  comparePrice(terms, reading, assessment)
  comparePeriod(terms, reading, assessment)
}

function compareChannels({ channels: own }: About, reading: Reading, assessment: Assessment): void {
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

function compareCountries({ territories }: About, { reading, texts }: ReadBrief, assessment: Assessment): void {
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

function compareTopics({ topics }: About, { reading, texts }: ReadBrief, assessment: Assessment): void {
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

function compareDelivery({ deliveryType: own }: Terms, { deliveryType }: Reading, assessment: Assessment): void {
  if (deliveryType === undefined) return
  const fits = own === deliveryType
  if (assessment.add(fits ? points.delivery : points.otherDelivery, fits)) assessment.say(deliveryName(own))
}

function comparePeriod({ lastMonth: last, months }: Terms, reading: Reading, assessment: Assessment): void {
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
