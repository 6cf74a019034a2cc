import MiniSearch from "minisearch"
import { memoize } from "../../memoize.ts"
import { points } from "./assessment.ts"
import type { Reading } from "./reading/read-brief.ts"
import type { Traits } from "./traits.ts"

interface Hit {
  readonly place: number
  readonly score: number
  /** The word as the product has it: the one that was looked for, or one that it begins or is a slip of. */
  readonly word: string
  /** Whether it is the one that was looked for. */
  readonly isExact: boolean
}

type Searched = Pick<Traits, "stems" | "wordByStem" | "wordByTopic">

// A word in the name says most about a product, one in its description least.
const fields: Record<keyof Searched["stems"], number> = { name: 3, kind: 1, text: 1.5 }
const PREFIX_CHARACTERS_MIN = 4
const FUZZY_CHARACTERS_MIN = 5
const WORDS_REMEMBERED_MAX = 500
// No stem has one.
const BETWEEN = "\n"

export function topicIndex(products: readonly Searched[]) {
  const known = new Set(products.flatMap(({ wordByStem }) => [...wordByStem.keys()]))
  const index = new MiniSearch({
    fields: Object.keys(fields),
    tokenize: (stems) => (stems === "" ? [] : stems.split(BETWEEN)),
    processTerm: (stem) => stem,
    searchOptions: {
      boost: fields,
      tokenize: (stem) => [stem],
      prefix: (stem) => stem.length >= PREFIX_CHARACTERS_MIN,
      // Only a word that no product has may be misspelt; looking for likenesses of every word would cost most of the time.
      fuzzy: (stem) => (stem.length >= FUZZY_CHARACTERS_MIN && !known.has(stem) ? 1 : false),
    },
  })
  index.addAll(
    products.map(({ stems: { name, kind, text } }, id) => ({
      id,
      name: name.join(BETWEEN),
      kind: kind.join(BETWEEN),
      text: text.join(BETWEEN),
    })),
  )
  const search = (stem: string): readonly Hit[] =>
    index.search(stem).map(({ id: place, score, terms: [found = stem] }) => {
      const word = products[place]?.wordByStem.get(found) ?? found
      return { place, score, word, isExact: found === stem }
    })
  // Briefs differ, but their words come back: looking for one, misspelt or shortened, costs far more than adding up what was found.
  return { products, has: (stem: string) => known.has(stem), hits: memoize(WORDS_REMEMBERED_MAX, search) }
}

// A score of text search at which most of the points for words are given.
const WORDS_SCALE = 8

const NONE: readonly string[] = []

export type WordMatches = ReturnType<typeof wordMatches>

/** Goes through the hits of each word, not through the products: most products have few of the words. */
export function wordMatches({ words, unwantedWords, topics }: Reading, index: ReturnType<typeof topicIndex>) {
  const scores = new Float64Array(index.products.length)
  const named: string[][] = []
  const refused: string[][] = []
  for (const { stem, weight } of words) {
    for (const { place, score, word } of index.hits(stem)) {
      scores[place] = (scores[place] ?? 0) + score * weight
      if (weight === 1) push(named, place, word)
    }
  }
  // What only looks like an unwanted word takes nothing away.
  for (const { stem } of unwantedWords)
    for (const { place, word, isExact } of index.hits(stem)) if (isExact) push(refused, place, word)
  return {
    points: (place: number) =>
      points.words * (1 - Math.exp(-(scores[place] ?? 0) / WORDS_SCALE)) +
      (refused[place] === undefined ? 0 : points.unwantedWord),
    /** Whether it has a word that is worth naming. What kind of product it is, its channel says already. */
    isNamed: (place: number) => named[place] !== undefined,
    /** The words that it has and that are worth naming, and those that tell a topic of it. */
    mentioned(place: number): readonly string[] {
      const byTopic = index.products[place]?.wordByTopic
      return distinctWords([...(named[place] ?? NONE), ...topics.map((topic) => byTopic?.get(topic))])
    },
    unwanted: (place: number): readonly string[] => distinctWords(refused[place] ?? NONE),
  }
}

function push(lists: string[][], place: number, word: string): void {
  const list = lists[place]
  if (list === undefined) lists[place] = [word]
  else list.push(word)
}

/** Each word once, whatever its case. */
export function distinctWords(words: readonly (string | undefined)[]): string[] {
  const found: string[] = []
  const isNew = (word: string) => !found.some((other) => other === word || other.toLowerCase() === word.toLowerCase())
  for (const word of words) if (word !== undefined && isNew(word)) found.push(word)
  return found
}
