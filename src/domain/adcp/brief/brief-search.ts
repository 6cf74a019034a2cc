import { memoize } from "../../memoize.ts"
import type { OwnFormats } from "../catalogue/check.ts"
import type { SeenProduct } from "../seen-product.ts"
import { type Comparison, compare, points } from "./compare.ts"
import { type Index, indexing, type Posting, rarityOf, saturated, similarityTo, startOf } from "./index.ts"
import { PART_WEIGHT, type Prepared } from "./prepared.ts"
import { type Reading, readBrief, type Term } from "./reading/read-brief.ts"
import { subjectInside, subjectOf } from "./words/subjects.ts"

export interface Relevance {
  readonly seen: SeenProduct
  readonly score: number
  /** Of the product among all that were indexed. */
  readonly place: number
  readonly fits: boolean
  readonly comparison: Comparison
}

export type BriefSearch = ReturnType<typeof searchOver>

// By the list itself, which callers share who see the same, today and tomorrow.
const indexes = new WeakMap<readonly SeenProduct[], Index>()

/** Over these products alone: words and statistics of others would tell of them. */
export function briefSearch(products: readonly SeenProduct[], own: OwnFormats): BriefSearch {
  for (const _ of indexInSteps(products, own));
  return searchOver(indexes.get(products) as Index)
}

/** Makes ready what `briefSearch` needs for these products, in small steps between which others can be served. */
export function* indexInSteps(products: readonly SeenProduct[], own: OwnFormats): Generator<void, void> {
  if (!indexes.has(products)) indexes.set(products, yield* indexing(products, own))
}

function searchOver(index: Index) {
  return {
    /** What the text asks of the products. The pages of a list are asked for one after the other. */
    read: memoize(1, (text: string) => new Brief(readBrief(text), index)),
    /** Of a product among those that were indexed; negative for others. */
    placeOf: (id: string) => index.placeOf.get(id) ?? -1,
    /** How alike each product is to this one, by its place. */
    similarityTo: (id: string) => similarityTo(index, index.placeOf.get(id) ?? -1),
  }
}

const WORD_POINTS = 1.3
const SUBJECT_POINTS = 1
const START_POINTS = 0.6
// What a product is, is compared by itself: the name of its channel tells little more.
const CHANNEL_FACTOR = 0.25
const DENIED_FACTOR = -0.25

/** Of the channels and shown in the countries that are named, and not refused. */
export const isAsNamed = ({ refused, misses }: Comparison): boolean =>
  refused === undefined && !misses.channel && !misses.country

/** A brief beside the products of one caller. */
export class Brief {
  readonly reading: Reading
  readonly #index: Index
  readonly #scores: Float64Array
  /** Whether a product has a word or a subject of the brief. */
  readonly #isFound: Uint8Array
  /** Whether the brief has a word to search for. */
  #hasWords = false

  constructor(reading: Reading, index: Index) {
    this.reading = reading
    this.#index = index
    this.#scores = new Float64Array(index.products.length)
    this.#isFound = new Uint8Array(index.products.length)
    const best = new Float64Array(index.products.length)
    for (const term of reading.terms) this.#search(term, best)
  }

  /** A word counts once for a product: by itself or by its subject, whichever is the most. */
  #search({ word, stem, isSure, isChannel, isDenied }: Term, best: Float64Array): void {
    const { words, starts, subjects } = this.#index
    const { language } = this.reading
    const exact = words.get(stem)
    const whole = subjectOf(stem, language)
    const part = whole === undefined && exact === undefined ? subjectInside(word, language) : undefined
    this.#hasWords ||= isSure
    const factor = isDenied ? DENIED_FACTOR : isChannel ? CHANNEL_FACTOR : 1
    const touched: number[] = []
    const take = (posting: Posting | undefined, points: number) => {
      if (posting === undefined) return
      const worth = points * rarityOf(posting, best.length)
      for (let nth = 0; nth < posting.places.length; nth++) {
        const place = posting.places[nth] as number
        const score = worth * saturated(posting.weights[nth] as number)
        if (score > (best[place] as number)) best[place] = score
        if (!isDenied) this.#isFound[place] = 1
        touched.push(place)
      }
    }
    take(exact, WORD_POINTS)
    if (whole !== undefined) take(subjects.get(whole), SUBJECT_POINTS)
    if (part !== undefined) take(subjects.get(part), SUBJECT_POINTS * PART_WEIGHT)
    if (whole === undefined && exact === undefined) take(starts.get(startOf({ word })), START_POINTS)
    for (const place of touched) {
      this.#scores[place] = (this.#scores[place] as number) + factor * (best[place] as number)
      best[place] = 0
    }
  }

  readonly #comparisons = new Map<string, Comparison>()

  comparisonOf(seen: SeenProduct): Comparison {
    return this.#comparisons.getOrInsertComputed(seen.alike, () => compare(seen, this.reading))
  }

  /** `more` are points that the product has for other reasons. */
  relevanceOf(seen: SeenProduct, more = 0): Relevance {
    const place = this.#index.placeOf.get(seen.id)
    if (place === undefined) throw new Error("a brief is compared with its own products only")
    const prepared = this.#index.prepared[place] as Prepared
    const comparison = this.comparisonOf(seen)
    const { language, countries, named } = this.reading
    // Who names no country is likely to mean those where the brief's language is spoken.
    const spoken =
      countries.length + named.countries.length === 0 && language !== undefined && prepared.language === language
        ? points.language
        : 0
    const score = comparison.score + (this.#scores[place] as number) + spoken + more
    return { seen, place, score, fits: this.#fits(comparison, place), comparison }
  }

  /** By channel and country as far as they are named, and by a word. A country or a price alone is no match. */
  #fits(comparison: Comparison, place: number): boolean {
    if (!isAsNamed(comparison)) return false
    const { channels, named } = this.reading
    const asksForNothing = !this.#hasWords && channels.length + named.channels.length === 0
    return this.#isFound[place] === 1 || asksForNothing || comparison.matches.channel === true
  }
}
