import { memoize } from "../../../memoize.ts"
import { channelAt, type Trait } from "../words/channels.ts"
import { isFrequent } from "../words/frequent.ts"
import { isFunctionWord, type Language, languageOf } from "../words/languages.ts"
import { adjectiveAt, isOrigin, lettersOf, placeAt } from "../words/places.ts"
import { namesSubject, subjectOf } from "../words/subjects.ts"
import { isCapital, type Token, tokenize } from "../words/tokens.ts"
import type { Kind, Range } from "./clauses.ts"
import { type Amount, amountsIn, limitsOf, type Span } from "./money.ts"
import { readPeriod } from "./periods.ts"
import { Polarity } from "./polarity.ts"
import { rolesIn } from "./wishes.ts"

/** A word to search for. */
export interface Term {
  readonly word: string
  readonly stem: string
  readonly isCapital: boolean
  /** "Haul" of "long-haul". */
  readonly isPart: boolean
  /** Only a word that is surely wanted may be quoted in a reason. */
  readonly isSure: boolean
}

/** What is surely not wanted: whatever has all of this. */
export interface Unwanted {
  readonly text: string
  readonly channels: readonly string[]
  readonly trait: Trait | undefined
  readonly countries: readonly string[]
  readonly terms: readonly Term[]
}

/** What a brief says for sure, and the words to search for. Whatever it does not say is empty or undefined. */
export type Reading = Readonly<ReturnType<typeof readBrief>>

// Longer than briefs are. Reading more of an odd one would keep others waiting.
const CHARACTERS_MAX = 5_000
const TOKENS_MAX = 800
const TERMS_MAX = 120
const UNSURE_MAX = 12
const UNWANTED_MAX = 40

interface Thing extends Range {
  readonly kind: "channel" | "country"
  readonly values: readonly string[]
  readonly trait: Trait | undefined
  /** Whether it only tells of something else: where that comes from, or a part of its name. */
  readonly isAside: boolean
}

/**
 * Reads a brief: a text of which nothing is an instruction. `isKnown` tells the stems that products have. Takes time in proportion to its
 * length.
 */
export function readBrief(brief: string, today: string, isKnown: (stem: string) => boolean) {
  const text = joined(brief.slice(0, CHARACTERS_MAX))
  const tokens = tokenize(text, TOKENS_MAX)
  const spoken = languageOf(tokens)
  const isRead = spoken !== "other"
  const language = spoken === "other" ? undefined : spoken
  const found = isRead ? thingsIn(tokens, language) : []
  const money = amountsIn(isRead ? text : "", valuesOf(found, "country"))
  const spansOf = (some: readonly Amount[]) => some.map(({ span }) => span)
  const limits = marked(tokens, spansOf(money.filter(({ kind }) => kind !== undefined)))
  const amounts = marked(tokens, spansOf(money))
  // "US$" is no country.
  const things = found.filter(({ from }) => amounts[from] === 0)
  const dates = readPeriod(isRead ? text : "", today)
  const days = marked(tokens, dates.spans)
  const kindOf = kindIn(language ?? "any")
  const kinds = tokens.map(
    ({ word }, at): Kind => (amounts[at] === 1 || days[at] === 1 || COUNT.test(word) ? "none" : kindOf(word)),
  )
  for (const { from, to, kind } of things) kinds.fill(kind, from, to)
  const isFamiliar = (at: number) => {
    const key = tokens[at]?.stem ?? ""
    return (kinds[at] === "word" && isKnown(key)) || subjectOf(key, language) !== undefined
  }
  const kindAt = (at: number) => kinds[at] ?? "none"
  const isLimit = (at: number) => limits[at] === 1
  const roles = tokens.map(rolesIn(language))
  const roleAt = (at: number) => roles[at]
  const words = { tokens: isRead ? tokens : [], language, kindAt, roleAt, isFamiliar, isLimit }
  const isAsked = /^[^\p{L}\d]*\?/u.test(text.slice(tokens.at(-1)?.end ?? 0))
  const polarity = new Polarity(words, isAsked)
  const isSure = ({ from, to }: Range) => polarity.signs.subarray(from, to).every((sign) => sign === 1)
  const wanted = things.filter((thing) => !thing.isAside && isSure(thing))
  const mentioned = things.filter((thing) => polarity.mentioned.has(thing.from) || (thing.isAside && isSure(thing)))
  const refused = polarity.unwanted
    .slice(0, UNWANTED_MAX)
    .map((range) => ({ range, ...lessThan(wanted, unwantedIn(range, { tokens, things, kinds, text })) }))
  const parts = things.filter((thing) => thing.isAside && thing.kind === "channel" && isSure(thing))
  const unwanted = refused.filter((each) => !isOdd(each, isKnown))
  const doubtful = refused.filter((each) => isOdd(each, isKnown))
  const spanOf = ({ from, to }: Range): Span => [tokens[from]?.at ?? 0, tokens[to - 1]?.end ?? 0]
  const unsure = [
    ...polarity.unsure,
    ...doubtful.map(({ range }) => range.clause),
    ...parts.map(({ from, to }) => ({ from, to: to + 1 })),
  ].map(spanOf)
  const isOwn = ({ span: [start, end] }: Amount) =>
    !tokens.some(({ at }, nth) => at >= start && at < end && polarity.others.has(nth))
  const { budget, prices } = limitsOf(money.filter(isOwn))
  for (const [start, end] of spansOf(money.filter((amount) => amount.kind === undefined || !isOwn(amount))))
    if (!unsure.some(([from, to]) => from <= start && end <= to)) unsure.push([start, endOfClause(tokens, end)])
  const not = (name: "channels" | "countries", value: string) =>
    unwanted.some((each) => isWhole(each) && each[name].includes(value))
  return {
    language,
    /** Whether it is in a language of which nothing but words is understood. */
    isOther: !isRead,
    isCut: brief.length > CHARACTERS_MAX || tokens.length === TOKENS_MAX,
    channels: valuesOf(wanted, "channel").filter((channel) => !not("channels", channel)),
    countries: valuesOf(wanted, "country").filter((code) => !not("countries", code)),
    /** Countries that are named, though nobody knows whether they are wanted: they move products a little, and nothing is said of them. */
    mentioned: valuesOf(mentioned, "country").filter((code) => !not("countries", code)),
    unwanted: unwanted.map(({ range: _, ...each }) => each),
    /** Unwanted in other words: products of these subjects come later, and nothing is said of it. */
    hints: refused.flatMap(({ channels, terms }) => (channels.length > 0 || terms.length === 0 ? [] : [terms])),
    terms: termsIn(tokens, (at) => signOf(kinds[at] ?? "none", isRead ? (polarity.signs[at] ?? 1) : 1)),
    /** Quoted from the brief: what may be unwanted, or not. */
    unsure: quotes(unsure, text),
    isGuaranteed: wanted.some(({ trait }) => trait === "guaranteed"),
    budget,
    prices,
    period: dates.period,
    /** Lengths of spots. */
    seconds: isRead ? secondsIn(text) : [],
  }
}

