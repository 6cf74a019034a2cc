import { memoize } from "../../memoize.ts"
import type { OwnFormats } from "../catalogue/check.ts"
import type { SeenProduct } from "../seen-product.ts"
import { Assessment, sentences } from "./assessment.ts"
import { briefTexts, compareAbout, compareTerms } from "./compare.ts"
import { essenceOf, type Reading, readBrief } from "./reading/read-brief.ts"
import { type About, type Facts, factsOf, interner, type Terms, type Traits, textsOf, traitsOf } from "./traits.ts"
import { topicIndex, wordMatches } from "./word-matches.ts"

export interface Relevance {
  readonly score: number
  /** Of the product among all that were indexed. */
  readonly place: number
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
  /** The same for texts that ask the same, in whatever words. */
  essenceOf(text: string): string
}

interface Understood {
  readonly reading: Reading
  readonly essence: string
}

const READINGS_REMEMBERED_MAX = 100
const SHORT_CHARACTERS_MAX = 2_000

const factsKnown = new WeakMap<SeenProduct, Facts>()

/** Callers who see the same share its facts. */
function factsFor(seen: SeenProduct, own: OwnFormats): Facts {
  const known = factsKnown.get(seen) ?? factsOf(seen, own)
  factsKnown.set(seen, known)
  return known
}

/** A product with its place in the index. */
interface Entry extends Traits {
  readonly place: number
}

/** Buyers' programs repeat themselves. */
function remembered(read: (text: string) => Reading): (text: string) => Understood {
  const understand = (text: string): Understood => {
    const reading = read(text)
    return { reading, essence: essenceOf(reading) }
  }
  const shortOnes = memoize(READINGS_REMEMBERED_MAX, understand)
  const latestLongOne = memoize(1, understand)
  return (text) => (text.length > SHORT_CHARACTERS_MAX ? latestLongOne : shortOnes)(text)
}

/** Over these products alone: words and statistics of others would tell of them. */
export function briefSearch(products: readonly SeenProduct[], own: OwnFormats, today: string): BriefSearch {
  const index = topicIndex(products.map((seen) => textsOf(seen, own)))
  const sameAbout = interner<About>()
  const sameTerms = interner<Terms>()
  const entries = new Map<SeenProduct, Entry>()
  const placeOf = new Map<string, number>()
  for (const [place, seen] of products.entries()) {
    const { about, terms } = traitsOf(seen, factsFor(seen, own))
    entries.set(seen, { about: sameAbout(about), terms: sameTerms(terms), place })
    placeOf.set(seen.id, place)
  }

  /** Of a product that filters left with other prices, what else is known of it stays. */
  function entryOf(seen: SeenProduct): Entry {
    const place = placeOf.get(seen.id)
    const original = place === undefined ? undefined : products[place]
    if (original === undefined || place === undefined) throw new Error("a brief is compared with its own products only")
    return { ...traitsOf(seen, factsFor(original, own)), place }
  }

  const understood = remembered((text) => readBrief(text, today, index.has))

  function compareAnew(text: string): Brief {
    const { reading } = understood(text)
    const words = wordMatches(reading.words, index)
    const brief = { reading, texts: briefTexts(reading) }
    const about = assessor<About>((traits, assessment) => compareAbout(traits, brief, assessment))
    const terms = assessor<Terms>((traits, assessment) => compareTerms(traits, brief, assessment))
    const sentence = sentences()
    return {
      reading,
      relevanceOf(seen) {
        const entry = entries.get(seen) ?? entryOf(seen)
        const first = about.judged(entry.about)
        const last = terms.judged(entry.terms)
        return {
          place: entry.place,
          score: first.score + words.points(entry.place) + last.score,
          fits: first.fits || last.fits || words.isNamed(entry.place),
        }
      },
      explain(seen) {
        const entry = entries.get(seen) ?? entryOf(seen)
        return sentence(about.told(entry.about), words.text(entry.place), terms.told(entry.terms))
      },
    }
  }

  // The pages of a list are asked for one after the other.
  let latest: { readonly text: string; readonly brief: Brief } | undefined
  return {
    read(text) {
      if (latest?.text !== text) latest = { text, brief: compareAnew(text) }
      return latest.brief
    },
    essenceOf: (text) => understood(text).essence,
  }
}

/** Compares traits with a brief, each only once; in words only for the products that are shown. */
function assessor<Value extends object>(compare: (traits: Value, assessment: Assessment) => void) {
  const once = (isTold: boolean) => {
    const known = new Map<Value, Assessment>()
    return (traits: Value): Assessment => {
      const before = known.get(traits)
      if (before !== undefined) return before
      const assessment = new Assessment(isTold)
      compare(traits, assessment)
      known.set(traits, assessment)
      return assessment
    }
  }
  return { judged: once(false), told: once(true) }
}
