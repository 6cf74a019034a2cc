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

type InWords = () => string

/** Put into words only where somebody will read them. */
class Fact {
  readonly fits: boolean
  readonly #inWords: InWords
  #text: string | undefined

  constructor(fits: boolean, inWords: InWords) {
    this.fits = fits
    this.#inWords = inWords
  }

  get text(): string {
    this.#text ??= this.#inWords()
    return this.#text
  }
}

/** What a brief says about some traits of a product, added up. */
export class Assessment {
  /** Among those of an aspect; undefined where no other product has it. */
  readonly number: number | undefined
  score = 0
  /** Whether anything is as the brief wants it. */
  fits = false
  readonly facts: Fact[] = []
  /** Why the brief rules the product out: nothing else is said of it then. */
  readonly refused: InWords[] = []

  constructor(number?: number) {
    this.number = number
  }

  add(points: number, fits: boolean, inWords?: InWords): void {
    this.score += points
    this.fits ||= fits
    if (inWords !== undefined) this.facts.push(new Fact(fits, inWords))
  }

  refuse(inWords: InWords): void {
    this.refused.push(inWords)
  }
}
