import { memoize } from "../../memoize.ts"
import type { OwnFormats } from "../catalogue/check.ts"
import type { SeenProduct } from "../seen-product.ts"
import { Assessment, sentences, type Told } from "./assessment.ts"
import { type Aspect, aspectsAfterWords, aspectsBeforeWords, type ReadBrief } from "./compare.ts"
import { essenceOf, type Reading, readBrief } from "./reading/read-brief.ts"
import { type Reasons, reasonsIn } from "./reasons.ts"
import { type Facts, factsOf, type Traits, textsOf, traitsOf, type Vocabulary, vocabularyOf } from "./traits.ts"
import { topicIndex, wordMatches } from "./word-matches.ts"

export interface Relevance {
  readonly score: number
  /** Of the product among all that were indexed. */
  readonly place: number
  /** Whether anything of the product is as the brief wants it. */
  readonly fits: boolean
  /** Whether the brief rules the product out. */
  readonly isRefused: boolean
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
const vocabularies = new WeakMap<SeenProduct, Vocabulary>()

/** Made for the products that are shown only. */
function vocabularyFor(seen: SeenProduct, own: OwnFormats): Vocabulary {
  const known = vocabularies.get(seen) ?? vocabularyOf(seen, own)
  vocabularies.set(seen, known)
  return known
}

/** Callers who see the same share its facts. */
function factsFor(seen: SeenProduct, own: OwnFormats): Facts {
  const known = factsKnown.get(seen) ?? factsOf(seen, own)
  factsKnown.set(seen, known)
  return known
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
export function briefSearch(products: readonly SeenProduct[], formats: OwnFormats, today: string): BriefSearch {
  const index = topicIndex(products.map((seen) => textsOf(seen, formats)))
  const placeOf = new Map(products.map((seen, place) => [seen, place]))
  const placeOfId = new Map(products.map(({ id }, place) => [id, place]))
  const traits = products.map((seen) => traitsOf(seen, factsFor(seen, formats)))
  const alike = new Map(aspects.map((aspect) => [aspect, groupAlike(aspect, traits)]))
  const understood = remembered((text) => readBrief(text, today, index.has))

  /** Of a product that filters left with other prices, what else is known of it stays. */
  function traitsOfCut(seen: SeenProduct): Traits & { readonly place: number } {
    const place = placeOfId.get(seen.id)
    const original = place === undefined ? undefined : products[place]
    if (original === undefined || place === undefined) throw new Error("a brief is compared with its own products only")
    return { ...traitsOf(seen, factsFor(original, formats)), place }
  }

  function compareAnew(text: string): Brief {
    const { reading } = understood(text)
    const words = wordMatches(reading, index)
    const reasons = reasonsIn(reading.language)
    const brief = { reading, reasons }
    const comparing = (some: readonly Aspect[]) =>
      some
        .filter(({ isAsked }) => isAsked(reading))
        .map((aspect) => new Comparison(aspect, brief, traits, alike.get(aspect) ?? []))
    const [before, after] = [comparing(aspectsBeforeWords), comparing(aspectsAfterWords)]
    const sentence = sentences(reasons)
    const wordsTold = memoize(products.length, (facts: string): Told => JSON.parse(facts))

    /** The words that a product has, of those that the brief looks for and of those that it does not want. */
    function wordsOf(place: number, own: Vocabulary): Told {
      const told = (fact: string, found: string[]) =>
        found.length === 0 ? [] : [reasons.tell(fact, reasons.quoted(found))]
      const fitting = told("mentions", mentions(words.stems(place), reading.topics, own))
      const missing = told("unwantedWords", mentions(words.unwantedStems(place), [], own))
      return wordsTold(JSON.stringify({ fitting, missing }))
    }

    return {
      reading,
      relevanceOf(seen) {
        const known = placeOf.get(seen)
        const cut = known === undefined ? traitsOfCut(seen) : undefined
        const place = cut?.place ?? known ?? 0
        const first = addUp(before, place, cut)
        const last = addUp(after, place, cut)
        const score = first.score + words.points(place) + last.score
        const isRefused = first.isRefused || last.isRefused
        return { place, score, fits: !isRefused && (first.fits || last.fits || words.isNamed(place)), isRefused }
      },
      explain(seen) {
        const known = placeOf.get(seen)
        const cut = known === undefined ? traitsOfCut(seen) : undefined
        const place = cut?.place ?? known ?? 0
        const own = vocabularyFor(products[place] as SeenProduct, formats)
        const told = (comparison: Comparison) => (cut ? comparison.anew(cut, true) : comparison.told(place))
        const [first, last] = [before.map(told), after.map(told)]
        const refusals = [...first, ...last].filter(({ isRefused }) => isRefused)
        if (refusals.length === 0) return sentence([...first, wordsOf(place, own), ...last])
        const facts = refusals.flatMap((one) => [
          ...unwantedFacts(one, cut ?? (traits[place] as Traits), own, reasons),
          ...one.refused,
        ])
        return reasons.sentence([], facts)
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

/** The words of a product that the brief has too, or that tell a topic of it, as the product has them and each once. */
function mentions(stems: readonly string[], topics: readonly string[], { byStem, byTopic }: Vocabulary): string[] {
  const found = new Map<string, string>()
  for (const word of [...stems.map((stem) => byStem.get(stem)), ...topics.map((topic) => byTopic.get(topic))]) {
    if (word !== undefined && !found.has(word.toLowerCase())) found.set(word.toLowerCase(), word)
  }
  return [...found.values()]
}

/** What the product is that the brief does not want. */
function unwantedFacts({ unwanted }: Assessment, about: Traits, own: Vocabulary, reasons: Reasons): string[] {
  if (unwanted === undefined) return []
  const words = mentions([], unwanted.topics, own)
  if (words.length > 0) return [reasons.tell("unwantedWords", reasons.quoted(words))]
  const features = unwanted.features.filter((feature) => about.features.has(feature))
  if (features.length > 0) return [reasons.tell("unwantedOffers", reasons.and(features))]
  const channels = about.channels.filter((channel) => unwanted.channels.includes(channel))
  return [reasons.tell("unwantedIs", reasons.is(channels))]
}

const aspects = [...aspectsBeforeWords, ...aspectsAfterWords]

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

type Judged = Omit<Relevance, "place">

function addUp(comparisons: readonly Comparison[], place: number, cut: Traits | undefined): Judged {
  let score = 0
  let fits = false
  let isRefused = false
  for (const comparison of comparisons) {
    const one = cut === undefined ? comparison.judged(place) : comparison.anew(cut, false)
    score += one.score
    fits ||= one.fits
    isRefused ||= one.isRefused
  }
  return { score, fits, isRefused }
}

/** An aspect of products beside a brief, compared once for all that are alike; in words only where that is asked for. */
class Comparison {
  readonly aspect: Aspect
  readonly #brief: ReadBrief
  readonly #traits: readonly Traits[]
  readonly #alike: readonly number[]
  readonly #judged: (Assessment | undefined)[] = []
  readonly #told: (Assessment | undefined)[] = []

  constructor(aspect: Aspect, brief: ReadBrief, traits: readonly Traits[], alike: readonly number[]) {
    this.aspect = aspect
    this.#brief = brief
    this.#traits = traits
    this.#alike = alike
  }

  judged(place: number): Assessment {
    return this.#once(this.#judged, place, false)
  }

  told(place: number): Assessment {
    return this.#once(this.#told, place, true)
  }

  anew(traits: Traits, isTold: boolean): Assessment {
    const assessment = new Assessment(isTold)
    this.aspect.compare(traits, this.#brief, assessment)
    return assessment
  }

  #once(known: (Assessment | undefined)[], place: number, isTold: boolean): Assessment {
    const first = this.#alike[place] ?? place
    const before = known[first]
    if (before !== undefined) return before
    const assessment = this.anew(this.#traits[first] as Traits, isTold)
    known[first] = assessment
    return assessment
  }
}
