import { type CountryNames, countryNames } from "./countries.ts"
import { prepareLanguages } from "./languages.ts"
import * as lexicon from "./lexicon.ts"
import { monthWords, numberScales, secondWords } from "./locale-words.ts"
import { type Token, tokenize } from "./tokenize.ts"
import { topicWords } from "./topics.ts"

// Names of countries that are words, names of people or parts of names of other things as well.
const doubtful = new Set(
  "turkey china chile cuba panama brazil guinea lebanon jordan georgia chad jersey polish".split(" "),
)

// What stands before a place.
const placeWords = new Set(
  "in im into inside within across throughout around near from to for of im aus nach fur en au aux dans pour vers para desde voor naar uit i fran til fra och market markets country countries territory geo".split(
    " ",
  ),
)
// After these, a name is that of the person who writes.
const closings = new Set(
  "thanks thank regards cheers best gruss grusse danke merci cordialement saludos gracias groeten bedankt halsningar hilsen".split(
    " ",
  ),
)
// What may follow a country: what a campaign runs on and costs there, and when.
const campaignKinds = new Set<Meaning["kind"]>(
  "channel feature money scale months delivery pricing bound countries".split(" ") as Meaning["kind"][],
)

/** Whether a word may be a country or another thing, and so is no slip of a third. */
export const isDoubtful = (word: string) => doubtful.has(word)

/**
 * Whether a word that can be a country is something else here. "Turkey recipes" and "guinea pigs" are about food and pets; "in Turkey",
 * "Turkey and Greece" and "Turkey podcasts" are about a country.
 */
function isOtherThing(
  tokens: readonly Token[],
  place: number,
  meaningsAt: (place: number) => readonly Meaning[] | undefined,
): boolean {
  const token = tokens[place]
  if (token === undefined || !doubtful.has(token.word)) return false
  const before = tokens[place - 1]
  if (before !== undefined && !token.isAfterBreak && placeWords.has(before.word)) return false
  if (isListed(tokens, place, meaningsAt)) return false
  if (before !== undefined && token.isAfterBreak && closings.has(before.word)) return true
  // In small letters it is an ordinary word, unless it stands as a place does.
  if (/^\p{Ll}/u.test(token.raw)) return true
  const next = tokens[place + 1]
  if (next === undefined || next.isAfterBreak || !/^\p{L}/u.test(next.raw)) return false
  return meaningsAt(place + 1)?.some(({ kind }) => campaignKinds.has(kind)) !== true
}

const connectors = new Set("and und et y e en och og ja or oder ou o of + - – &".split(" "))

/** Whether another country stands beside it, with or without a word between them. */
function isListed(
  tokens: readonly Token[],
  place: number,
  meaningsAt: (place: number) => readonly Meaning[] | undefined,
): boolean {
  return ([-1, 1] as const).some((step) => {
    const beside = connectors.has(tokens[place + step]?.word ?? "") ? place + 2 * step : place + step
    const isApart = step === 1 ? tokens[place + 1]?.isAfterBreak : tokens[place]?.isAfterBreak
    const isTogether = beside !== place + step || isApart === true
    return isTogether && meaningOf(meaningsAt(beside), "countries") !== undefined
  })
}

export type Meaning =
  /** The first ones, as many as are `sure`, are always meant by the word; the others may be. */
  | { readonly kind: "channel"; readonly channels: readonly string[]; readonly sure: number }
  /** Places are worth looking for in the text of a product too; names of countries are not. */
  | { readonly kind: "countries"; readonly codes: readonly string[]; readonly by: "name" | "place" | "language" }
  | { readonly kind: "months"; readonly from: number; readonly to: number }
  /** A time counted from today. */
  | { readonly kind: "ahead"; readonly unit: string; readonly count: number }
  /** Before a number, a week of the year. */
  | { readonly kind: "week" }
  | { readonly kind: "money"; readonly currencies: readonly string[] }
  | { readonly kind: "scale"; readonly factor: number }
  | { readonly kind: "seconds"; readonly factor: number }
  | { readonly kind: "feature"; readonly id: string }
  | { readonly kind: "delivery"; readonly id: string }
  | { readonly kind: "pricing"; readonly id: string }
  | { readonly kind: "topic"; readonly id: string }
  | { readonly kind: "bound"; readonly id: string }
  | { readonly kind: "filler" }

export function meaningOf<Kind extends Meaning["kind"]>(
  meanings: readonly Meaning[] | undefined,
  kind: Kind,
): Extract<Meaning, { kind: Kind }> | undefined {
  return meanings?.find((meaning): meaning is Extract<Meaning, { kind: Kind }> => meaning.kind === kind)
}

interface Found {
  readonly length: number
  readonly meanings: readonly Meaning[]
}

export interface Phrases {
  longestAt(tokens: readonly Token[], place: number): Found | undefined
  of(stem: string): readonly Meaning[] | undefined
  /** Single words with the same first letter: what a misspelt word may be. */
  alike(word: string): readonly Token[]
  readonly countries: CountryNames
}

export const CORRECTED_CHARACTERS_MIN = 5

let table: Phrases | undefined
let building: Generator<void, Phrases> | undefined

/** Completed at its first use, if it is not ready by then. */
export function phrases(): Phrases {
  while (table === undefined) prepareSome()
  return table
}

/** Does a few milliseconds of what the first brief would otherwise have to wait for; false when there is nothing left to do. */
export function prepareSome(): boolean {
  if (table !== undefined) return false
  building ??= build()
  const step = building.next()
  if (step.done) table = step.value
  return table === undefined
}

