import type { Index } from "./index.ts"
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

/** The words of each product that the brief has too, those first that few products have. What most mention is a reason for none. */
export function mentionsIn({ language, terms }: Reading, { words, products, prepared }: Index): Map<number, string[]> {
  const most = products.length > FEW ? products.length / 2 : FEW
  const sure = terms.flatMap((term) => {
    const posting = term.isSure ? words.get(term.stem) : undefined
    return posting === undefined || posting.places.length > most ? [] : [{ term, places: posting.places }]
  })
  const found = new Map<number, string[]>()
  for (const { term, places } of sure.sort((a, b) => a.places.length - b.places.length)) {
    for (const place of places) {
      const { words: own, language: spoken } = prepared[place] as Prepared
      const word = own.get(term.stem)
      const before = found.get(place)
      if (word?.raw === undefined || before?.length === MENTIONS_MAX || before?.includes(word.raw)) continue
      if (!mayQuote(term, word, language, spoken)) continue
      if (before === undefined) found.set(place, [word.raw])
      else before.push(word.raw)
    }
  }
  return found
}

const FEW = 4
