import MiniSearch from "minisearch"
import type { Texts } from "./facts.ts"
import { tokenize } from "./words/tokenize.ts"

interface Hit {
  /** Of the product, in the list that was indexed. */
  readonly place: number
  readonly score: number
  /** The word as the products have it, where it is not a form of the one that was looked for. */
  readonly word: string | undefined
}

/** The products that have a word, by their places. */
export type HitsOfWord = ReadonlyMap<number, Hit>

export interface TopicIndex {
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
