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
// No word has one.
const BETWEEN = "\n"

export function topicIndex(products: readonly Searched[]) {
  const stems = new Set(products.flatMap(({ wordByStem }) => [...wordByStem.keys()]))
  const index = new MiniSearch({
    fields: Object.keys(fields),
    tokenize: (stems) => (stems === "" ? [] : stems.split(BETWEEN)),
    processTerm: (stem) => stem,
    searchOptions: {
      boost: fields,
      tokenize: (stem) => [stem],
      prefix: (stem) => stem.length >= PREFIX_CHARACTERS_MIN,
      // Only a word that no product has may be misspelt; looking for likenesses of every word would cost most of the time.
      fuzzy: (stem) => (stem.length >= FUZZY_CHARACTERS_MIN && !stems.has(stem) ? 1 : false),
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
    index.search(stem).map(({ id: place, score, terms: [match = stem] }) => {
      const word = products[place]?.wordByStem.get(match) ?? match
      return { place, score, word, isExact: match === stem }
    })
  // Briefs differ, but their words come back: looking for one, misspelt or shortened, costs far more than adding up what was found.
  return {
    products,
    has: (stem: string) => stems.has(stem),
    hits: memoize(WORDS_REMEMBERED_MAX, search),
    /** The products about a topic, with the word that tells it. */
    about: memoize(WORDS_REMEMBERED_MAX, (topic: string) =>
      products.flatMap(({ wordByTopic }, place) => {
        const word = wordByTopic.get(topic)
        return word === undefined ? [] : [{ place, word }]
      }),
    ),
  }
}

// A score of text search at which most of the points for words are given.
const WORDS_SCALE = 8

export type WordMatches = ReturnType<typeof wordMatches>

/** Goes through the hits of each word, not through the products: most products have few of the words. */
export function wordMatches({ words, unwantedWords, topics }: Reading, index: ReturnType<typeof topicIndex>) {
  const scores = new Float64Array(index.products.length)
  const isNamed: boolean[] = []
  // The words of each product as one text, by which those that have the same words are recognized.
  const mentioned: string[] = []
  const refused: string[] = []
  for (const { stem, weight } of words) {
    for (const { place, score, word } of index.hits(stem)) {
      scores[place] = (scores[place] ?? 0) + score * weight
      if (weight !== 1) continue
      isNamed[place] = true
      add(mentioned, place, word)
    }
  }
  for (const topic of topics) for (const { place, word } of index.about(topic)) add(mentioned, place, word)
  // What only looks like an unwanted word takes nothing away.
  for (const { stem } of unwantedWords)
    for (const { place, word, isExact } of index.hits(stem)) if (isExact) add(refused, place, word)
  return {
    points: (place: number) =>
      points.words * (1 - Math.exp(-(scores[place] ?? 0) / WORDS_SCALE)) +
      (refused[place] === undefined ? 0 : points.unwantedWord),
    /** Whether it has a word that is worth naming. What kind of product it is, its channel says already. */
    isNamed: (place: number) => isNamed[place] === true,
    /** The same for products that have the same words. */
    textAt: (place: number) =>
      refused[place] === undefined ? (mentioned[place] ?? "") : `${mentioned[place]} ${refused[place]}`,
    /** The words that it has and that are worth naming, and those that tell a topic of it. */
    mentioned: (place: number) => distinctWords(wordsOf(mentioned[place])),
    unwanted: (place: number) => distinctWords(wordsOf(refused[place])),
  }
}

function add(texts: string[], place: number, word: string): void {
  texts[place] = `${texts[place] ?? ""}${word}${BETWEEN}`
}

const wordsOf = (text = "") => text.split(BETWEEN).slice(0, -1)

/** Each word once, whatever its case. */
export function distinctWords(words: readonly (string | undefined)[]): string[] {
  const match: string[] = []
  const isNew = (word: string) => !match.some((other) => other === word || other.toLowerCase() === word.toLowerCase())
  for (const word of words) if (word !== undefined && isNew(word)) match.push(word)
  return match
}
