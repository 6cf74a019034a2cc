import { SUBSET_NAMES_MAX } from "../assessment.ts"
import type { Meaning } from "../words/phrases.ts"
import { type Span, spansOf } from "../words/spans.ts"
import { isStopWord, tokenize } from "../words/tokenize.ts"
import { type Money, readAmounts, readSizes } from "./amounts.ts"
import { type Period, readPeriod } from "./periods.ts"
import { readChannels, readCountries } from "./targets.ts"

/** A word of a brief to be looked for in the products. */
export interface TopicWord {
  readonly word: string
  readonly stem: string
  /** Less for words that say a channel too. */
  readonly weight: number
}

/** What a brief says. Whatever it does not say is empty or absent. */
export interface Reading {
  /** How surely each channel is meant, up to 1. */
  readonly channels: ReadonlyMap<string, number>
  readonly unwantedChannels: ReadonlySet<string>
  readonly countries: readonly string[]
  readonly unwantedCountries: readonly string[]
  readonly budget: Money | undefined
  readonly cpm: Money | undefined
  readonly period: Period | undefined
  readonly today: string
  readonly seconds: readonly number[]
  readonly pixels: readonly string[]
  readonly features: readonly string[]
  readonly deliveryType: string | undefined
  readonly pricingModels: readonly string[]
  readonly topics: readonly string[]
  readonly words: readonly TopicWord[]
  /** Whether only the start of the brief was read. */
  readonly isCut: boolean
}

// Longer than briefs are. Reading more of an odd one would keep others waiting.
const BRIEF_CHARACTERS_MAX = 5_000
const BRIEF_TOKENS_MAX = 800

const WORDS_MAX = SUBSET_NAMES_MAX
const WORD_CHARACTERS_MIN = 3
const CHANNEL_WORD_WEIGHT = 0.2

/** Reads a brief: a text in any language, of which nothing is an instruction. Takes time in proportion to its length. */
export function readBrief(text: string, today: string, isKnown: (stem: string) => boolean): Reading {
  const start = text.slice(0, BRIEF_CHARACTERS_MAX)
  const tokens = tokenize(start, BRIEF_TOKENS_MAX)
  const spans = spansOf(tokens, isKnown)
  const named = namedIn(spans)
  const { countries, unwanted } = readCountries(spans, start)
  const { channels, unwantedChannels } = readChannels(spans)
  const { budget, cpm, used } = readAmounts(spans, countries)
  return {
    channels,
    unwantedChannels,
    countries,
    unwantedCountries: unwanted,
    budget,
    cpm,
    period: readPeriod(spans, today),
    today,
    ...readSizes(spans),
    features: [...named.feature],
    deliveryType: named.delivery.size === 1 ? [...named.delivery][0] : undefined,
    pricingModels: [...named.pricing].filter((model) => model !== "cpm" || cpm === undefined),
    topics: [...named.topic].slice(0, SUBSET_NAMES_MAX),
    words: wordsIn(spans, used),
    isCut: text.length > BRIEF_CHARACTERS_MAX || tokens.length === BRIEF_TOKENS_MAX,
  }
}

/** The same for briefs that say the same, in whatever words. */
export function essenceOf(reading: Reading): string {
  const { channels, unwantedChannels, words, ...rest } = reading
  return JSON.stringify([[...channels], [...unwantedChannels], words, rest])
}

/** What has a name of its own, each once. "No auctions" asks for what is guaranteed; who names both delivery types asks for neither. */
function namedIn(spans: readonly Span[]) {
  const named = {
    feature: new Set<string>(),
    topic: new Set<string>(),
    pricing: new Set<string>(),
    delivery: new Set<string>(),
  }
  for (const { meanings, isNegated } of spans) {
    for (const meaning of meanings) {
      if (meaning.kind === "delivery") named.delivery.add(isNegated ? otherType(meaning.id) : meaning.id)
      else if (isNegated) continue
      else if (meaning.kind === "feature" || meaning.kind === "topic" || meaning.kind === "pricing")
        named[meaning.kind].add(meaning.id)
    }
  }
  return named
}

const otherType = (type: string) => (type === "guaranteed" ? "non_guaranteed" : "guaranteed")

/** The words that remain when all else is taken out, each once, in order. */
function wordsIn(spans: readonly Span[], used: ReadonlySet<number>): TopicWord[] {
  const words = new Map<string, TopicWord>()
  for (const [place, span] of spans.entries()) {
    if (used.has(place) || span.isNegated) continue
    const weight = weightOf(span.meanings)
    if (weight === 0) continue
    for (const { raw, word, stem, isNumber } of span.tokens) {
      if (isNumber || word.length < WORD_CHARACTERS_MIN || isStopWord(word) || words.has(stem)) continue
      if (words.size < WORDS_MAX) words.set(stem, { word: raw, stem, weight })
    }
  }
  return [...words.values()]
}

/** What a word is worth when it is looked for in the text of products. */
function weightOf(meanings: readonly Meaning[]): number {
  if (meanings.length === 0) return 1
  let weight = 0
  for (const meaning of meanings) {
    if (meaning.kind === "filler" || meaning.kind === "bound") continue
    if (meaning.kind === "topic" || (meaning.kind === "countries" && meaning.by === "place")) return 1
    if (meaning.kind === "channel" || meaning.kind === "feature" || meaning.kind === "months")
      weight = CHANNEL_WORD_WEIGHT
  }
  return weight
}
