import { parseArgs } from "node:util"

export interface Options {
  /** About two minutes for everything: fewer and shorter rounds, a smaller grown database. */
  readonly quick: boolean
  /** Only scenarios whose name contains this. */
  readonly only: string | undefined
  readonly rounds: number
  readonly secondsPerRound: number
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
  })
  const pace = values.quick ? { rounds: 2, secondsPerRound: 1 } : { rounds: 5, secondsPerRound: 4 }
  return { quick: values.quick, only: values.only, ...pace }
}
