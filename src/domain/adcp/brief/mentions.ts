import type { OwnWord, Prepared } from "./prepared.ts"
import type { Reading, Term } from "./reading/read-brief.ts"
import { isFrequent } from "./words/frequent.ts"
import { isFunctionWord, type Language, languages } from "./words/languages.ts"
import { baseForms, isSameWord } from "./words/stem.ts"
import { namesSubject, subjectOf } from "./words/subjects.ts"
import { isCapital } from "./words/tokens.ts"
import { isTradeWord } from "./words/trade.ts"

/** Whether a word is so frequent that it tells nothing, in any form. */
function isCommon(word: string, language: Language): boolean {
  if (namesSubject(word, language)) return false
  for (const form of baseForms(word)) {
    if (isFunctionWord(form, language) || isTradeWord(form) || isFrequent(form, language)) return true
  }
  return false
}

const WORD_MIN = 3

/**
 * Whether a reason may say that a product mentions a word of a brief: the same word but for its ending, in the same language, and none that
 * everybody uses. Between languages only what is the same in both, so that no "Gift" is taken for a gift.
 */
function mayQuote(term: Term, own: OwnWord, brief: Language | undefined, product: Language | undefined): boolean {
  if (!term.isSure || own.raw === undefined || own.word.length < WORD_MIN || term.word.length < WORD_MIN) return false
  if (isTradeWord(term.word) || isTradeWord(own.word) || /^\d/.test(own.word)) return false
  if (brief !== undefined && brief === product) {
    return isSameWord(term.word, own.word, brief) && !isCommon(term.word, brief) && !isCommon(own.word, brief)
  }
  if (term.word !== own.word) return false
  if (brief !== undefined && product !== undefined) {
    if (namesSubject(term.word, brief) && namesSubject(own.word, product))
      return subjectOf(term.stem, brief) === subjectOf(term.stem, product)
    const isName = term.isCapital && isCapital(own.raw)
    return isName && !isCommon(term.word, brief) && !isCommon(own.word, product)
  }
  // Where one of the languages is not certain, the word must be rare in all of them.
  const said = brief ?? product
  if (said !== undefined && namesSubject(own.word, said))
    return languages.every((each) => namesSubject(own.word, each) || !isCommon(own.word, each))
  return languages.every((each) => !isCommon(own.word, each))
}

const MENTIONS_MAX = 3
const REMEMBERED = 1_000

interface Quotable {
  readonly term: Term
  /** More for what few products have. */
  readonly worth: number
}

/** Tells the words of a product that the brief has too, those first that few products have. */
export function mentioning({ language }: Reading, quotable: readonly Quotable[]): (prepared: Prepared) => string[] {
  const sorted = quotable.filter(({ term, worth }) => term.isSure && worth > 0).sort((a, b) => b.worth - a.worth)
  const judged = new Map<string, boolean>()
  const isSaid = (term: Term, own: OwnWord, product: Language | undefined): boolean => {
    const key = `${term.word} ${own.word} ${own.raw !== undefined} ${product}`
    const known = judged.get(key) ?? mayQuote(term, own, language, product)
    if (judged.size < REMEMBERED) judged.set(key, known)
    return known
  }
  return (prepared) => {
    const found = new Set<string>()
    for (const { term } of sorted) {
      const own = prepared.words.get(term.stem)
      if (own?.raw !== undefined && isSaid(term, own, prepared.language)) found.add(own.raw)
      if (found.size === MENTIONS_MAX) break
    }
    return [...found]
  }
}
