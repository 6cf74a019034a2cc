import type { OwnFormats } from "../catalogue/check-refs.ts"
import type { SeenProduct } from "../view.ts"
import { Assessment } from "./assessment.ts"
import { briefTexts, compare, type ReadBrief } from "./compare.ts"
import { type Facts, factsOf, textsOf } from "./facts.ts"
import { type Reading, readBrief } from "./reading/read-brief.ts"
import { Reasons } from "./reasons.ts"
import { topicIndex } from "./topic-index.ts"

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

const factsKnown = new WeakMap<SeenProduct, Facts>()

/** Callers who see the same share its facts. */
function factsFor(seen: SeenProduct, own: OwnFormats): Facts {
  const known = factsKnown.get(seen) ?? factsOf(seen, own)
  factsKnown.set(seen, known)
  return known
}

/** Over these products alone: words and statistics of others would tell of them. */
export function briefSearch(products: readonly SeenProduct[], own: OwnFormats, today: string): BriefSearch {
  const facts = new Map(products.map((seen) => [seen.id, factsFor(seen, own)]))
  const index = topicIndex(products.map((seen) => ({ id: seen.id, ...textsOf(seen, own) })))

  function assess(seen: SeenProduct, brief: ReadBrief, reasons?: Reasons): Assessment {
    const assessment = new Assessment(reasons)
    compare(seen, facts.get(seen.id) ?? NO_FACTS, brief, assessment)
    return assessment
  }

  function readAnew(text: string): Brief {
    const reading = readBrief(text, today, index.has)
    const hits = reading.words.map(({ stem }) => index.hits(stem))
    const brief = { reading, hits, texts: briefTexts(reading) }
    const reasons = new Reasons()
    return {
      reading,
      relevanceOf: (seen) => assess(seen, brief),
      explain: (seen) => assess(seen, brief, reasons).sentence(),
    }
  }

  // The pages of a list are asked for one after the other.
  let latest: { readonly text: string; readonly brief: Brief } | undefined
  return {
    read(text) {
      if (latest?.text !== text) latest = { text, brief: readAnew(text) }
      return latest.brief
    },
  }
}
