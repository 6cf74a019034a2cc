/** How far each fact moves a product. Only their differences matter; `npm run bench -- --only briefs` tells what they are worth. */
export const points = {
  channel: 10,
  channelUnwanted: -8,
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

/** More names than this are not told apart: a subset is a sum of powers of two, which a number holds exactly up to here. */
export const SUBSET_NAMES_MAX = 50

/** Texts about some of the names, by the sum of the powers of two of their places. Each is made once: most products share one. */
export type SubsetTexts = (subset: number) => string

export function subsetTexts(names: readonly string[], write: (chosen: readonly string[]) => string): SubsetTexts {
  const texts = new Map<number, string>()
  return (subset) => {
    const known = texts.get(subset)
    if (known !== undefined) return known
    const text = write(names.filter((_, place) => Math.floor(subset / 2 ** place) % 2 === 1))
    texts.set(subset, text)
    return text
  }
}

/**
 * What a brief says about some traits of a product, added up. The words of the facts are made only where somebody will read them:
 *
 *     if (assessment.add(points.delivery, true)) assessment.say("guaranteed delivery")
 */
export class Assessment {
  score = 0
  /** Whether anything is as the brief wants it. */
  fits = false
  /** The facts in words, where `isTold`. */
  fitting = ""
  missing = ""
  readonly #isTold: boolean
  #isFitting = false

  constructor(isTold: boolean) {
    this.#isTold = isTold
  }

  /** A fact that moves the product up or down. True when it is to be said in words as well, right after this. */
  add(points: number, fits: boolean): boolean {
    this.score += points
    this.fits ||= fits
    this.#isFitting = fits
    return this.#isTold
  }

  say(fact: string): void {
    if (this.#isFitting) this.fitting = joined(this.fitting, fact)
    else this.missing = joined(this.missing, fact)
  }
}

const joined = (facts: string, more: string, sign = ", ") =>
  facts === "" || more === "" ? facts + more : `${facts}${sign}${more}`

/** What is said of one aspect of a product. */
export type Told = Pick<Assessment, "fitting" | "missing">

/** Puts what is said of a product into a sentence, what fits and then what does not; undefined where nothing is said. */
type Sentences = (told: readonly Told[]) => string | undefined

/** Each sentence is made once: most products of an answer say the same of a brief. */
export function sentences(): Sentences {
  const known = new SameBeginning()
  return (told) => {
    let same = known
    for (const one of told) if (one.fitting !== "" || one.missing !== "") same = same.followedBy(one)
    same.sentence ??= sentenceOf(told)
    return same.sentence === "" ? undefined : same.sentence
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

function sentenceOf(told: readonly Told[]): string {
  let [fitting, missing] = ["", ""]
  for (const one of told) {
    fitting = joined(fitting, one.fitting)
    missing = joined(missing, one.missing)
  }
  const text = joined(fitting, missing, "; ")
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
