import type { Reasons } from "./reasons.ts"

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
  #reasons: Reasons | undefined
  #isFitting = false

  /** `reasons` are the brief's, with nothing said yet; without them nothing is put into words. */
  constructor(reasons?: Reasons) {
    this.#reasons = reasons
  }

  /** A fact that moves the product up or down. True when it is to be said in words as well, right after this. */
  add(points: number, fits: boolean): boolean {
    this.score += points
    this.fits ||= fits
    this.#isFitting = fits
    return this.#reasons !== undefined
  }

  say(fact: string): void {
    this.#reasons = this.#reasons?.and(fact, this.#isFitting)
  }

  /** What fits and then what does not, in a sentence; undefined where the brief says nothing about the product. */
  sentence(): string | undefined {
    return this.#reasons?.sentence()
  }
}
