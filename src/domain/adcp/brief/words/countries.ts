import da from "i18n-iso-countries/langs/da.json" with { type: "text" }
import de from "i18n-iso-countries/langs/de.json" with { type: "text" }
import en from "i18n-iso-countries/langs/en.json" with { type: "text" }
import es from "i18n-iso-countries/langs/es.json" with { type: "text" }
import fi from "i18n-iso-countries/langs/fi.json" with { type: "text" }
import fr from "i18n-iso-countries/langs/fr.json" with { type: "text" }
import nl from "i18n-iso-countries/langs/nl.json" with { type: "text" }
import no from "i18n-iso-countries/langs/no.json" with { type: "text" }
import sv from "i18n-iso-countries/langs/sv.json" with { type: "text" }
import deAdjectives from "i18n-nationality/langs/de.json" with { type: "text" }
import enAdjectives from "i18n-nationality/langs/en.json" with { type: "text" }
import esAdjectives from "i18n-nationality/langs/es.json" with { type: "text" }
import fiAdjectives from "i18n-nationality/langs/fi.json" with { type: "text" }
import frAdjectives from "i18n-nationality/langs/fr.json" with { type: "text" }
import nlAdjectives from "i18n-nationality/langs/nl.json" with { type: "text" }
import noAdjectives from "i18n-nationality/langs/no.json" with { type: "text" }
import { memoize } from "../../../memoize.ts"
import { fold, type Token } from "./tokenize.ts"

const names = [en, de, fr, es, nl, sv, da, no, fi]
const adjectives = [enAdjectives, deAdjectives, frAdjectives, esAdjectives, nlAdjectives, noAdjectives, fiAdjectives]

// Shorter ones are words of some language too; those that count are in the lexicon.
const ADJECTIVE_CHARACTERS_MIN = 5
const NAME_CHARACTERS_MIN = 4
const notCountries = new Set(["man", "isle of man"])

/** Every country by name and by adjective in the languages of briefs: words in lower case without accents, with the ISO code. Made step by step. */
function* countryWords(): Generator<void, Map<string, string>> {
  const words = new Map<string, string>()
  for (const text of names) yield collect(words, text, "countries", NAME_CHARACTERS_MIN)
  for (const text of adjectives) yield collect(words, text, "nationalities", ADJECTIVE_CHARACTERS_MIN)
  for (const word of notCountries) words.delete(word)
  return words
}

// Some entries hold several forms, or say in brackets what they mean.
const SEVERAL = /[,/()]| - /

function collect(words: Map<string, string>, text: unknown, field: string, least: number): void {
  const entries = JSON.parse(String(text))[field] as Record<string, string | string[]>
  for (const code in entries) {
    const given = entries[code] ?? ""
    for (const name of typeof given === "string" ? [given] : given) {
      for (const part of SEVERAL.test(name) ? name.split(SEVERAL) : [name]) {
        const word = fold(part.trim()).replaceAll("-", " ")
        if (word.length >= least && !words.has(word)) words.set(word, code)
      }
    }
  }
}

interface CountryName {
  readonly code: string
  readonly length: number
  /** Whether it stands there as lists of countries have it, without an ending. */
  readonly isExact: boolean
}

export interface CountryNames {
  /** The country whose name or adjective begins at this token, whatever ending the language gives it, and over how many tokens. */
  at(tokens: readonly Token[], place: number): CountryName | undefined
  isCode(code: string): boolean
}

const STEM_CHARACTERS_MIN = 4
const ENDING_CHARACTERS_MAX = 5
const NAME_WORDS_MAX = 4
// What German, French, Spanish, Dutch, the Nordic languages and Finnish put behind the name of a country or its adjective.
const endings = new Set(
  "s e n a o i t es er en em as os is an in ne nes ns na ssa sta lla lle een essa issa assa esta ista asta ille"
    .split(" ")
    .concat(""),
)

const WORDS_REMEMBERED_MAX = 20_000
const UMLAUT = /([aou])e/

export function* countryNames(): Generator<void, CountryNames> {
  const names = yield* countryWords()
  const stems = new Map<string, string>()
  const firstWords = new Set<string>()
  for (const [name, code] of names) {
    const space = name.indexOf(" ")
    if (space > 0) firstWords.add(name.slice(0, space))
    else if (name.length > STEM_CHARACTERS_MIN) stems.set(withoutVowel(name), code)
  }
  const codes = new Set(names.values())

  // Words come back. Oesterreich is Österreich.
  const ofWord = memoize(WORDS_REMEMBERED_MAX, (word: string): string => {
    return ofForm(word) ?? (UMLAUT.test(word) ? ofForm(word.replace(UMLAUT, "$1")) : undefined) ?? ""
  })

  function ofForm(word: string): string | undefined {
    const exact = names.get(word)
    if (exact !== undefined) return exact
    const shortest = Math.max(STEM_CHARACTERS_MIN, word.length - ENDING_CHARACTERS_MAX)
    for (let length = word.length; length >= shortest; length--) {
      const code = stems.get(word.slice(0, length))
      if (code !== undefined && endings.has(word.slice(length))) return code
    }
    return undefined
  }

  return {
    isCode: (code) => codes.has(code),
    at(tokens, place) {
      const { word = "", isNumber } = tokens[place] ?? {}
      if (isNumber) return undefined
      let name = word
      let longest: CountryName | undefined
      for (let length = 2; firstWords.has(word) && length <= NAME_WORDS_MAX; length++) {
        name += ` ${tokens[place + length - 1]?.word}`
        const code = names.get(name)
        if (code !== undefined) longest = { code, length, isExact: true }
      }
      if (longest !== undefined) return longest
      const code = word.length >= STEM_CHARACTERS_MIN ? ofWord(word) : ""
      return code === "" ? undefined : { code, length: 1, isExact: names.has(word) }
    },
  }
}

function withoutVowel(name: string): string {
  return "aeiou".includes(name.charAt(name.length - 1)) ? name.slice(0, -1) : name
}
