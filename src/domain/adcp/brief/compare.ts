import { EVERYWHERE } from "../../keys/opening.ts"
import { covers } from "../catalogue/territory.ts"
import type { SeenProduct } from "../view.ts"
import { comparePrice } from "./compare-price.ts"
import type { Facts } from "./facts.ts"
import type { Finding } from "./finding.ts"
import { points } from "./points.ts"
import type { Reading } from "./read-brief.ts"
import { channelName, countriesText, deliveryName, monthText, shortened } from "./wording.ts"

/** Words of the brief that a product has, and what they are worth together. */
export interface WordHits {
  readonly score: number
  readonly words: readonly string[]
}

// A channel that serves the same purpose is worth a look.
const related: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  podcast: { streaming_audio: 0.4, radio: 0.3 },
  streaming_audio: { podcast: 0.4, radio: 0.5 },
  radio: { streaming_audio: 0.5, podcast: 0.3 },
  ctv: { linear_tv: 0.6, olv: 0.4 },
  linear_tv: { ctv: 0.6, cinema: 0.3 },
  olv: { ctv: 0.5, social: 0.3 },
  dooh: { ooh: 0.5 },
  ooh: { dooh: 0.5 },
  social: { influencer: 0.5 },
  influencer: { social: 0.5 },
  display: { retail_media: 0.2, email: 0.1 },
  retail_media: { display: 0.2, affiliate: 0.2 },
  gaming: { influencer: 0.2, social: 0.2 },
}
const WORDS_SHOWN_MAX = 8
// A score of text search at which most of the points for words are given.
const WORDS_SCALE = 8

/** Everything that a brief says about a product: what fits first. Looks at nothing but what the caller sees. */
export function compare(seen: SeenProduct, facts: Facts, hits: WordHits | undefined, reading: Reading): Finding[] {
  return [
    ...compareChannels(seen, reading),
    ...compareCountries(seen, reading),
    ...compareTopics(facts, hits, reading),
    ...compareFormats(facts, reading),
    ...compareDelivery(seen, reading),
    ...comparePrice(seen, reading),
    ...comparePeriod(seen, facts, reading),
  ]
}

function compareChannels({ product }: SeenProduct, { channels, unwantedChannels }: Reading): Finding[] {
  const own: readonly string[] = product.channels ?? []
  const unwanted = own.filter((channel) => unwantedChannels.has(channel))
  if (unwanted.length > 0) {
    const say = () => `${unwanted.map(channelName).join(", ")} is not wanted`
    return [{ points: points.channelUnwanted, fits: false, say }]
  }
  if (channels.size === 0) return []
  let best: { channel: string; share: number } | undefined
  for (const channel of own) {
    const share = channels.get(channel) ?? 0
    if (share > (best?.share ?? 0)) best = { channel, share }
  }
  if (best !== undefined) {
    const { channel, share } = best
    return [{ points: points.channel * share, fits: true, say: () => channelName(channel) }]
  }
  let near = 0
  for (const [asked, share] of channels) {
    for (const channel of own) near = Math.max(near, share * (related[asked]?.[channel] ?? 0))
  }
  const say = () =>
    `${own.length === 0 ? "no channel stated" : own.map(channelName).join(", ")}, not ${[...channels.keys()].map(channelName).join(" or ")}`
  return [{ points: points.channel * near, fits: false, say }]
}

function compareCountries({ territories }: SeenProduct, { countries, unwantedCountries }: Reading): Finding[] {
  if (countries.includes(EVERYWHERE)) {
    const fits = territories.includes(EVERYWHERE)
    return fits ? [{ points: points.everywhere, fits, say: () => "open everywhere" }] : []
  }
  if (countries.length > 0) {
    const open = countries.filter((country) => covers(territories, country))
    if (open.length === 0) {
      return [{ points: points.countriesMissing, fits: false, say: () => `not open in ${countriesText(countries)}` }]
    }
    // What is opened for just this country is meant for it.
    const share = territories.includes(EVERYWHERE) ? 0.8 : open.length / countries.length
    return [{ points: points.countries * (0.8 + 0.2 * share), fits: true, say: () => `open in ${countriesText(open)}` }]
  }
  const isOnlyUnwanted =
    unwantedCountries.length > 0 && territories.every((country) => unwantedCountries.includes(country))
  return isOnlyUnwanted
    ? [{ points: points.countriesMissing, fits: false, say: () => `open only in ${countriesText(territories)}` }]
    : []
}

