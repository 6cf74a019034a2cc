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

/** What was understood of a brief, in a sentence; nothing where it says nothing. */
export function summarize(reading: Reading): string {
  const { budget, period } = reading
  const parts = [
    shortened([...reading.channels.keys()].map(channelName), NAMES_SHOWN_MAX),
    ...reading.unwanted.map((thing) => `no ${unwantedText(thing)}`),
    countriesText(reading.countries),
    after("not ", countriesText(reading.unwantedCountries)),
    budget ? moneyText(budget) : "",
    ...Object.entries(reading.prices).map(([model, money]) => `${modelName(model)} ${moneyText(money)}`),
    period ? periodText(period) : "",
    ...reading.seconds.map((seconds) => `${seconds} seconds`),
    ...reading.pixels,
    ...reading.features,
    reading.deliveryType ? deliveryName(reading.deliveryType) : "",
    ...reading.pricingModels.map(modelName),
    ...wordsText(reading),
  ].filter((part) => part !== "")
  return parts.join("; ")
}

function wordsText(reading: Reading): string[] {
  const unwanted = reading.unwantedWords.map(({ word }) => word)
  return [
    after("about ", shortened(reading.topics, NAMES_SHOWN_MAX)),
    after("words: ", shortened(namedWords(reading), WORDS_SHOWN_MAX)),
    after("not: ", shortened(unwanted, WORDS_SHOWN_MAX)),
  ]
}

const after = (start: string, text: string) => (text === "" ? "" : start + text)

/** The same for programs. */
export function understood(reading: Reading): Record<string, unknown> {
  const { unwanted, prices } = reading
  const said: Record<string, unknown> = {}
  const say = (name: string, value: unknown) => {
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) said[name] = value
  }
  say("channels", [...reading.channels.keys()])
  say("unwanted_channels", [...new Set(unwanted.filter(isChannelAlone).flatMap(({ channels }) => channels))])
  say("unwanted_topics", [...new Set(unwanted.flatMap(({ topics }) => topics))])
  say("unwanted_placements", [...new Set(unwanted.flatMap(({ features }) => features))])
  say("countries", reading.countries)
  say("unwanted_countries", reading.unwantedCountries)
  say("budget", moneyFields(reading.budget))
  for (const model in prices) say(priceField(model), moneyFields(prices[model]))
  say("period", reading.period)
  say("durations_seconds", reading.seconds)
  say("sizes", reading.pixels)
  say("placements", reading.features)
  say("delivery_type", reading.deliveryType)
  say("pricing_models", reading.pricingModels)
  say("topics", reading.topics)
  say("words", namedWords(reading))
  say(
    "unwanted_words",
    reading.unwantedWords.map(({ word }) => word),
  )
  return said
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

function moneyFields(money: Money | undefined): Record<string, unknown> | undefined {
  if (money === undefined) return undefined
  const { least: min, most: max, currencies } = money
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }), currencies }
}
