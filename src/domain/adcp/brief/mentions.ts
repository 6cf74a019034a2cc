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
  if (term.isPart && !own.raw.includes("-")) return false
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

const MENTIONS_MAX = 3

interface Quotable {
  readonly term: Term
  /** More for what few products have; 0 for what is no reason. */
  readonly worth: number
}

/** Tells the words of a product that the brief has too, those first that few products have. */
export function mentioning({ language }: Reading, quotable: readonly Quotable[]): (prepared: Prepared) => string[] {
  const sorted = quotable.filter(({ term, worth }) => term.isSure && worth > 0).sort((a, b) => b.worth - a.worth)
  return ({ words, language: spoken }) => {
    const found = new Set<string>()
    for (const { term } of sorted) {
      const own = words.get(term.stem)
      if (own?.raw !== undefined && mayQuote(term, own, language, spoken)) found.add(own.raw)
      if (found.size === MENTIONS_MAX) break
    }
    return [...found]
  }
}
