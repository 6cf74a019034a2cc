/**
 * What a brief says about one product, added up. Made for every product of every call, so the words of the facts are made only
 * where somebody will read them:
 *
 *     if (assessment.add(points.delivery, true)) assessment.say("guaranteed delivery")
 */
export class Assessment {
  score = 0
  /** Whether anything is as the brief wants it. */
  fits = false
  readonly #isTold: boolean
  #isFitting = false
  #fitting = ""
  #missing = ""

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
    if (this.#isFitting) this.#fitting += this.#fitting === "" ? fact : `, ${fact}`
    else this.#missing += this.#missing === "" ? fact : `, ${fact}`
  }

  /** What fits and then what does not, in a sentence; undefined where the brief says nothing about the product. */
  sentence(): string | undefined {
    const both = this.#fitting !== "" && this.#missing !== ""
    const text = both ? `${this.#fitting}; ${this.#missing}` : this.#fitting + this.#missing
    return text === "" ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  }
}