/** What is searched, and as what: 1 for sure, 0 not. What is not sure stays in the search, things too; a channel may be in a name. */
function signOf(kind: Kind, sign: number): number {
  if (kind === "word" || kind === "common") return sign
  return sign !== -1 && (kind === "channel" || (kind === "country" && sign === 0)) ? 0 : -1
}

/** Names with points, of the same length without them. */
const joined = (text: string) =>
  text.replace(/EE\.\s?UU\.?|U\.S\.(?:A\.)?|U\.K\./g, (name) => name.replace(/[. ]/g, "").padEnd(name.length))

const country = (from: number, to: number, values: readonly string[], isAside: boolean) =>
  ({ from, to, kind: "country", values, trait: undefined, isAside }) as const

function thingsIn(tokens: readonly Token[], language: Language | undefined): Thing[] {
  const letters = lettersOf(tokens)
  const things: Thing[] = []
  for (let at = 0; at < tokens.length; at++) {
    const channel = channelAt(tokens, at)
    const place = channel === undefined ? placeAt(tokens, at, language, letters) : undefined
    const to = at + (channel?.length ?? place?.length ?? 1)
    const before = things.at(-1)
    // "Newsletter banners" are no display.
    const isNext = before?.kind === "channel" && before.to === at && /space|hyphen/.test(tokens[at]?.gap ?? "")
    const isPart = isNext && channel?.trait === "banners"
    if (channel !== undefined && !isPart && (channel.channels.length > 0 || channel.trait !== undefined)) {
      const isAside = isPartOfName(tokens, to, language)
      things.push({ from: at, to, kind: "channel", values: channel.channels, trait: channel.trait, isAside })
    }
    if (place !== undefined) things.push(country(at, to, place.countries, isOrigin(tokens, at)))
    at = to - 1
  }
  if (things.some(({ kind }) => kind === "country")) return things
  const adjectives = tokens.flatMap((_, at): Thing[] => {
    const code = adjectiveAt(tokens, at)
    return code === undefined ? [] : [country(at, at + 1, [code], false)]
  })
  return [...things, ...adjectives]
}

/** "Radio-controlled", "newsletter software": something that is none of the trade. */
function isPartOfName(tokens: readonly Token[], to: number, language: Language | undefined): boolean {
  const next = tokens[to]
  if (next === undefined || /\d/.test(next.raw) || isFunctionWord(next.word, language)) return false
  const isNear = next.gap === "hyphen" || (next.gap === "space" && language === "en" && !isCapital(next.raw))
  return isNear && rolesIn(language)(next) === undefined && channelAt(tokens, to) === undefined
}

// "10k" may be an amount.
const COUNT = /^\d+[km]?$/

const valuesOf = (things: readonly Thing[], kind: Thing["kind"]) => [
  ...new Set(things.flatMap((thing) => (thing.kind === kind ? thing.values : []))),
]

