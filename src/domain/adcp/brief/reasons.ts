/**
 * What was said of a product so far. Most products of an answer say the same of a brief, so that each row of facts is a path through
 * these, and becomes a sentence once.
 */
export class Reasons {
  readonly #fitting: string
  readonly #missing: string
  readonly #next = { fitting: new Map<string, Reasons>(), missing: new Map<string, Reasons>() }
  #sentence: string | undefined

  constructor(fitting = "", missing = "") {
    this.#fitting = fitting
    this.#missing = missing
  }

  and(fact: string, fits: boolean): Reasons {
    const next = fits ? this.#next.fitting : this.#next.missing
    const known = next.get(fact)
    if (known !== undefined) return known
    const made = fits
      ? new Reasons(joined(this.#fitting, fact), this.#missing)
      : new Reasons(this.#fitting, joined(this.#missing, fact))
    next.set(fact, made)
    return made
  }

  /** What fits and then what does not; undefined where nothing was said. */
  sentence(): string | undefined {
    this.#sentence ??= written(this.#fitting, this.#missing)
    return this.#sentence === "" ? undefined : this.#sentence
  }
}

const joined = (facts: string, fact: string) => (facts === "" ? fact : `${facts}, ${fact}`)

function written(fitting: string, missing: string): string {
  const text = fitting === "" || missing === "" ? fitting + missing : `${fitting}; ${missing}`
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
