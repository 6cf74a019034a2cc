import { memoize } from "../../../memoize.ts"
import type { Language } from "./languages.ts"

const ENDINGS = /(?:erinnen|innen|ungen|ings|ung|ing|ern|ers|eur|er|en|em|es|os|as|ies|e|n|s|o|a|y|x)$/
const PASSES = 3
const REST_MIN = 4
const STEMS_REMEMBERED = 20_000

/** What a folded word is searched by, the same for its usual forms in four languages. A hint: unlike words may share it. */
export const stem = memoize(STEMS_REMEMBERED, (word: string): string => {
  if (/\d/.test(word)) return word
  let rest = word
  for (let pass = 0; pass < PASSES; pass++) {
    const ending = ENDINGS.exec(rest)?.[0] ?? ""
    if (rest.length - ending.length >= REST_MIN) rest = rest.slice(0, rest.length - ending.length)
    else if (/(?:[^s]s|n)$/.test(rest) && rest.length >= REST_MIN && (rest.length > REST_MIN || rest.endsWith("s")))
      rest = rest.slice(0, -1)
    else break
  }
  return rest.replace(/([^aeiousl])\1$/, "$1")
})

// Endings of forms of one word, by language; any two of a group.
const forms: Readonly<Record<Language, readonly ReadonlySet<string>[]>> = {
  en: [new Set(["", "s", "es"]), new Set(["y", "ies"])],
  de: [new Set(["", "e", "en", "er", "ern", "es", "n", "s"])],
  fr: [new Set(["", "s", "x", "e", "es"])],
  es: [new Set(["", "s", "es"]), new Set(["o", "a", "os", "as"])],
}
const SHORT = 4

/** Whether two folded words are the same but for their ending, so that one may be said to mention the other. */
export function isSameWord(a: string, b: string, language: Language): boolean {
  if (a === b) return true
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  const [rest, other] = [a.slice(same), b.slice(same)]
  const isLong =
    same >= SHORT || (same === SHORT - 1 && (rest.length + other.length <= 1 || rest === "y" || other === "y"))
  return isLong && forms[language].some((group) => group.has(rest) && group.has(other))
}
