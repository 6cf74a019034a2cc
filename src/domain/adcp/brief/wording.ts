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
    ...(reading.unwantedCountries.length > 0 ? [`not ${countriesText(reading.unwantedCountries)}`] : []),
    ...(budget ? [moneyText(budget)] : []),
    ...Object.entries(reading.prices).map(([model, money]) => `${modelName(model)} ${moneyText(money)}`),
    ...(period ? [periodText(period)] : []),
    ...reading.seconds.map((seconds) => `${seconds} seconds`),
    ...reading.pixels,
    ...reading.features,
    ...(reading.deliveryType ? [deliveryName(reading.deliveryType)] : []),
    ...reading.pricingModels.map(modelName),
    ...wordsText(reading),
  ].filter((part) => part !== "")
  return parts.join("; ")
}

function wordsText({ words, unwantedWords, topics }: Reading): string[] {
  const named = words.filter(({ weight }) => weight === 1).map(({ word }) => word)
  return [
    ...(topics.length > 0 ? [`about ${shortened(topics, NAMES_SHOWN_MAX)}`] : []),
    ...(named.length > 0 ? [`words: ${shortened(named, WORDS_SHOWN_MAX)}`] : []),
    ...(unwantedWords.length > 0
      ? [
          `not: ${shortened(
            unwantedWords.map(({ word }) => word),
            WORDS_SHOWN_MAX,
          )}`,
        ]
      : []),
  ]
}

/** The same for programs. */
export function understood(reading: Reading): Record<string, unknown> {
  const said: Record<string, unknown> = {
    channels: [...reading.channels.keys()],
    unwanted_channels: [...new Set(reading.unwanted.filter(isChannelAlone).flatMap(({ channels }) => channels))],
    unwanted_topics: [...new Set(reading.unwanted.flatMap(({ topics }) => topics))],
    unwanted_placements: [...new Set(reading.unwanted.flatMap(({ features }) => features))],
    countries: reading.countries,
    unwanted_countries: reading.unwantedCountries,
    budget: moneyFields(reading.budget),
    ...Object.fromEntries(
      Object.entries(reading.prices).map(([model, money]) => [priceField(model), moneyFields(money)]),
    ),
    period: reading.period,
    durations_seconds: reading.seconds,
    sizes: reading.pixels,
    placements: reading.features,
    delivery_type: reading.deliveryType,
    pricing_models: reading.pricingModels,
    topics: reading.topics,
    words: reading.words.filter(({ weight }) => weight === 1).map(({ word }) => word),
    unwanted_words: reading.unwantedWords.map(({ word }) => word),
  }
  const isSaid = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(said).filter(([, value]) => isSaid(value)))
}

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
