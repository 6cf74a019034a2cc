import type { Options } from "./options.ts"
import type { Spread } from "./statistics.ts"

/** One line of a scenario's table: a contender and what it did in the rounds. */
export interface Figure {
  readonly contender: string
  readonly spread: Spread
}

/** A promise about the product, and what this run says about it. */
export interface Goal {
  readonly promise: string
  readonly measured: string
  readonly met: boolean
}

export interface Outcome {
  readonly unit: string
  readonly figures: readonly Figure[]
  readonly goals: readonly Goal[]
  /** False where the figures are not the same work done by different contenders. */
  readonly ratios?: boolean
  /** What a reader must know to read the figures rightly. */
  readonly notes?: readonly string[]
}

export interface Scenario {
  readonly name: string
  readonly title: string
  /** Whether it needs neither the executable nor other contenders. */
  readonly isAlone?: true
  run(options: Options): Promise<Outcome>
}

/** Something that does the same work as the others, and tells how much of it per second. */
export interface Contender extends AsyncDisposable {
  readonly name: string
  measure(seconds: number): Promise<number>
}
