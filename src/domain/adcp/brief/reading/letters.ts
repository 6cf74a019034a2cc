import { once } from "../../../memoize.ts"
import { bannerNames, channelRows, guaranteedNames, noChannels, owners } from "../words/channels.ts"
import type { Language } from "../words/languages.ts"
import { codesAt, isWrittenAsPlace, type Letters, lettersOf, namesOfCountries } from "../words/places.ts"
import { Phrases, type Token, wordSet } from "../words/tokens.ts"
import { andWords, comparing, crosses, cues, cuesIn, fillers, goods, onlyWords, orWords, turns } from "./cues.ts"

/**
 * A phrase of a brief, or what stands between two, as one letter. Beside those of `cues.ts`: a channel `C`, banners `B`, a country `P`, guaranteed
 * delivery `G`, an amount `d`, "or" `o`, "and" `a`, "but" `b`, "only" `e`, "rather" `r`, "than" `q`, a word that says nothing `f`, any other `w`; and the signs `. ? i ; : ,`.
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

export const table = once(() => {
  const phrases = new Phrases<Entry>()
  const add = (list: readonly string[], letter: string, values: readonly string[] = []) => {
    for (const phrase of list) phrases.add(phrase, { letter, values })
  }
  for (const [letter, list] of Object.entries(cues)) add(list.split(","), letter === "F" ? "f" : letter)
  for (const [language, rows] of Object.entries(cuesIn))
    for (const [letter, list] of Object.entries(rows))
      for (const phrase of list.split(",")) phrases.add(phrase, { letter, values: [], languages: language })
  add(crosses.split(","), "S")
  add(onlyWords.split(","), "e")
  for (const [letter, list] of Object.entries(comparing)) add(list.split(","), letter)
  add(noChannels.split(","), "w")
  add(bannerNames.split(","), "B", ["display"])
  add(guaranteedNames.split(","), "G")
  for (const [channels, names] of channelRows) add(names.split(","), "C", channels)
  for (const { name, countries, languages } of namesOfCountries())
    phrases.add(name, { letter: "P", values: countries, languages })
  for (const [letter, words] of Object.entries({ b: turns, o: orWords, a: andWords, f: fillers }))
    add(words.trim().split(/\s+/), letter)
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

const goodsWords = wordSet(goods)
const ownerWords = wordSet(owners)
const FIRM = /^(?:Ltd|Inc|Co|LLC|GmbH|AG|KG|SARL|SAS|SL|SA|BV)$/
const FREE = /^(?:free|freie?[mnrs]?)$/

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
  // "Podcast-free".
  if (gap === "hyphen" && FREE.test(word)) return one("A")
  const isSpoken = ({ languages }: Entry) =>
    language === undefined || languages === undefined || languages.includes(language)
  const found = table().at(tokens, at, isSpoken)
  if (found === undefined) return one("w")
  const { words, value } = found
  const to = at + words.length
  const next = tokens[to]
  if (value.letter === "P") {
    return isWrittenAsPlace(tokens, at, words.length, letters) ? one("P", to, value.values) : one("w")
  }
  if (value.letter === "C" || value.letter === "B") {
    // The buyer's own podcast is what is advertised, not where; "newsletter software" is none; "ooh" is said by people.
    const isOwn = gap === "space" && ownerWords.has(tokens[at - 1]?.word ?? "")
    // "Cinema Paradiso Ltd".
    const isFirm = tokens.slice(to, to + 3).some((token) => token.gap === "space" && FIRM.test(token.raw))
    const isGoods = next !== undefined && goodsWords.has(next.word) && /^(?:space|hyphen)$/.test(next.gap)
    return isOwn || isGoods || isFirm || (word === "ooh" && raw !== "OOH" && /^(?:stop|question)$/.test(gap))
      ? one("w", to)
      : one(value.letter, to, value.values)
  }
  // "No México" is Portuguese, and the French "n'" has a small letter.
  if (value.letter === "n" && language === undefined && next && table().at(tokens, to)?.value.letter === "P")
    return one("S")
  return one(raw === "N" ? "w" : value.letter, to, value.values)
}
