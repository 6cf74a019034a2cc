import { memoize } from "../../memoize.ts"
import type { OwnFormats } from "../catalogue/check.ts"
import type { SeenProduct } from "../seen-product.ts"
import { Assessment } from "./assessment.ts"
import { type Aspect, aspectsAfterWords, aspectsBeforeWords, type ReadBrief } from "./compare.ts"
import { essenceOf, type Reading, readBrief } from "./reading/read-brief.ts"
import { reasonsIn } from "./reasons.ts"
import { pricesOf, type Traits, traitsOf } from "./traits.ts"
import { topicIndex, type WordMatches, wordMatches } from "./word-matches.ts"

export interface Relevance {
  readonly score: number
  /** Of the product among all that were indexed. */
  readonly place: number
  readonly fits: boolean
  readonly isRefused: boolean
}

const READINGS_REMEMBERED_MAX = 100
const SHORT_CHARACTERS_MAX = 2_000

export type BriefSearch = ReturnType<typeof briefSearch>

/** Over these products alone: words and statistics of others would tell of them. */
export function briefSearch(products: readonly SeenProduct[], formats: OwnFormats, today: string) {
  const traits = products.map((seen) => traitsOf(seen, formats))
  const index = topicIndex(traits)
  const indexed: Indexed = {
    products,
    traits,
    places: new Map(products.map(({ id }, place) => [id, place])),
    alike: new Map([...aspectsBeforeWords, ...aspectsAfterWords].map((aspect) => [aspect, groupAlike(aspect, traits)])),
  }
  const understand = (text: string) => {
    const reading = readBrief(text, today, index.has)
    return { reading, essence: essenceOf(reading) }
  }
  // Buyers' programs repeat themselves.
  const [short, latestLong] = [memoize(READINGS_REMEMBERED_MAX, understand), memoize(1, understand)]
  const understood = (text: string) => (text.length > SHORT_CHARACTERS_MAX ? latestLong : short)(text)
  return {
    /** What the text asks of the products. The pages of a list are asked for one after the other. */
    read: memoize(1, (text: string) => {
      const { reading } = understood(text)
      return new Brief(reading, wordMatches(reading, index), indexed)
    }),
    /** The same for texts that ask the same, in whatever words. */
    essenceOf: (text: string) => understood(text).essence,
  }
}

interface Indexed {
  readonly products: readonly SeenProduct[]
  readonly traits: readonly Traits[]
  readonly places: ReadonlyMap<string, number>
  readonly alike: ReadonlyMap<Aspect, readonly number[]>
}

/** For each product the place of the first one that is alike in an aspect. */
function groupAlike({ traits: names }: Aspect, traits: readonly Traits[]): number[] {
  const first = new Map<string, number>()
  return traits.map((each, place) => {
    const key = JSON.stringify(
      names.map((name) => each[name]),
      (_, value) => (value instanceof Map || value instanceof Set ? [...value] : value),
    )
    const known = first.get(key) ?? place
    first.set(key, known)
    return known
  })
}

/** A brief beside the products of one caller. */
export class Brief {
  readonly reading: Reading
  readonly #reasons: ReadBrief["reasons"]
  readonly #words: WordMatches
  readonly #indexed: Indexed
  readonly #before: readonly Comparison[]
  readonly #after: readonly Comparison[]

  constructor(reading: Reading, words: WordMatches, indexed: Indexed) {
    this.reading = reading
    this.#reasons = reasonsIn(reading.language)
    this.#words = words
    this.#indexed = indexed
    const comparing = (aspects: readonly Aspect[]) =>
      aspects
        .filter(({ isAsked }) => isAsked(reading))
        .map((aspect) => new Comparison(aspect, { reading, reasons: this.#reasons }, indexed))
    this.#before = comparing(aspectsBeforeWords)
    this.#after = comparing(aspectsAfterWords)
  }

  relevanceOf(seen: SeenProduct): Relevance {
    const place = this.#placeOf(seen)
    const first = addUp(this.#before, seen, place)
    const last = addUp(this.#after, seen, place)
    const isRefused = first.isRefused || last.isRefused
    const fits = !isRefused && (first.fits || last.fits || this.#words.isNamed(place))
    return { place, score: first.score + this.#words.points(place) + last.score, fits, isRefused }
  }

  /** What fits and what does not, in a sentence; undefined where the brief says nothing about the product. */
  explain(seen: SeenProduct): string | undefined {
    const place = this.#placeOf(seen)
    const own = this.#indexed.traits[place] as Traits
    const [fitting, missing, refused]: [string[], string[], string[]] = [[], [], []]
    const tell = (comparison: Comparison) => {
      const assessment = comparison.of(seen, place)
      for (const fact of assessment.facts) (fact.fits ? fitting : missing).push(fact.text)
      for (const inWords of assessment.refused) refused.push(inWords(own))
    }
    this.#before.forEach(tell)
    const words = this.#words.mentioned(place)
    if (words.length > 0) fitting.push(this.#reasons.tell("mentions", this.#reasons.quoted(words)))
    const unwanted = this.#words.unwanted(place)
    if (unwanted.length > 0) missing.push(this.#reasons.tell("unwantedWords", this.#reasons.quoted(unwanted)))
    this.#after.forEach(tell)
    return refused.length > 0 ? this.#reasons.sentence([], refused) : this.#reasons.sentence(fitting, missing)
  }

  #placeOf({ id }: SeenProduct): number {
    const place = this.#indexed.places.get(id)
    if (place === undefined) throw new Error("a brief is compared with its own products only")
    return place
  }
}

type Judged = Omit<Relevance, "place">

function addUp(comparisons: readonly Comparison[], seen: SeenProduct, place: number): Judged {
  let score = 0
  let fits = false
  let isRefused = false
  for (const comparison of comparisons) {
    const assessment = comparison.of(seen, place)
    score += assessment.score
    fits ||= assessment.fits
    isRefused ||= assessment.refused.length > 0
  }
  return { score, fits, isRefused }
}

/** An aspect of products beside a brief, compared once for all that are alike in it. */
class Comparison {
  readonly #aspect: Aspect
  readonly #brief: ReadBrief
  readonly #indexed: Indexed
  readonly #alike: readonly number[]
  readonly #known: (Assessment | undefined)[] = []

  constructor(aspect: Aspect, brief: ReadBrief, indexed: Indexed) {
    this.#aspect = aspect
    this.#brief = brief
    this.#indexed = indexed
    this.#alike = indexed.alike.get(aspect) ?? []
  }

  of(seen: SeenProduct, place: number): Assessment {
    const isCut = seen !== this.#indexed.products[place] && this.#aspect.traits.includes("prices")
    const known = isCut ? undefined : this.#known[this.#alike[place] as number]
    if (known !== undefined) return known
    const own = this.#indexed.traits[place] as Traits
    const assessment = new Assessment()
    // Of a product that filters left with other prices, all else is as it was.
    this.#aspect.compare(isCut ? { ...own, prices: pricesOf(seen) } : own, this.#brief, assessment)
    if (!isCut) this.#known[this.#alike[place] as number] = assessment
    return assessment
  }
}
