import { points } from "./points.ts"
import type { TopicWord } from "./reading/read-brief.ts"
import { subsetTexts } from "./subset-texts.ts"
import type { TopicIndex } from "./topic-index.ts"
import { shortened } from "./wording.ts"

const WORDS_SHOWN_MAX = 8
// A score of text search at which most of the points for words are given.
const WORDS_SCALE = 8

const mentions = (words: readonly string[]) => `mentions ${shortened(words, WORDS_SHOWN_MAX)}`

/** The words of a brief in the products, by the places of these in the index. */
export interface WordMatches {
  points(place: number): number
  /** Whether it has a word that is worth naming. What kind of product it is, its channel says already. */
  isNamed(place: number): boolean
  /** The words that it has; nothing where none is worth naming. */
  text(place: number): string
}

/** Goes through the hits of each word, not through the products: most products have few of the words. */
export function wordMatches(words: readonly TopicWord[], index: TopicIndex): WordMatches {
  const hits = words.map(({ stem }) => index.hits(stem))
  const scores = new Float64Array(index.size)
  // The places of the words in the brief, as a sum of powers of two.
  const named = new Float64Array(index.size)
  const otherForms = new Set<number>()
  for (let at = 0; at < words.length; at++) {
    const weight = words[at]?.weight ?? 0
    const bit = 2 ** at
    for (const { place, score, word } of hits[at]?.values() ?? []) {
      scores[place] = (scores[place] ?? 0) + score * weight
      if (weight < 1) continue
      named[place] = (named[place] ?? 0) + bit
      if (word !== undefined) otherForms.add(place)
    }
  }
  const asWritten = subsetTexts(
    words.map(({ word }) => word),
    mentions,
  )

  /** The words as the product has them, each once. */
  function wordsFound(place: number): string[] {
    const found = words.flatMap(({ word, weight }, at) => {
      const hit = weight === 1 ? hits[at]?.get(place) : undefined
      return hit === undefined ? [] : [hit.word ?? word]
    })
    return [...new Set(found)]
  }

  return {
    points: (place) => points.words * (1 - Math.exp(-(scores[place] ?? 0) / WORDS_SCALE)),
    isNamed: (place) => (named[place] ?? 0) > 0,
    text(place) {
      const subset = named[place] ?? 0
      if (subset === 0) return ""
      return otherForms.has(place) ? mentions(wordsFound(place)) : asWritten(subset)
    },
  }
}
