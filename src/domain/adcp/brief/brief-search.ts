import { memoize } from "../../memoize.ts"
import type { OwnFormats } from "../catalogue/check.ts"
import type { SeenProduct } from "../seen-product.ts"
import { compare, hinting, points, refusing, type Tell, Verdict } from "./compare.ts"
import { type Index, indexing, type Posting, rarityOf, saturated, similarityTo, startOf } from "./index.ts"
import { mentioning } from "./mentions.ts"
import { PART_WEIGHT, type Prepared } from "./prepared.ts"
import { type Reading, readBrief, type Term } from "./reading/read-brief.ts"
import { reasonsIn } from "./reasons.ts"
import { isFrequent } from "./words/frequent.ts"
import { subjectBeside, subjectInside } from "./words/subjects.ts"

export interface Relevance {
  readonly seen: SeenProduct
  readonly score: number
  /** Of the product among all that were indexed. */
  readonly place: number
  readonly fits: boolean
  /** Why it is surely not wanted. */
  readonly refusal: Tell | undefined
  readonly verdict: Verdict
}

const READINGS_REMEMBERED_MAX = 100
const SHORT_CHARACTERS_MAX = 2_000

export type BriefSearch = ReturnType<typeof searchOver>

// By the list itself, which callers share who see the same, today and tomorrow.
const indexes = new WeakMap<readonly SeenProduct[], Index>()

/** Over these products alone: words and statistics of others would tell of them. */
export function briefSearch(products: readonly SeenProduct[], own: OwnFormats, today: string): BriefSearch {
  for (const _ of indexInSteps(products, own));
  return searchOver(indexes.get(products) as Index, today)
}

/** Makes ready what `briefSearch` needs for these products, in small steps between which others can be served. */
export function* indexInSteps(products: readonly SeenProduct[], own: OwnFormats): Generator<void, void> {
  if (!indexes.has(products)) indexes.set(products, yield* indexing(products, own))
}

function searchOver(index: Index, today: string) {
  const understand = (text: string) => readBrief(text, today, (stem) => index.words.has(stem))
  // Buyers' programs repeat themselves.
  const [short, latestLong] = [memoize(READINGS_REMEMBERED_MAX, understand), memoize(1, understand)]
  const understood = (text: string) => (text.length > SHORT_CHARACTERS_MAX ? latestLong : short)(text)
  return {
    /** What the text asks of the products. The pages of a list are asked for one after the other. */
    read: memoize(1, (text: string) => new Brief(understood(text), index)),
    /** Of a product among those that were indexed; negative for others. */
    placeOf: (id: string) => index.placeOf.get(id) ?? -1,
    /** How alike each product is to this one, by its place. */
    similarityTo: (id: string) => similarityTo(index, index.placeOf.get(id) ?? -1),
  }
}

const WORD_POINTS = 1.3
const SUBJECT_POINTS = 1
const START_POINTS = 0.6
const FREQUENT_FACTOR = 0.6
const UNSURE_FACTOR = 0.5

/** A brief beside the products of one caller. */
export class Brief {
  readonly reading: Reading
  readonly #index: Index
  readonly #refusalOf: ReturnType<typeof refusing>
  readonly #hintOf: ReturnType<typeof hinting>
  readonly #scores: Float64Array
  /** Where nobody knows what is asked for, nobody knows that no product is of that. */
  readonly #isVague: boolean
  /** Whether a product has a word or a subject of the brief. */
  readonly #isFound: Uint8Array
  #mentionsOf: ((prepared: Prepared) => string[]) | undefined

  constructor(reading: Reading, index: Index) {
    this.reading = reading
    this.#index = index
    this.#isVague = reading.unsure.length > 0 || reading.channels.length + reading.countries.length === 0
    this.#refusalOf = refusing(reading)
    this.#hintOf = hinting(reading)
    this.#scores = new Float64Array(index.products.length)
    this.#isFound = new Uint8Array(index.products.length)
    const best = new Float64Array(index.products.length)
    for (const term of reading.terms) this.#search(term, best)
  }

  /** A word counts once for a product: by itself or by its subject, whichever is the most. */
  #search({ word, stem, isSure }: Term, best: Float64Array): void {
    const { words, starts, subjects } = this.#index
    const { language } = this.reading
    const exact = words.get(stem)
    const whole = subjectBeside(stem, language)
    const part = whole === undefined && exact === undefined ? subjectInside(word, language) : undefined
    const isPlain = whole === undefined && isFrequent(word)
    const factor = (isPlain ? FREQUENT_FACTOR : 1) * (isSure ? 1 : UNSURE_FACTOR)
    const touched: number[] = []
    const take = (posting: Posting | undefined, points: number) => {
      if (posting === undefined) return
      const worth = points * factor * rarityOf(posting, best.length)
      for (let nth = 0; nth < posting.places.length; nth++) {
        const place = posting.places[nth] as number
        const score = worth * saturated(posting.weights[nth] as number)
        if (score > (best[place] as number)) best[place] = score
        if ((isSure || this.#isVague) && !isPlain) this.#isFound[place] = 1
        touched.push(place)
      }
    }
    take(exact, WORD_POINTS)
    if (whole !== undefined) take(subjects.get(whole), SUBJECT_POINTS)
    if (part !== undefined) take(subjects.get(part), SUBJECT_POINTS * PART_WEIGHT)
    if (whole === undefined && exact === undefined) take(starts.get(startOf({ word })), START_POINTS)
    for (const place of touched) {
      this.#scores[place] = (this.#scores[place] as number) + (best[place] as number)
      best[place] = 0
    }
  }

  readonly #verdicts = new Map<string, Verdict>()

  #compared(seen: SeenProduct): Verdict {
    const known = this.#verdicts.get(seen.alike)
    if (known !== undefined) return known
    const verdict = new Verdict()
    compare(seen, this.reading, verdict)
    this.#verdicts.set(seen.alike, verdict)
    return verdict
  }

  /** `more` are points that the product has for other reasons. */
  relevanceOf(seen: SeenProduct, more = 0): Relevance {
    const place = this.#index.placeOf.get(seen.id)
    if (place === undefined) throw new Error("a brief is compared with its own products only")
    const prepared = this.#index.prepared[place] as Prepared
    const verdict = this.#compared(seen)
    const refusal = this.#refusalOf(seen, prepared)
    const fits = refusal === undefined && (verdict.fits || this.#isFound[place] === 1)
    const { language, countries } = this.reading
    // Whoever names no country is likely to mean those where the brief's language is spoken.
    const spoken =
      countries.length === 0 && language !== undefined && prepared.language === language ? points.language : 0
    const score = verdict.score + (this.#scores[place] as number) + this.#hintOf(prepared) + spoken + more
    return { seen, place, score, fits, refusal, verdict }
  }

  /** Facts of the product beside what the brief asks for; undefined where nothing certain is left to say. */
  explain({ place, refusal, verdict }: Relevance): string | undefined {
    const reasons = reasonsIn(this.reading.language)
    if (refusal !== undefined) return reasons.sentence([refusal(reasons)])
    // Only for what is on a page: together the products may have millions of words of the brief.
    this.#mentionsOf ??= mentioning(this.reading, this.#index)
    return verdict.sentence(reasons, this.#mentionsOf(this.#index.prepared[place] as Prepared))
  }
}
