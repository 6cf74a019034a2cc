import { isFunctionWord, type Language, languageOf } from "../words/languages.ts"
import { adjectives, isBehindIn } from "../words/places.ts"
import { type Token, tokenize } from "../words/tokens.ts"
import { type Item, itemsOf } from "./letters.ts"
import { amountsIn, limitsOf } from "./money.ts"
import { namesIn } from "./names.ts"
import { refusalsIn, SIGN } from "./refusals.ts"

/** A word to search for. */
export interface Term {
  readonly word: string
  readonly stem: string
  /** Whether it stands where nothing is in doubt. */
  readonly isSure: boolean
  /** Whether it is of the name of a channel. */
  readonly isChannel: boolean
  /** Whether it may be what is refused. */
  readonly isDenied: boolean
}

/** What a brief says for sure, and the words to search for. Whatever it does not say is empty or undefined. */
export type Reading = Readonly<ReturnType<typeof readBrief>>

// Longer than briefs are. Reading more of an odd one would keep others waiting.
const CHARACTERS_MAX = 5_000
const TOKENS_MAX = 800
const TERMS_MAX = 120

/** From and to, in a text. */
type Span = readonly [number, number]

/** Reads a brief: a text of which nothing is an instruction. Takes time in proportion to its length. */
export function readBrief(brief: string) {
  const text = joined(brief.slice(0, CHARACTERS_MAX))
  const tokens = tokenize(text, TOKENS_MAX)
  const spoken = languageOf(tokens)
  const isOther = spoken === "other"
  const language = isOther ? undefined : spoken
  const amounts = isOther ? [] : amountsIn(text)
  const numberAt = marked(
    tokens,
    amounts.map(({ span }) => span),
  )
  const items = isOther ? wordsOnly(tokens) : itemsOf(tokens, language, (at) => (numberAt[at] ?? 0) - 1)
  const refusals = refusalsIn(items, (nth) => isBehindIn(tokens, items[nth]?.from ?? 0))
  const spanOf = ([from, to]: Span): Span => {
    const [first, last] = [items[from]?.from ?? 0, items[to - 1]?.to ?? 0]
    return [tokens[first]?.at ?? 0, tokens[Math.max(first, last - 1)]?.end ?? 0]
  }
  const { signs, quoted } = refusals
  const { channels, countries, cities } = namesIn(items, refusals)
  // A city tells the country only where none is named.
  const hasCountry = items.some(({ letter }) => letter === "P")
  const places = hasCountry ? countries : cities
  const isOurs = (_: unknown, nth: number) =>
    items.some(({ letter, from }, at) => letter === "d" && numberAt[from] === nth + 1 && signs[at] === SIGN.plain)
  const anyPlaces = items.flatMap(({ letter, values }) => (/[Pc]/.test(letter) ? values : []))
  const used = limitsOf(amounts.filter(isOurs), anyPlaces, language)
  const unread = amounts.filter((amount) => !used.amounts.includes(amount))
  const terms = termsIn(tokens, items, signs, language)
  const mentioned = [...countries.open, ...countries.doubtful].filter((code) => !countries.refused.has(code))
  return {
    language,
    /** Whether it is in a language of which nothing but words is understood. */
    isOther,
    isCut: brief.length > CHARACTERS_MAX || tokens.length === TOKENS_MAX,
    /** Those that are surely wished for. */
    channels: channels.sure,
    countries: places.sure,
    /** In clauses that may be wishes: these rank, and nothing is said of them. */
    named: { channels: channels.unsure, countries: places.unsure },
    without: { channels: [...channels.refused], countries: [...countries.refused] },
    /** In clauses of which it is unclear what they refuse: these rank below the others. */
    doubtful: channels.doubted,
    /** Countries that are named otherwise: they move products a little, and nothing is said of them. */
    mentioned: mentioned.length > 0 ? mentioned : adjectivesIn(terms),
    terms,
    /** Quoted from the brief: what was not used of refusals, conditions and amounts. */
    notInterpreted: quotes([...quoted.map(spanOf), ...unread.map(({ span }) => withClause(tokens, span))], text),
    isGuaranteed: items.some(({ letter }, nth) => letter === "G" && signs[nth] === SIGN.plain),
    budget: used.budget,
    prices: used.prices,
  }
}

