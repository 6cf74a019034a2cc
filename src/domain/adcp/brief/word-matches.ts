import MiniSearch from "minisearch"
import { memoize } from "../../memoize.ts"
import { points, subsetTexts, type Told } from "./assessment.ts"
import type { TopicWord } from "./reading/read-brief.ts"
import type { Texts } from "./traits.ts"
import { shortened } from "./wording.ts"
import { tokenize } from "./words/tokenize.ts"

interface Hit {
  /** Of the product, in the list that was indexed. */
  readonly place: number
  readonly score: number
  /** The word as the products have it, where it is not a form of the one that was looked for. */
  readonly word: string | undefined
}

/** The products that have a word, by their places. */
type HitsOfWord = ReadonlyMap<number, Hit>

interface TopicIndex {
  /** How many products it has. */
  readonly size: number
  /** Whether some product has the word. */
  has(stem: string): boolean
  /** The products that have the word, shortened or misspelt where nobody has it as it stands. */
  hits(stem: string): HitsOfWord
}

// A word in the name says most about a product, one in its description least.
const fields: Record<keyof Texts, number> = { name: 3, kind: 1, text: 1.5 }
const PREFIX_CHARACTERS_MIN = 4
const FUZZY_CHARACTERS_MIN = 5
const HITS_REMEMBERED_MAX = 20_000

export function topicIndex(documents: readonly Texts[]): TopicIndex {
  // Each stem with a word that it was found in.
  const known = new Map<string, string>()
  const index = new MiniSearch({
    fields: Object.keys(fields),
    tokenize: (text) =>
      tokenize(text).map(({ stem, raw }) => {
        if (!known.has(stem)) known.set(stem, raw)
        return stem
      }),
    processTerm: (stem) => stem,
    searchOptions: {
      boost: fields,
      tokenize: (stem) => [stem],
      processTerm: (stem) => stem,
      prefix: (stem) => stem.length >= PREFIX_CHARACTERS_MIN,
      // Only a word that no product has may be misspelt; looking for likenesses of every word would cost most of the time.
      fuzzy: (stem) => (stem.length >= FUZZY_CHARACTERS_MIN && !known.has(stem) ? 1 : false),
    },
  })
  index.addAll(documents.map((texts, id) => ({ id, ...texts })))
  const search = (stem: string): HitsOfWord =>
    new Map(
      index.search(stem).map(({ id, score, terms }) => {
        const [found = stem] = terms
        return [id, { place: id, score, word: found === stem ? undefined : known.get(found) }]
      }),
    )
  return { size: documents.length, has: (stem) => known.has(stem), hits: rememberHits(search) }
}

/** Briefs differ, but their words come back: looking for one, misspelt or shortened, costs far more than adding up what was found. */
function rememberHits(search: (stem: string) => HitsOfWord): (stem: string) => HitsOfWord {
  const known = new Map<string, HitsOfWord>()
  let remembered = 0
  return (stem) => {
    const before = known.get(stem)
    if (before !== undefined) return before
    const hits = search(stem)
    if (remembered > HITS_REMEMBERED_MAX) {
      known.clear()
      remembered = 0
    }
    known.set(stem, hits)
    // A word that is found nowhere takes its place too.
    remembered += hits.size + 1
    return hits
  }
}

const WORDS_SHOWN_MAX = 8
// A score of text search at which most of the points for words are given.
const WORDS_SCALE = 8

const NOTHING: Told = { fitting: "", missing: "" }
const mentions = (words: readonly string[]) => `mentions ${shortened(words, WORDS_SHOWN_MAX)}`

/** The words of a brief in the products, by the places of these in the index. */
interface WordMatches {
  points(place: number): number
  /** Whether it has a word that is worth naming. What kind of product it is, its channel says already. */
  isNamed(place: number): boolean
  /** The words that it has; nothing where none is worth naming. */
  told(place: number): Told
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
  const told = memoize(index.size, (text: string): Told => ({ fitting: text, missing: "" }))

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
    told(place) {
      const subset = named[place] ?? 0
      if (subset === 0) return NOTHING
      return told(otherForms.has(place) ? mentions(wordsFound(place)) : asWritten(subset))
    },
  }
}
