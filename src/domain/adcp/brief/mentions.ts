import { memoize } from "../../memoize.ts"
import type { OwnWord, Prepared } from "./prepared.ts"
import type { Reading, Term } from "./reading/read-brief.ts"
import { isFrequent } from "./words/frequent.ts"
import type { Language } from "./words/languages.ts"
import { isSameWord } from "./words/stem.ts"
import { namesSubject, subjectOf } from "./words/subjects.ts"
import { isCapital } from "./words/tokens.ts"

const WORD_MIN = 3

/**
 * Whether a reason may say that a product mentions a word of a brief: the same word but for its ending, in the same language, and none that
 * everybody uses. Between languages only what is the same in both, so that no "Gift" is taken for a gift.
 */
function mayQuote(term: Term, own: OwnWord, brief: Language | undefined, product: Language | undefined): boolean {
  if (own.raw === undefined || own.word.length < WORD_MIN) return false
  const isRare = !isFrequent(term.word) && !isFrequent(own.word)
  // Where one of the languages is not certain, it must be a subject in the other, or rare in all of them.
  if (brief === undefined || product === undefined)
    return term.word === own.word && (isRare || namesSubject(own.word, brief ?? product ?? "en"))
  const isSubject = namesSubject(term.word, brief) && namesSubject(own.word, product)
  if (brief === product) return isSameWord(term.word, own.word, brief) && (isSubject || isRare)
  if (term.word !== own.word) return false
  if (isSubject) return subjectOf(term.stem, brief) === subjectOf(term.stem, product)
  return isRare && term.isCapital && isCapital(own.raw)
}

/** Whether any product could be said to mention it: most words of a brief are too frequent. */
const mayBeQuoted = ({ word, isSure }: Term, brief: Language | undefined) =>
  isSure && word.length >= WORD_MIN && (brief === undefined || !isFrequent(word) || namesSubject(word, brief))

const MENTIONS_MAX = 3

interface Quotable {
  readonly term: Term
  /** More for what few products have. */
  readonly worth: number
}

/** Tells the words of a product that the brief has too, those first that few products have. */
export function mentioning({ language }: Reading, quotable: readonly Quotable[]): (prepared: Prepared) => string[] {
  const sorted = quotable
    .filter(({ term, worth }) => worth > 0 && mayBeQuoted(term, language))
    .sort((a, b) => b.worth - a.worth)
    .map(({ term }) => ({ term, judges: judgesOf(term, language) }))
  return ({ words, language: spoken }) => {
    const found: string[] = []
    for (const { term, judges } of sorted) {
      const own = words.get(term.stem)
      if (own?.raw === undefined || found.includes(own.raw) || !judges(spoken)(own.raw, own)) continue
      if (found.push(own.raw) === MENTIONS_MAX) break
    }
    return found
  }
}

/** Most products have a word in the same form and language, so that it is judged once. */
function judgesOf(term: Term, brief: Language | undefined) {
  return memoize(LANGUAGES_MAX, (product: Language | undefined) => {
    const known = new Map<string, boolean>()
    return (raw: string, own: OwnWord): boolean => {
      const before = known.get(raw)
      if (before !== undefined) return before
      const isSaid = mayQuote(term, own, brief, product)
      known.set(raw, isSaid)
      return isSaid
    }
  })
}

const LANGUAGES_MAX = 10
