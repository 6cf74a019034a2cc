import type { Unwanted } from "./reading/targets.ts"
import type { Reasons } from "./reasons.ts"

/** How far each fact moves a product. Only their differences matter; `npm run bench -- --only briefs` tells what they are worth. */
export const points = {
  channel: 10,
  unwantedWord: -8,
  countries: 8,
  countriesMissing: -8,
  everywhere: 3,
  withinBudget: 2,
  noMinimum: 1.5,
  overBudget: -4,
  otherCurrency: -1.5,
  expired: -15,
  season: 3,
  otherSeason: -2,
  pricingModel: 4,
  feature: 2.5,
  features: 5,
  length: 2,
  otherLength: -1,
  size: 2.5,
  otherSize: -1,
  delivery: 2.5,
  otherDelivery: -2,
  topic: 4,
  topics: 8,
  words: 10,
} as const

/** By how much a channel stands in for another one that a brief asks for. */
export const related: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  podcast: { streaming_audio: 0.4, radio: 0.3 },
  streaming_audio: { podcast: 0.4, radio: 0.5 },
  radio: { streaming_audio: 0.5, podcast: 0.3 },
  ctv: { linear_tv: 0.6, olv: 0.4 },
  linear_tv: { ctv: 0.6, cinema: 0.3 },
  olv: { ctv: 0.5, social: 0.3 },
  dooh: { ooh: 0.5 },
  ooh: { dooh: 0.5 },
  social: { influencer: 0.5 },
  influencer: { social: 0.5 },
  display: { retail_media: 0.2, email: 0.1 },
  retail_media: { display: 0.2, affiliate: 0.2 },
  gaming: { influencer: 0.2, social: 0.2 },
}

/**
 * What a brief says about some traits of a product, added up. The words of the facts are made only where somebody will read them:
 *
 *     if (assessment.add(points.delivery, true)) assessment.say(wording.tell("guaranteed"))
 */
export class Assessment {
  score = 0
  /** Whether anything is as the brief wants it. */
  fits = false
  /** Whether the brief rules the product out. */
  isRefused = false
  /** The thing that the brief does not want and the product is, for the words of it. */
  unwanted: Unwanted | undefined
  /** The facts in words, where they are told. */
  readonly fitting: string[] = []
  readonly missing: string[] = []
  readonly refused: string[] = []
  readonly #isTold: boolean
  #facts: string[] = this.fitting

  constructor(isTold: boolean) {
    this.#isTold = isTold
  }

  /** A fact that moves the product up or down. True when it is to be said in words as well, right after this. */
  add(points: number, fits: boolean): boolean {
    this.score += points
    this.fits ||= fits
    this.#facts = fits ? this.fitting : this.missing
    return this.#isTold
  }

  /** A fact for which the brief rules the product out: it comes after all others, and nothing else is said of it. */
  refuse(): boolean {
    this.isRefused = true
    this.#facts = this.refused
    return this.#isTold
  }

  say(fact: string): void {
    this.#facts.push(fact)
  }
}

/** What is said of one aspect of a product. */
export type Told = Pick<Assessment, "fitting" | "missing">

/** Puts what is said of a product into sentences; undefined where nothing is said. */
type Sentences = (told: readonly Told[]) => string | undefined

/** Each is made once: most products of an answer say the same of a brief. */
export function sentences({ sentence }: Reasons): Sentences {
  const known = new SameBeginning()
  return (told) => {
    let same = known
    for (const one of told) if (one.fitting.length + one.missing.length > 0) same = same.followedBy(one)
    same.sentence ??= sentence(
      told.flatMap(({ fitting }) => fitting),
      told.flatMap(({ missing }) => missing),
    )
    return same.sentence
  }
}

class SameBeginning {
  readonly #next = new Map<Told, SameBeginning>()
  sentence: string | undefined

  followedBy(told: Told): SameBeginning {
    const known = this.#next.get(told)
    if (known !== undefined) return known
    const next = new SameBeginning()
    this.#next.set(told, next)
    return next
  }
}