function compareTopics({ topics }: Facts, hits: WordHits | undefined, reading: Reading): Finding[] {
  const findings: Finding[] = []
  const shared = reading.topics.filter((topic) => topics.has(topic))
  if (shared.length > 0) {
    const worth = shared.reduce((sum, topic) => sum + points.topic * (topics.get(topic) ?? 0), 0)
    findings.push({
      points: Math.min(points.topics, worth),
      fits: true,
      say: () => `about ${shortened(shared, WORDS_SHOWN_MAX)}`,
    })
  }
  if (hits !== undefined) {
    const worth = points.words * (1 - Math.exp(-hits.score / WORDS_SCALE))
    const say = () => (hits.words.length === 0 ? "" : `mentions ${shortened(hits.words, WORDS_SHOWN_MAX)}`)
    findings.push({ points: worth, fits: hits.words.length > 0, say })
  }
  return findings
}

function compareFormats({ features, lengths, pixels }: Facts, reading: Reading): Finding[] {
  const findings: Finding[] = []
  const shared = reading.features.filter((feature) => features.has(feature))
  if (shared.length > 0) {
    const worth = Math.min(points.features, points.feature * shared.length)
    findings.push({ points: worth, fits: true, say: () => shared.join(", ") })
  }
  if (reading.seconds.length > 0 && lengths.length > 0) {
    const taken = reading.seconds.filter((asked) => lengths.some(([least, most]) => asked >= least && asked <= most))
    const fits = taken.length > 0
    const say = () =>
      fits
        ? `takes ${taken.join(" or ")} seconds`
        : `takes ${lengths.map(lengthText).join(" or ")}, not ${reading.seconds.join(" or ")} seconds`
    findings.push({ points: fits ? points.length : points.otherLength, fits, say })
  }
  if (reading.pixels.length > 0 && pixels.size > 0) {
    const taken = reading.pixels.filter((size) => pixels.has(size))
    const fits = taken.length > 0
    findings.push({
      points: fits ? points.size : points.otherSize,
      fits,
      say: () => (fits ? `takes ${taken.join(", ")}` : `does not take ${reading.pixels.join(", ")}`),
    })
  }
  return findings
}

const lengthText = ([least, most]: readonly [number, number]) =>
  least === most ? `${most} seconds` : `up to ${most} seconds`

function compareDelivery({ product }: SeenProduct, { deliveryType }: Reading): Finding[] {
  if (deliveryType === undefined) return []
  const fits = product.delivery_type === deliveryType
  return [
    { points: fits ? points.delivery : points.otherDelivery, fits, say: () => deliveryName(product.delivery_type) },
  ]
}

function comparePeriod({ product }: SeenProduct, { months }: Facts, { period, today }: Reading): Finding[] {
  const last = product.expires_at?.slice(0, 7)
  if (last !== undefined && last < (period?.from ?? today.slice(0, 7))) {
    return [{ points: points.expired, fits: false, say: () => `offered until ${monthText(last)} only` }]
  }
  if (months.size === 0 || period === undefined) return []
  const asked = monthsOf(period)
  const fits = asked.some((month) => months.has(month))
  return [
    {
      points: fits ? points.season : points.otherSeason,
      fits,
      say: () => (fits ? "in its season" : "out of its season"),
    },
  ]
}

/** The numbers of the months of a period, each once. */
function monthsOf({ from, to }: { from: string; to: string }): number[] {
  const [year = 0, month = 1] = from.split("-").map(Number)
  const [lastYear = 0, lastMonth = 1] = to.split("-").map(Number)
  const count = Math.min(12, (lastYear - year) * 12 + lastMonth - month + 1)
  return Array.from({ length: count }, (_, place) => ((month - 1 + place) % 12) + 1)
}
