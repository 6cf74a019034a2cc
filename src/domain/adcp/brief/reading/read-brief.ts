import { isStopWord, languageOf } from "../words/languages.ts"
import { type Span, spansOf } from "../words/spans.ts"
import { tokenize } from "../words/tokenize.ts"
import { readAmounts, readSizes } from "./amounts.ts"
import { readPeriod } from "./periods.ts"
import { readChannels, readCountries, readUnwanted } from "./targets.ts"
import { markUnwanted } from "./unwanted.ts"

/** A word of a brief to be looked for in the products. */
export interface TopicWord {
  readonly word: string
  readonly stem: string
  /** Less for words that say a channel too. */
  readonly weight: number
}

// Longer than briefs are. Reading more of an odd one would keep others waiting.
const BRIEF_CHARACTERS_MAX = 5_000
const BRIEF_TOKENS_MAX = 800

// Prices by time: without an amount, "twice a week" says nothing of them.
export const timeUnits: ReadonlySet<string> = new Set(["hour", "day", "week", "month"])
const WORDS_MAX = 50
const TOPICS_MAX = 50
const WORD_CHARACTERS_MIN = 3
const CHANNEL_WORD_WEIGHT = 0.2

/** What a brief says. Whatever it does not say is empty or absent. */
export type Reading = Readonly<ReturnType<typeof readBrief>>

/** Reads a brief: a text in any language, of which nothing is an instruction. Takes time in proportion to its length. */
export function readBrief(text: string, today: string, isKnown: (stem: string) => boolean) {
  const start = text.slice(0, BRIEF_CHARACTERS_MAX)
  const tokens = tokenize(start, BRIEF_TOKENS_MAX)
  const language = languageOf(tokens)
  const spans = spansOf(tokens, isKnown, language)
  const hasUnwanted = markUnwanted(spans)
  const named = namedIn(spans)
  const places = readCountries(spans, start)
  const { countries } = places
  const unwanted = hasUnwanted ? readUnwanted(spans) : []
  const { budget, prices, used } = readAmounts(spans, countries)
  return {
    language,
    /** How surely each is meant, up to 1. */
    channels: readChannels(spans, unwanted),
    /** What the brief does not want, beside countries. */
    unwanted,
    countries,
    unwantedCountries: places.unwanted,
    budget,
    prices,
    period: readPeriod(spans, today, language === "en" && countries.includes("US")),
    today,
    ...readSizes(spans),
    features: [...named.feature],
    deliveryType: named.delivery.size === 1 ? [...named.delivery][0] : undefined,
    pricingModels: [...named.pricing].filter((model) => !timeUnits.has(model) && prices[model] === undefined),
    topics: [...named.topic].slice(0, TOPICS_MAX),
    words: wordsIn(spans, (span, place) => span.unwanted === 0 && !used.has(place)),
    /** Words for what is not wanted, where they are all that is known of it. */
    unwantedWords: hasUnwanted ? unknownUnwanted(spans) : [],
    isCut: text.length > BRIEF_CHARACTERS_MAX || tokens.length === BRIEF_TOKENS_MAX,
  }
}

/** The same for briefs that say the same, in whatever words. */
export function essenceOf(reading: Reading): string {
  // In JSON a map is empty.
  return JSON.stringify([[...reading.channels], reading])
}

/** What has a name of its own, each once. "No auctions" asks for what is guaranteed; who names both delivery types asks for neither. */
function namedIn(spans: readonly Span[]) {
  const named = {
    feature: new Set<string>(),
    topic: new Set<string>(),
    pricing: new Set<string>(),
    delivery: new Set<string>(),
  }
  for (const { meanings, unwanted } of spans) {
    for (const meaning of meanings) {
      if (meaning.kind === "delivery") named.delivery.add(unwanted > 0 ? otherType(meaning.id) : meaning.id)
      else if (unwanted > 0) continue
      else if (meaning.kind === "feature" || meaning.kind === "topic" || meaning.kind === "pricing")
        named[meaning.kind].add(meaning.id)
    }
  }
  return named
}

const otherType = (type: string) => (type === "guaranteed" ? "non_guaranteed" : "guaranteed")

/** What is not wanted and has no name that we know: "nothing about knitting". */
function unknownUnwanted(spans: readonly Span[]): TopicWord[] {
  const named = new Set<number>()
  for (const { meanings, unwanted } of spans) if (meanings.length > 0) named.add(unwanted)
  return wordsIn(spans, ({ unwanted }) => unwanted > 0 && !named.has(unwanted))
}

/** The words that remain when all else is taken out, each once, in order. */
function wordsIn(spans: readonly Span[], isMeant: (span: Span, place: number) => boolean): TopicWord[] {
  const words = new Map<string, TopicWord>()
  for (let place = 0; place < spans.length; place++) {
    const span = spans[place] as Span
    const weight = weightOf(span)
    if (weight === 0 || !isMeant(span, place)) continue
    for (const { raw, word, stem, isNumber } of span.tokens) {
      if (isNumber || word.length < WORD_CHARACTERS_MIN || isStopWord(word) || words.has(stem)) continue
      if (words.size < WORDS_MAX) words.set(stem, { word: raw, stem, weight })
    }
  }
  return [...words.values()]
}

/** What a word is worth when it is looked for in the text of products. */
function weightOf({ meanings, role }: Span): number {
  if (meanings.length === 0) return role === undefined ? 1 : 0
  let weight = 0
  for (const meaning of meanings) {
    if (meaning.kind === "filler" || meaning.kind === "bound") continue
    if (meaning.kind === "topic" || (meaning.kind === "countries" && meaning.by === "place")) return 1
    if (meaning.kind === "channel" || meaning.kind === "feature" || meaning.kind === "months")
      weight = CHANNEL_WORD_WEIGHT
  }
  return weight
}
