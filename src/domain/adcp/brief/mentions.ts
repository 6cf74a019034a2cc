import type { Index } from "./index.ts"
import type { OwnWord, Prepared } from "./prepared.ts"
import type { Reading, Term } from "./reading/read-brief.ts"
import { isFrequent } from "./words/frequent.ts"
import { isSameWord, type Language } from "./words/languages.ts"
import { namesSubject, subjectOf } from "./words/subjects.ts"
import { isCapital } from "./words/tokens.ts"

const WORD_MIN = 3

/**
 * Whether a reason may say that a product mentions a word of a brief: the same word but for its ending, in the same language, and none that
 * everybody uses. Between languages only what is the same in both, so that no "Gift" is taken for a gift.
 */
function mayQuote(term: Term, own: OwnWord, brief: Language | undefined, product: Language | undefined): boolean {
  if (own.raw === undefined || own.word.length < WORD_MIN) return false
  // "Sages-femmes" are no "femmes".
  if (term.isPart !== own.raw.includes("-")) return false
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

/** Tells the words of a product that the brief has too, those first that few products have. What most mention is a reason for none. */
export function mentioning({ language, terms }: Reading, { words, products }: Index): (prepared: Prepared) => string[] {
  const most = products.length > FEW ? products.length / 2 : FEW
  const counted = terms.flatMap((term) => {
    const count = term.isSure ? (words.get(term.stem)?.places.length ?? 0) : 0
    return count === 0 || count > most ? [] : [{ term, count }]
  })
  const rarestFirst = counted.sort((a, b) => a.count - b.count)
  return ({ words: own, language: spoken }) => {
    const found = new Set<string>()
    for (const { term } of rarestFirst) {
      const word = own.get(term.stem)
      if (word?.raw !== undefined && mayQuote(term, word, language, spoken)) found.add(word.raw)
      if (found.size === MENTIONS_MAX) break
    }
    return [...found]
  }
}

const FEW = 4
