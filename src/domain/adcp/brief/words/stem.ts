import { memoize } from "../../../memoize.ts"

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
