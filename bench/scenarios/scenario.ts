import type { Program } from "../harness/product.ts"
import type { Options } from "../harness/rounds.ts"

export interface Scenario {
  readonly name: string
  readonly title: string
  /** Measures the program, and returns lines to print. */
  readonly run: (program: Program, options: Options) => Promise<readonly string[]>
  /** Lets two versions of the program take turns. */
  readonly compare?: (here: Program, there: Program, options: Options) => Promise<readonly string[]>
}
