import type { OwnFormats } from "../catalogue/check-refs.ts"
import type { SeenProduct } from "../view.ts"
import { compare, type WordHits } from "./compare.ts"
import { type Facts, factsOf, textsOf } from "./facts.ts"
import { stemOf } from "./fold.ts"
import { type Reading, readBrief } from "./read-brief.ts"
import { type TopicIndex, topicIndex } from "./topic-index.ts"

export interface Relevance {
  readonly score: number
  /** Whether anything of the product is as the brief wants it. */
  readonly fits: boolean
}

/** A brief beside the products of one caller. */
export interface Brief {
  readonly reading: Reading
  relevanceOf(seen: SeenProduct): Relevance
  /** What fits and what does not, in a sentence; undefined where the brief says nothing about the product. */
  explain(seen: SeenProduct): string | undefined
}

export interface BriefSearch {
  /** What the text asks of the products. The same text gives the same answer. */
  read(text: string): Brief
}

const NO_FACTS: Facts = { features: new Set(), topics: new Map(), months: new Set(), lengths: [], pixels: new Set() }

/** Over these products alone: words and statistics of others would tell of them. */
export function briefSearch(products: readonly SeenProduct[], own: OwnFormats, today: string): BriefSearch {
  const facts = new Map(products.map((seen) => [seen.id, factsOf(seen, own)]))
  const index = topicIndex(products.map((seen) => ({ id: seen.id, ...textsOf(seen, own) })))
  return {
    read(text) {
      const reading = readBrief(text, today, index.has)
      const hits = hitsOf(index, reading)
      const findingsOf = (seen: SeenProduct) =>
        compare(seen, facts.get(seen.id) ?? NO_FACTS, hits.get(seen.id), reading)
      return {
        reading,
        relevanceOf(seen) {
          const findings = findingsOf(seen)
          let score = 0
          for (const finding of findings) score += finding.points
          return { score, fits: findings.some(({ fits }) => fits) }
        },
        explain(seen) {
          const findings = findingsOf(seen)
          if (findings.length === 0) return undefined
          const said = (wanted: boolean) =>
            findings
              .filter(({ fits }) => fits === wanted)
              .map(({ say }) => say())
              .filter((text) => text !== "")
              .join(", ")
          const text = [said(true), said(false)].filter((part) => part !== "").join("; ")
          return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
        },
      }
    },
  }
}

function hitsOf(index: TopicIndex, { words }: Reading): ReadonlyMap<string, WordHits> {
  const found = new Map<string, { score: number; words: string[] }>()
  for (const { word, stem, weight } of words) {
    for (const { id, score, word: own } of index.hits(stem)) {
      const hits = found.get(id) ?? { score: 0, words: [] }
      hits.score += score * weight
      // What a product is, its channel says already.
      if (weight === 1) hits.words.push(stemOf(own) === stem ? word : own)
      found.set(id, hits)
    }
  }
  return found
}
