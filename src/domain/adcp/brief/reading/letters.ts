import { once } from "../../../memoize.ts"
import { channelRows } from "../words/channels.ts"
import { allWords, type Language, languages, words } from "../words/languages.ts"
import type { Words } from "../words/of-language.ts"
import {
  codesAt,
  isInCity,
  isWrittenAsPlace,
  type Letters,
  lettersOf,
  namesOfCities,
  namesOfCountries,
} from "../words/places.ts"
import { subjectOf } from "../words/subjects.ts"
import { Phrases, type Token, wordSet } from "../words/tokens.ts"

/**
 * A phrase of a brief, or what stands between two, as one letter by its kind. The lists are in ../words, by language.
 *
 * What is named: `C` a channel, `B` banners, `D` videos, `P` a country, `c` a city, `G` guaranteed delivery, `d` an amount.
 * Not wanted is what comes next: `N` ("not"), `n` ("no", also an answer), `X` all but that ("without"), `H` a verb or a heading ("avoid").
 * Not wanted is what comes before: `A` ("is out"). Perhaps not wanted is all of its clause: `S`.
 * Told of others or of what was: `T`. Under a condition: `U`. Rather `r` one than `q` another.
 * Wanted is what comes next, or before: `W` ("we need", "would be great"); what is below a label: `K` ("Channels:").
 * `k` begins a clause about something else ("who"), `z` says what something is, `g` where it comes from, `p` where, for whom or of what it is.
 * `o` or, `a` and, `b` but, `e` only, `t` a known subject or quality, `m` a number, `f` what says nothing beside a channel, `w` any other word; and the signs `. ? i ; : ,`.
 * In the lists: `F` is no refusal, though it has a word of one, and `y` a word of the trade; both say nothing.
 */
export interface Item {
  readonly letter: string
  /** Of the words. */
  readonly from: number
  readonly to: number
  /** Channels or countries. */
  readonly values: readonly string[]
}

type Entry = Pick<Item, "letter" | "values"> & { readonly languages?: string }

// Signs say no in any language.
const CROSSES = "❌, ✗, ✘, 🚫, ⛔, 👎"

/** All phrases. Of two with the same words the first one counts. */
export const table = once(() => {
  const phrases = new Phrases<Entry>()
  const add = (list: string | undefined, entry: Entry) => {
    for (const phrase of list?.split(",") ?? []) phrases.add(phrase, entry)
  }
  const addAll = (letter: string, list: (of: Words) => string | undefined, values: readonly string[] = []) => {
    for (const language of languages) add(list(words[language]), { letter, values })
  }
  for (const letter of "FnNXHA") addAll(letter === "F" ? "f" : letter, (of) => of.phrases[letter])
  for (const language of languages)
    for (const [letter, list] of Object.entries(words[language].ownPhrases))
      add(list, { letter, values: [], languages: language })
  add(CROSSES, { letter: "S", values: [] })
  for (const letter of "erq") addAll(letter, (of) => of.phrases[letter])
  addAll("w", (of) => of.noChannels)
  addAll("B", (of) => of.banners, ["display"])
  addAll("D", (of) => of.videos, ["olv"])
  addAll("G", (of) => of.guaranteed)
  for (const [channels, names] of channelRows) add(names, { letter: "C", values: channels })
  for (const { name, countries, languages: spoken } of namesOfCountries())
    phrases.add(name, { letter: "P", values: countries, languages: spoken })
  for (const { name, countries } of namesOfCities()) phrases.add(name, { letter: "c", values: countries })
  for (const letter of "Kboa") addAll(letter, (of) => of.phrases[letter])
  addAll("f", (of) => of.phrases["y"])
  for (const letter of "tf")
    for (const language of languages) add(words[language].phrases[letter], { letter, values: [], languages: language })
  return phrases
})

const SIGNS: Readonly<Record<Token["gap"], string>> = {
  space: "",
  hyphen: "",
  join: "o",
  comma: ",",
  dash: ",",
  colon: ":",
  part: ";",
  item: "i",
  question: "?",
  stop: ".",
}

/** The letters of a text. `amountAt` tells the number of the amount that a word belongs to. */
export function itemsOf(
  tokens: readonly Token[],
  language: Language | undefined,
  amountAt: (at: number) => number,
): Item[] {
  const items: Item[] = []
  const letters = lettersOf(tokens)
  for (let at = 0; at < tokens.length; ) {
    const sign = at === 0 ? "" : SIGNS[(tokens[at] as Token).gap]
    if (sign !== "") items.push({ letter: sign, from: at, to: at, values: [] })
    const item = itemAt(tokens, at, { language, letters, amountAt })
    items.push(item)
    at = item.to
  }
  return items
}

interface Around {
  readonly language: Language | undefined
  readonly letters: Letters
  readonly amountAt: (at: number) => number
}

const ownerWords = wordSet(allWords(({ owners }) => owners))
const FREE = /^(?:free|freie?[mnrs]?)$/

function unlisted({ raw, stem }: Token, language: Language | undefined): string {
  // "Radio 0 %".
  if (/^\d+k?$/.test(raw)) return raw === "0" ? "S" : "m"
  return subjectOf(stem, language) === undefined ? "w" : "t"
}

function itemAt(tokens: readonly Token[], at: number, { language, letters, amountAt }: Around): Item {
  const one = (letter: string, to = at + 1, values: readonly string[] = []) => ({ letter, from: at, to, values })
  const { gap, raw, word } = tokens[at] as Token
  const amount = amountAt(at)
  if (amount >= 0) {
    let to = at + 1
    while (to < tokens.length && amountAt(to) === amount) to++
    return one("d", to)
  }
  const codes = codesAt(tokens, at, letters)
  if (codes !== undefined) return one("P", at + codes.length, codes.countries)
  // "La presse a", but "à Lyon".
  if (raw === "a" && language === "fr") return one("z")
  // "Podcast-free".
  if (gap === "hyphen" && FREE.test(word)) return one("A")
  const isSpoken = ({ languages }: Entry) =>
    language === undefined || languages === undefined || languages.includes(language)
  const found = table().at(tokens, at, isSpoken)
  if (found === undefined) return one(unlisted(tokens[at] as Token, language))
  const { words, value } = found
  const to = at + words.length
  const next = tokens[to]
  if (value.letter === "P") {
    return next?.gap !== "hyphen" && isWrittenAsPlace(tokens, at, words.length, letters)
      ? one("P", to, value.values)
      : one("w")
  }
  if (value.letter === "c") {
    return isInCity(tokens, at, to, language === "de") ? one("c", to, value.values) : one("w", to)
  }
  if (/[CBD]/.test(value.letter)) {
    // The buyer's own podcast is what is advertised, not where; "ooh" is said by people.
    const isOwn = gap === "space" && ownerWords.has(tokens[at - 1]?.word ?? "")
    return isOwn || (word === "ooh" && raw !== "OOH" && /^(?:stop|question)$/.test(gap))
      ? one("w", to)
      : one(value.letter, to, value.values)
  }
  // "No México" is Portuguese, and the French "n'" has a small letter.
  if (value.letter === "n" && language === undefined && next && table().at(tokens, to)?.value.letter === "P")
    return one("S")
  return one(raw === "N" ? "w" : value.letter, to, value.values)
}