const distinct = (values: readonly string[]) => [...new Set(values)]

/** Names with points, of the same length without them. */
const joined = (text: string) =>
  text.replace(/EE\.\s?UU\.?|U\.S\.(?:A\.)?|U\.K\.|\bS\.\s?[AL]\./g, (name) =>
    name.replace(/[. ]/g, "").padEnd(name.length),
  )

const wordsOnly = (tokens: readonly Token[]): Item[] =>
  tokens.map((_, at) => ({ letter: "w", from: at, to: at + 1, values: [] }))

/** For each word the number of the part of the text that it begins in, from 1 on; 0 for none. */
function marked(tokens: readonly Token[], spans: readonly Span[]): Uint16Array {
  const marks = new Uint16Array(tokens.length)
  for (const [nth, [start, end]] of spans.entries()) {
    let at = tokens.findIndex((token) => token.at >= start)
    while (at >= 0 && (tokens[at]?.at ?? end) < end) marks[at++] = nth + 1
  }
  return marks
}

const SEARCHED = /[wtmcCBDGTHASg]/

/** Each stem once. A channel may be in a name, so it is searched, too, as long as it is not in doubt. */
function termsIn(
  tokens: readonly Token[],
  items: readonly Item[],
  signs: readonly number[],
  language: Language | undefined,
): Term[] {
  const terms = new Map<string, Term>()
  for (const [nth, { letter, from, to }] of items.entries()) {
    const sign = signs[nth] ?? SIGN.plain
    const isThing = /[CBD]/.test(letter)
    if (sign === SIGN.refused || (isThing && sign >= SIGN.doubtful)) continue
    if (!SEARCHED.test(letter) && !(letter === "P" && sign !== SIGN.plain)) continue
    for (let at = from; at < to && terms.size < TERMS_MAX; at++) {
      const { word, stem } = tokens[at] as Token
      if (word.length < 2 || COUNT.test(word) || isFunctionWord(word, language)) continue
      const isSure = sign === SIGN.plain && !isThing
      if (!terms.has(stem) || (isSure && !terms.get(stem)?.isSure))
        terms.set(stem, { word, stem, isSure, isChannel: isThing, isDenied: sign === SIGN.denied })
    }
  }
  return [...terms.values()]
}

// "10k" may be an amount.
const COUNT = /^\d+[km]?$/

const adjectivesIn = (terms: readonly Term[]): string[] =>
  distinct(terms.flatMap(({ stem, isSure }) => (isSure ? (adjectives().get(stem) ?? []) : [])))

/** To the end of the clause in which a part of the text ends. */
function withClause(tokens: readonly Token[], [start, end]: Span): Span {
  let next = tokens.findIndex(({ at }) => at >= end)
  let last = end
  while (next >= 0 && /^(?:space|hyphen|join)$/.test(tokens[next]?.gap ?? "")) last = tokens[next++]?.end ?? last
  return [start, last]
}

// Nothing that a person would write as a word; perhaps a secret. The signs of JSON are none of a word.
const ODD_WORD = /[^\s"[\]{},;|]{30,}|(?=[^\s]*\d)(?=[^\s]*[A-Za-z])[\w-]{12,30}/g

/** Each part once, in the order of the text; those that overlap as one. */
function quotes(spans: readonly Span[], text: string): string[] {
  const merged: [number, number][] = []
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = merged.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return distinct(
    merged.map(([start, end]) =>
      text
        .slice(start, end)
        .replace(/[\s\p{Cc}]+/gu, " ")
        .replace(ODD_WORD, "…"),
    ),
  )
}
