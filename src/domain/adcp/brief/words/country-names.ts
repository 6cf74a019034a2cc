import { countryWords } from "./country-words.ts"
import type { Token } from "./tokenize.ts"

export interface CountryName {
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

  function ofWord(word: string): string | undefined {
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
      const word = tokens[place]?.word ?? ""
      let name = word
      let found: CountryName | undefined
      for (let length = 2; firstWords.has(word) && length <= NAME_WORDS_MAX; length++) {
        name += ` ${tokens[place + length - 1]?.word}`
        const code = names.get(name)
        if (code !== undefined) found = { code, length, isExact: true }
      }
      if (found !== undefined) return found
      const code = word.length >= STEM_CHARACTERS_MIN ? ofWord(word) : undefined
      return code === undefined ? undefined : { code, length: 1, isExact: names.has(word) }
    },
  }
}

function withoutVowel(name: string): string {
  return "aeiou".includes(name.charAt(name.length - 1)) ? name.slice(0, -1) : name
}
