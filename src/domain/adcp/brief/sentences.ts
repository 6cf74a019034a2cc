import { type Assessment, joined, sentenceOf } from "./assessment.ts"

/** Puts what is said of a product into a sentence; undefined where nothing is. */
export type Sentences = (first: Assessment, words: string, last: Assessment) => string | undefined

/** Each sentence is made once: most products of an answer say the same of a brief. */
export function sentences(): Sentences {
  const known = new Map<Assessment, Map<Assessment, Map<string, string | undefined>>>()
  return (first, words, last) => {
    const byLast = entryIn(known, first, () => new Map())
    const byWords = entryIn(byLast, last, () => new Map<string, string | undefined>())
    return entryIn(byWords, words, () =>
      sentenceOf(joined(joined(first.fitting, words), last.fitting), joined(first.missing, last.missing)),
    )
  }
}

function entryIn<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
