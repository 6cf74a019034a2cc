import { EVERYWHERE } from "../../keys/opening.ts"
import { territoryNames } from "../catalogue/territory.ts"
import { amountText } from "../text.ts"
import type { Money } from "./reading/amounts.ts"
import type { Period } from "./reading/periods.ts"
import { type Reading, timeUnits } from "./reading/read-brief.ts"
import { isChannelAlone, type Unwanted } from "./reading/targets.ts"

const channelNames: Readonly<Record<string, string>> = {
  olv: "online video",
  ctv: "connected TV",
  linear_tv: "linear TV",
  streaming_audio: "streaming audio",
  dooh: "digital out-of-home",
  ooh: "out-of-home",
  email: "email newsletter",
  retail_media: "retail media",
  product_placement: "product placement",
  sponsored_intelligence: "sponsored AI answers",
}
const NAMES_SHOWN_MAX = 4
const WORDS_SHOWN_MAX = 8

export const channelName = (channel: string) => channelNames[channel] ?? channel

const deliveryName = (type: string) => (type === "guaranteed" ? "guaranteed delivery" : "non-guaranteed (auction)")

/** Countries by name; a long list by its first ones. */
function countriesText(codes: readonly string[]): string {
  if (codes.includes(EVERYWHERE)) return "everywhere"
  return shortened(territoryNames(codes), NAMES_SHOWN_MAX)
}

function shortened(names: readonly string[], most: number): string {
  if (names.length > most) return `${names.slice(0, most).join(", ")} and ${names.length - most} more`
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
}

function moneyText({ least, most, currencies }: Money): string {
  const currency = currencies.join(" or ")
  if (most === undefined) return `at least ${amountText(least ?? 0, currency)}`
  return least === undefined
    ? `up to ${amountText(most, currency)}`
    : `${amountText(least)} to ${amountText(most, currency)}`
}

const monthNames = "January February March April May June July August September October November December".split(" ")

export function monthText(month: string): string {
  return `${monthNames[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`
}

function periodText({ from, to }: Period): string {
  return from === to ? monthText(from) : `${monthText(from)} to ${monthText(to)}`
}

/** What was understood of a brief, for people in a sentence, which is empty where it says nothing, and for programs. */
export function understood(reading: Reading) {
  const fields: Record<string, unknown> = {}
  const parts: string[] = []
  const say = (name: string, value: unknown, text: string) => {
    fields[name] = value
    parts.push(text)
  }
  const list = (name: string, values: readonly string[], text: (values: readonly string[]) => string = separated) => {
    if (values.length > 0) say(name, values, text(values))
  }
  const { unwanted, budget, prices, period, seconds, deliveryType } = reading
  list("channels", [...reading.channels.keys()], (channels) => shortened(channels.map(channelName), NAMES_SHOWN_MAX))
  if (unwanted.length > 0) {
    Object.assign(fields, unwantedFields(unwanted))
    for (const thing of unwanted) parts.push(`no ${unwantedText(thing)}`)
  }
  list("countries", reading.countries, countriesText)
  list("unwanted_countries", reading.unwantedCountries, (codes) => `not ${countriesText(codes)}`)
  if (budget !== undefined) say("budget", moneyFields(budget), moneyText(budget))
  for (const model in prices) {
    const money = prices[model] as Money
    say(priceField(model), moneyFields(money), `${modelName(model)} ${moneyText(money)}`)
  }
  if (period !== undefined) say("period", period, periodText(period))
  if (seconds.length > 0) say("durations_seconds", seconds, separated(seconds.map((length) => `${length} seconds`)))
  list("sizes", reading.pixels)
  list("placements", reading.features)
  if (deliveryType !== undefined) say("delivery_type", deliveryType, deliveryName(deliveryType))
  list("pricing_models", reading.pricingModels, (models) => separated(models.map(modelName)))
  list("topics", reading.topics, (topics) => `about ${shortened(topics, NAMES_SHOWN_MAX)}`)
  list("words", namedWords(reading), (words) => `words: ${shortened(words, WORDS_SHOWN_MAX)}`)
  const unwantedWords = reading.unwantedWords.map(({ word }) => word)
  list("unwanted_words", unwantedWords, (words) => `not: ${shortened(words, WORDS_SHOWN_MAX)}`)
  return { summary: separated(parts), fields }
}

const separated = (parts: readonly string[]) => parts.join("; ")

function unwantedFields(unwanted: readonly Unwanted[]): Record<string, string[]> {
  const named = {
    unwanted_channels: unwanted.filter(isChannelAlone).flatMap(({ channels }) => channels),
    unwanted_topics: unwanted.flatMap(({ topics }) => topics),
    unwanted_placements: unwanted.flatMap(({ features }) => features),
  }
  const entries = Object.entries(named).filter(([, names]) => names.length > 0)
  return Object.fromEntries(entries.map(([name, names]) => [name, [...new Set(names)]]))
}

const namedWords = ({ words }: Reading) => words.filter(({ weight }) => weight === 1).map(({ word }) => word)

/** A pricing model by its name, a price by time by its unit. */
const priceField = (model: string) => (timeUnits.has(model) ? `price_per_${model}` : model)

function modelName(model: string): string {
  if (timeUnits.has(model)) return `per ${model}`
  return model === "flat_rate" ? "flat rate" : model.toUpperCase()
}

function unwantedText({ channels, topics, features }: Unwanted): string {
  return [...topics.slice(0, 1), ...features, ...channels.map(channelName)].join(" ")
}

function moneyFields({ least: min, most: max, currencies }: Money): Record<string, unknown> {
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }), currencies }
}
