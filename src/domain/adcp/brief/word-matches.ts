import MiniSearch from "minisearch"
import { points } from "./assessment.ts"
import type { Reading } from "./reading/read-brief.ts"
import type { Texts } from "./traits.ts"
import { tokenize } from "./words/tokenize.ts"

interface Hit {
  /** Of the product, in the list that was indexed. */
  readonly place: number
  readonly score: number
  /** The stem of the word that the product has: the one that was looked for, or one that it begins or is a slip of. */
  readonly stem: string
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
  const known = new Set<string>()
  const index = new MiniSearch({
    fields: Object.keys(fields),
    tokenize: (text) =>
      tokenize(text).map(({ stem }) => {
        known.add(stem)
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
    new Map(index.search(stem).map(({ id, score, terms }) => [id, { place: id, score, stem: terms[0] ?? stem }]))
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

// A score of text search at which most of the points for words are given.
const WORDS_SCALE = 8

/** The words of a brief in the products, by the places of these in the index. */
interface WordMatches {
  points(place: number): number
  /** Whether it has a word that is worth naming. What kind of product it is, its channel says already. */
  isNamed(place: number): boolean
  /** The stems of the words that it has and that are worth naming. */
  stems(place: number): string[]
  /** The stems of those that the brief does not want. */
  unwantedStems(place: number): string[]
}

/** Goes through the hits of each word, not through the products: most products have few of the words. */
export function wordMatches({ words, unwantedWords }: Reading, index: TopicIndex): WordMatches {
  const hits = words.map(({ stem }) => index.hits(stem))
  // What only looks like an unwanted word takes nothing away.
  const refused = unwantedWords.map(({ stem }) => [...index.hits(stem).values()].filter((hit) => hit.stem === stem))
  const scores = new Float64Array(index.size)
  const penalties = new Float64Array(index.size)
  const named = new Uint8Array(index.size)
  for (let at = 0; at < words.length; at++) {
    const weight = words[at]?.weight ?? 0
    for (const { place, score } of hits[at]?.values() ?? []) {
      scores[place] = (scores[place] ?? 0) + score * weight
      if (weight === 1) named[place] = 1
    }
  }
  for (const hit of refused.flat()) penalties[hit.place] = points.unwantedWord

  return {
    points: (place) => points.words * (1 - Math.exp(-(scores[place] ?? 0) / WORDS_SCALE)) + (penalties[place] ?? 0),
    isNamed: (place) => named[place] === 1,
    stems: (place) =>
      words.flatMap(({ weight }, at) => {
        const hit = weight === 1 ? hits[at]?.get(place) : undefined
        return hit === undefined ? [] : [hit.stem]
      }),
    unwantedStems: (place) =>
      refused.flatMap((found) => found.flatMap((hit) => (hit.place === place ? [hit.stem] : []))),
  }
}
