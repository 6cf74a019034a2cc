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

export const joined = (facts: string, more: string) =>
  facts === "" || more === "" ? facts + more : `${facts}, ${more}`

/** What fits and then what does not, in a sentence; undefined where there is nothing to say. */
export function sentenceOf(fitting: string, missing: string): string | undefined {
  const text = fitting === "" || missing === "" ? fitting + missing : `${fitting}; ${missing}`
  return text === "" ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