const WORDS_REMEMBERED = 20_000
const kindIn = memoize(5, (language: Language | "any") =>
  memoize(WORDS_REMEMBERED, (word: string): Kind => {
    const spoken = language === "any" ? undefined : language
    if (word.length < 2 || isFunctionWord(word, spoken)) return "none"
    return isFrequent(word) && !(spoken !== undefined && namesSubject(word, spoken)) ? "common" : "word"
  }),
)

/** 1 for each word that begins in one of these parts of the text. */
function marked(tokens: readonly Token[], spans: readonly Span[]): Uint8Array {
  const marks = new Uint8Array(tokens.length)
  for (const [start, end] of spans) {
    let at = tokens.findIndex((token) => token.at >= start)
    while (at >= 0 && (tokens[at]?.at ?? end) < end) marks[at++] = 1
  }
  return marks
}

interface Context {
  readonly tokens: readonly Token[]
  readonly things: readonly Thing[]
  readonly kinds: readonly Kind[]
  readonly text: string
}

function unwantedIn(range: Range, { tokens, things, kinds, text }: Context): Unwanted {
  const inside = things.filter(({ from }) => from >= range.from && from < range.to)
  return {
    text: textOf([tokens[range.from]?.at ?? 0, tokens[range.to - 1]?.end ?? 0], text),
    channels: valuesOf(inside, "channel"),
    trait: inside.find(({ trait }) => trait !== undefined)?.trait,
    countries: valuesOf(inside, "country"),
    terms: termsIn(tokens.slice(range.from, range.to), (at) => (kinds[range.from + at] === "word" ? 1 : -1)),
  }
}

/** "Connected TV, but no TV": what is asked for by a narrower name is not meant by a wider one. */
function lessThan(wanted: readonly Thing[], each: Unwanted): Unwanted {
  const narrower = wanted.filter(({ values }) => values.length < each.channels.length).flatMap(({ values }) => values)
  return { ...each, channels: each.channels.filter((channel) => !narrower.includes(channel)) }
}

/** A thing with all that it stands for. */
export const isWhole = ({ terms, trait }: Unwanted) => terms.length === 0 && trait === undefined

/** Words that no product has may mean anything: "sin duda podcasts". */
const isOdd = (each: Unwanted, isKnown: (stem: string) => boolean) =>
  !each.terms.every(({ stem: key }) => isKnown(key)) ||
  (isWhole(each) && each.channels.length + each.countries.length === 0)

/** Each stem once. `signOf` tells -1 for what is not searched, 0 for what is not sure. */
function termsIn(tokens: readonly Token[], signOf: (at: number) => number): Term[] {
  const terms = new Map<string, Term>()
  for (let at = 0; at < tokens.length && terms.size < TERMS_MAX; at++) {
    const sign = signOf(at)
    if (sign === -1) continue
    const { word, raw, stem: key } = tokens[at] as Token
    if (!terms.has(key) || (sign === 1 && !terms.get(key)?.isSure))
      terms.set(key, { word, stem: key, isCapital: isCapital(raw), isPart: isPart(tokens, at), isSure: sign === 1 })
  }
  return [...terms.values()]
}

const isPart = (tokens: readonly Token[], at: number) => [at, at + 1].some((each) => tokens[each]?.gap === "hyphen")

const QUOTE_CHARACTERS_MAX = 120
// Nothing that a person would write as a word; perhaps a secret.
const ODD_WORD = /[^\s]{30,}|(?=[^\s]*\d)(?=[^\s]*[A-Za-z])[\w-]{12,30}/g

function textOf([start, end]: Span, text: string): string {
  // With room for a word that is cut out of it.
  const said = text
    .slice(start, Math.min(end, start + 4 * QUOTE_CHARACTERS_MAX))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replace(ODD_WORD, "…")
  return said.length > QUOTE_CHARACTERS_MAX ? `${said.slice(0, QUOTE_CHARACTERS_MAX).toWellFormed()}…` : said
}

/** Of the clause in which a place of the text is. */
function endOfClause(tokens: readonly Token[], place: number): number {
  let next = tokens.findIndex(({ at }) => at >= place)
  let end = place
  while (next >= 0 && /^(?:space|hyphen|join)$/.test(tokens[next]?.gap ?? "")) end = tokens[next++]?.end ?? end
  return end
}

function quotes(spans: readonly Span[], text: string): string[] {
  const found = new Set<string>()
  for (const span of spans.toSorted((a, b) => a[0] - b[0])) {
    if (found.size === UNSURE_MAX) break
    found.add(textOf(span, text))
  }
  return [...found]
}

// "18-34s" are people.
const SECONDS =
  /\b(\d{1,3})(?: ?(?:-|–|or|oder|ou|o) ?(\d{1,3})(?!s\b))?[ -]?(?:s|secs?|sek|seconds?|sekunden|sekünder|secondes|segundos)(?![\p{L}\d])/giu

function secondsIn(text: string): number[] {
  const found = [...text.matchAll(SECONDS)].flatMap(({ index, 1: first, 2: second }) =>
    /[-–]$/.test(text.slice(0, index)) ? [] : [first, second],
  )
  return [...new Set(found.filter((each) => each !== undefined).map(Number))].slice(0, UNSURE_MAX)
}
