import type { Options } from "./options.ts"
import type { Spread } from "./statistics.ts"

/** What a contender did in one round. */
export interface Round {
  /** In the unit of the table. */
  readonly perSecond: number
  /** Processor time of all its processes and threads for one request, in microseconds. A busy machine hardly changes it. */
  readonly micros: number
}

/** One line of a scenario's table: a contender and what it did in the rounds. */
export interface Figure {
  readonly contender: string
  readonly spread: Spread
  /** Microseconds of processor time for one request, where requests are what is counted. */
  readonly micros?: Spread
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
  /** What a reader must know to read the figures rightly. */
  readonly notes?: readonly string[]
}

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly needsNoBuild?: true
  run(options: Options): Promise<Outcome>
}

/** Something that does the same work as the others, round after round. */
export interface Contender extends AsyncDisposable {
  readonly name: string
  measure(seconds: number): Promise<Round>
}
