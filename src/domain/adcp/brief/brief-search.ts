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
  readonly seen: SeenProduct
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
  const indexed = indexProducts(products, traits)
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

type Indexed = ReturnType<typeof indexProducts>

function indexProducts(products: readonly SeenProduct[], traits: readonly Traits[]) {
  const aspects = [...aspectsBeforeWords, ...aspectsAfterWords]
  return {
    products,
    traits,
    places: new Map(products.map(({ id }, place) => [id, place])),
    alike: new Map(aspects.map((aspect) => [aspect, groupAlike(aspect, traits)])),
  }
}

/** For each product the place of the first one that is alike in an aspect. */
function groupAlike({ traits: names }: Aspect, traits: readonly Traits[]): number[] {
  const first = new Map<string, number>()
  return traits.map((each, place) => {
    const key = JSON.stringify(
      names.map((name) => each[name]),
      (_, value) => (value instanceof Map || value instanceof Set ? [...value] : value),
    )
    const firstAlike = first.get(key) ?? place
    first.set(key, firstAlike)
    return firstAlike
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
  readonly #judgement = new Judgement()
  readonly #judged: (Judgement | undefined)[] = []

  constructor(reading: Reading, words: WordMatches, indexed: Indexed) {
    this.reading = reading
    this.#reasons = reasonsIn(reading.language)
    this.#words = words
    this.#indexed = indexed
    const brief = { reading, reasons: this.#reasons }
    const comparing = (aspects: readonly Aspect[]) =>
      aspects.filter(({ isAsked }) => isAsked(reading)).map((aspect) => comparison(aspect, brief, indexed))
    this.#before = comparing(aspectsBeforeWords)
    this.#after = comparing(aspectsAfterWords)
  }

  /** `more` are points that the product has for other reasons. */
  relevanceOf(seen: SeenProduct, more = 0): Relevance {
    const place = this.#placeOf(seen)
    const { before, after, fits, isRefused } = this.#judge(seen, place)
    const score = before + this.#words.points(place) + after + more
    return { seen, place, score, fits: !isRefused && (fits || this.#words.isNamed(place)), isRefused }
  }

  /** What fits and what does not, in a sentence; undefined where the brief says nothing about the product. */
  explain(seen: SeenProduct): string | undefined {
    const place = this.#placeOf(seen)
    const judgement = this.#judge(seen, place)
    const words = this.#words.textAt(place)
    const text = judgement.sentences.get(words) ?? this.#sentence(judgement, place)
    judgement.sentences.set(words, text)
    return text === "" ? undefined : text
  }

  #sentence(judgement: Judgement, place: number): string {
    const assessments = judgement.assessments()
    if (judgement.isRefused) {
      const refused = assessments.flatMap((assessment) => assessment.refused.map((inWords) => inWords()))
      return this.#reasons.sentence([], refused)
    }
    const fitting: string[] = []
    const missing: string[] = []
    for (let at = 0; at <= assessments.length; at++) {
      if (at === this.#before.length) this.#tellWords(place, fitting, missing)
      for (const fact of assessments[at]?.facts ?? []) (fact.fits ? fitting : missing).push(fact.text)
    }
    return this.#reasons.sentence(fitting, missing)
  }

  #tellWords(place: number, fitting: string[], missing: string[]): void {
    if (this.#words.textAt(place) === "") return
    const { tell, quoted } = this.#reasons
    const words = this.#words.mentioned(place)
    if (words.length > 0) fitting.push(tell("mentions", quoted(words)))
    const unwanted = this.#words.unwanted(place)
    if (unwanted.length > 0) missing.push(tell("unwantedWords", quoted(unwanted)))
  }

  #judge(seen: SeenProduct, place: number): Judgement {
    const isWhole = seen === this.#indexed.products[place]
    const judged = isWhole ? this.#judged[place] : undefined
    if (judged !== undefined) return judged
    let judgement = this.#judgement
    for (const compare of this.#before) judgement = judgement.with(compare(seen, place), "before")
    for (const compare of this.#after) judgement = judgement.with(compare(seen, place), "after")
    if (isWhole) this.#judged[place] = judgement
    return judgement
  }

  #placeOf({ id }: SeenProduct): number {
    const place = this.#indexed.places.get(id)
    if (place === undefined) throw new Error("a brief is compared with its own products only")
    return place
  }
}

/** What a brief says about a product, aspect by aspect. Products have much in common: the same one for all with the same assessments. */
class Judgement {
  /** The scores of what is said before the words of the brief and after them. */
  before = 0
  after = 0
  fits = false
  isRefused = false
  #previous: Judgement | undefined
  #latest: Assessment | undefined
  readonly #next: (Judgement | undefined)[] = []
  #sentences: Map<string, string> | undefined

  with(assessment: Assessment, when: "before" | "after"): Judgement {
    const { number } = assessment
    const existing = number === undefined ? undefined : this.#next[number]
    if (existing !== undefined) return existing
    const next = new Judgement()
    next.before = this.before
    next.after = this.after
    next[when] += assessment.score
    next.fits = this.fits || assessment.fits
    next.isRefused = this.isRefused || assessment.refused.length > 0
    next.#previous = this
    next.#latest = assessment
    // Whatever comes after one without a number is held by nobody: callers can make any number of those.
    if (number !== undefined) this.#next[number] = next
    return next
  }

  assessments(): Assessment[] {
    const all: Assessment[] = []
    for (let each: Judgement | undefined = this; each !== undefined; each = each.#previous)
      if (each.#latest !== undefined) all.push(each.#latest)
    return all.reverse()
  }

  /** What is said of products, by the words that they have. */
  get sentences(): Map<string, string> {
    this.#sentences ??= new Map()
    return this.#sentences
  }
}

type Comparison = (seen: SeenProduct, place: number) => Assessment

/** An aspect of products beside a brief, compared once for all that are alike in it. */
function comparison(aspect: Aspect, brief: ReadBrief, { products, traits, alike }: Indexed): Comparison {
  const firsts = alike.get(aspect) ?? []
  const assessments: (Assessment | undefined)[] = []
  const silent = new Map<number, Assessment>()
  let count = 0
  const assess = (own: Traits, number?: number) => {
    const assessment = new Assessment(number)
    aspect.compare(own, brief, assessment)
    return assessment
  }
  const compare = (own: Traits) => {
    const assessment = assess(own, count)
    // Where nothing is said of it in words, its score is all.
    const isSilent = assessment.facts.length + assessment.refused.length === 0
    const same = isSilent ? silent.get(assessment.score) : undefined
    if (same !== undefined) return same
    if (isSilent) silent.set(assessment.score, assessment)
    count++
    return assessment
  }
  return (seen, place) => {
    const own = traits[place] as Traits
    // Of a product that filters left with other prices, all else is as it was.
    if (seen !== products[place] && aspect.traits.includes("prices")) return assess({ ...own, prices: pricesOf(seen) })
    const first = firsts[place] as number
    const assessment = assessments[first] ?? compare(own)
    assessments[first] = assessment
    return assessment
  }
}
