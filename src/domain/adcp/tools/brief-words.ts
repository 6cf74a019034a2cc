// Splits a brief into search words. A brief is untrusted: nothing in it is an instruction or an operator.

const BRIEF_CHARACTERS_MAX = 20_000
const BRIEF_WORDS_MAX = 60
const WORD_CHARACTERS_MAX = 40

const MARKS = /\p{M}/gu
const SEPARATORS = /[^\p{L}\p{N}]+/u

/** Words in lower case and without accents. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(MARKS, "").toLowerCase()
  return plain.split(SEPARATORS).filter((word) => word !== "" && word.length <= WORD_CHARACTERS_MAX)
}

const commonWords = new Set(
  wordsOf(
    "a about all also an and any are as at be been but by can could do does for from has have how i if in into is it its " +
      "like make may me more most my need no not of on only or other our please should so some such than that the their " +
      "them then there these they this to up us very want was we were what when which who will with would you your " +
      "ad ads advertisement advertising campaign campaigns brand buy product products " +
      "auf aus bei das dem den der die ein eine einen einer es für ich ihr im ist mit nach nicht oder sie sind und uns " +
      "unser unsere von vom wir wird zu zum zur le la les des du un une et pour avec dans sur",
  ),
)

/** The significant words of a brief, unique and in order. Only the start of a long brief counts. */
export function queryWords(brief: string): string[] {
  const words = wordsOf(brief.slice(0, BRIEF_CHARACTERS_MAX)).filter((word) => !commonWords.has(word))
  return [...new Set(words)].slice(0, BRIEF_WORDS_MAX)
}