const ENTRIES_A_STEP = 100

function* build(): Generator<void, Phrases> {
  let entries = 0
  const meanings = new Map<string, Meaning[]>()
  const longest = new Map<string, number>()
  const byLetter = new Map<string, Token[]>()
  for (const [phrase, meaning] of lexiconMeanings()) {
    if (++entries % ENTRIES_A_STEP === 0) yield
    const tokens = tokenize(phrase)
    const first = tokens[0]
    if (first === undefined) continue
    push(meanings, keyOf(tokens, 0, tokens.length), meaning)
    longest.set(first.stem, Math.max(longest.get(first.stem) ?? 0, tokens.length))
    const isTarget = meaning.kind === "channel" || meaning.kind === "topic" || meaning.kind === "countries"
    if (isTarget && tokens.length === 1 && first.word.length >= CORRECTED_CHARACTERS_MIN)
      push(byLetter, first.word.charAt(0), first)
  }
  const countries = yield* countryNames()
  yield prepareLanguages()

  function inLexicon(tokens: readonly Token[], place: number): Found | undefined {
    for (let length = longest.get(tokens[place]?.stem ?? "") ?? 0; length > 0; length--) {
      const meaning = place + length > tokens.length ? undefined : meanings.get(keyOf(tokens, place, length))
      if (meaning !== undefined) return { length, meanings: meaning }
    }
    return undefined
  }

  /** What the word at a place means, whatever stands beside it. */
  function aloneAt(tokens: readonly Token[], place: number): readonly Meaning[] | undefined {
    const country = countries.at(tokens, place)
    if (country !== undefined) return [{ kind: "countries", codes: [country.code], by: "name" }]
    return inLexicon(tokens, place)?.meanings
  }

  return {
    countries,
    of: (stem) => meanings.get(stem),
    alike: (word) => byLetter.get(word.charAt(0)) ?? [],
    longestAt(tokens, place) {
      const match = inLexicon(tokens, place)
      if (match !== undefined && match.length > 1) return match
      const country = countries.at(tokens, place)
      const isWeaker = match !== undefined && country?.length === 1 && !country.isExact
      if (country === undefined || isWeaker || meaningOf(match?.meanings, "countries")) return match
      if (country.length === 1 && isOtherThing(tokens, place, (near) => aloneAt(tokens, near))) return match
      return { length: country.length, meanings: [{ kind: "countries", codes: [country.code], by: "name" }] }
    },
  }
}

function keyOf(tokens: readonly Token[], place: number, length: number): string {
  let key = tokens[place]?.stem ?? ""
  for (let next = place + 1; next < place + length; next++) key += ` ${tokens[next]?.stem}`
  return key
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  // Forms of a word that have one stem have one meaning.
  else if (!list.includes(value)) list.push(value)
}

function* lexiconMeanings(): Generator<[string, Meaning]> {
  yield* listed(lexicon.featureWords, (id) => ({ kind: "feature", id }))
  yield* listed(lexicon.deliveryWords, (id) => ({ kind: "delivery", id }))
  yield* listed(lexicon.pricingWords, (id) => ({ kind: "pricing", id }))
  yield* listed(lexicon.boundWords, (id) => ({ kind: "bound", id }))
  yield* listed(topicWords, (id) => ({ kind: "topic", id }))
  yield* listed(lexicon.channelWords, (ids) => {
    const [sure = "", maybe = ""] = ids.split(" or ")
    const certain = sure.split(" ")
    return { kind: "channel", channels: [...certain, ...(maybe === "" ? [] : maybe.split(" "))], sure: certain.length }
  })
  yield* listed(lexicon.regionWords, (codes) => ({ kind: "countries", codes: codes.split(" "), by: "name" }))
  yield* listed(lexicon.languageWords, (codes) => ({ kind: "countries", codes: codes.split(" "), by: "language" }))
  yield* listed(lexicon.peopleWords, (code) => ({ kind: "countries", codes: [code], by: "name" }))
  yield* listed(lexicon.placeWords, (code) => ({ kind: "countries", codes: [code], by: "place" }))
  yield* listed(lexicon.moneyWords, (codes) => ({ kind: "money", currencies: codes.split(" ") }))
  yield* listed(lexicon.seasonWords, (months) => {
    const [from = 1, to = 12] = months.split("-").map(Number)
    return { kind: "months", from, to }
  })
  yield* listed(lexicon.aheadWords, (time) => {
    const [unit = "", count] = time.split(" ")
    return { kind: "ahead", unit, count: Number(count) }
  })
  yield* listed({ week: lexicon.weekWords }, () => ({ kind: "week" }))
  // Languages share many of these.
  for (const [word, month] of new Map(monthWords())) yield [word, { kind: "months", from: month, to: month }]
  for (const [word, factor] of new Map(numberScales())) yield [word, { kind: "scale", factor }]
  for (const [word, factor] of new Map(secondWords())) yield [word, { kind: "seconds", factor }]
  yield* listed({ all: lexicon.fillerWords }, () => ({ kind: "filler" }))
}

function* listed(
  words: Readonly<Record<string, string>>,
  meaning: (id: string) => Meaning,
): Generator<[string, Meaning]> {
  for (const id in words) {
    const meant = meaning(id)
    for (const phrase of (words[id] ?? "").split(", ")) yield [phrase, meant]
  }
}
