import { memoize } from "../../../memoize.ts"
import { de } from "./de.ts"
import { en } from "./en.ts"
import { es } from "./es.ts"
import { fr } from "./fr.ts"
import type { Words } from "./of-language.ts"
import { fold, isDigits, wordSet as set, type Token } from "./tokens.ts"

/** The languages that briefs are read in. In others they are only searched. */
export const words = { en, de, fr, es } as const
export type Language = keyof typeof words
export const languages = Object.keys(words) as readonly Language[]

/** A list of all languages, put together. */
export const allWords = (list: (of: Words) => string): string =>
  languages.map((language) => list(words[language])).join(" ")

const functionWords = Object.fromEntries(
  languages.map((language) => [language, set(words[language].common)]),
) as Readonly<Record<Language, ReadonlySet<string>>>

// Enough of other languages to know that a brief is in none of the four.
const foreignWords =
  set(`het een van voor niet geen met naar wij onze zijn ook maar bij graag zonder deze dit wordt kunnen hebben willen och för inte inga ingen med till utan vill eller som
    att ett är på av den vi har ikke uden og til en et er af vil gjerne gerne ei ja ilman meille haluamme että mutta myös on ovat sekä kanssa il lo gli
    che non per senza della delle dei del nel con una sono anche più vorremmo niente ma um uma não sem para com em os dos das nos são também mas queremos mais nie bez dla oraz jest
    chcemy w z na do się reklama kampania za pe si cu fara nu pentru este sau ve ile için değil istiyoruz bir nem és vagy egy hogy`)

const ANY_LATIN = /\p{Script=Latin}/u
const WORDS_READ = 150
const VOTES_REMEMBERED = 20_000
const LETTER_POINTS = 0.5
const LEAST_POINTS = 1.3
const LEAST_LEAD = 1.2

const anyFunctionWord = new Set(languages.flatMap((language) => [...functionWords[language]]))

/** Words without a meaning of their own, in one language, or in any of the four. */
export const isFunctionWord = (word: string, language?: Language): boolean =>
  language === undefined ? anyFunctionWord.has(word) : functionWords[language].has(word)

// For each language, for all others, and for other letters.
const noVotes = (): number[] => Array.from({ length: languages.length + 2 }, () => 0)
const NOTHING: readonly number[] = noVotes()

/** What a word tells of each language, of all others, and last whether it is in other letters. */
const votesOf = memoize(VOTES_REMEMBERED, (raw: string): readonly number[] => {
  // "A", "o." and "u." are short for anything, and "SE" and "NO" are codes.
  if (/^(?:\d|[aeou]$)/i.test(raw) || /^[A-Z]{2,3}$/.test(raw)) return NOTHING
  const word = fold(raw)
  const votes = languages.map((language) => {
    const said = functionWords[language].has(word) ? 1 : 0
    return said + (words[language].letters.test(raw) ? LETTER_POINTS : 0)
  })
  return [...votes, foreignWords.has(word) ? 1 : 0, ANY_LATIN.test(raw) ? 0 : 1]
})

/** The language of some words: undefined where it is not certain, "other" where it is none that is read. */
export function languageOf(tokens: readonly Token[]): Language | "other" | undefined {
  const points = noVotes()
  const seen = new Set<string>()
  for (let at = 0; at < tokens.length && at < WORDS_READ; at++) {
    const { word, raw } = tokens[at] as Token
    const votes = isDigits(raw) ? NOTHING : votesOf(raw)
    if (votes === NOTHING || seen.has(word)) continue
    seen.add(word)
    for (let nth = 0; nth < points.length; nth++) points[nth] = (points[nth] as number) + (votes[nth] as number)
  }
  const strange = points.pop() ?? 0
  if (strange > seen.size / 2) return "other"
  const [second = 0, most = 0] = points.toSorted((a, b) => a - b).slice(-2)
  if (most < LEAST_POINTS || most < second * LEAST_LEAD) return undefined
  return languages[points.indexOf(most)] ?? "other"
}
