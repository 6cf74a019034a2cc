import { parseArgs } from "node:util"

export interface Options {
  /** About two minutes for everything: fewer and shorter rounds, a smaller grown database. */
  readonly quick: boolean
  /** Only scenarios whose name contains this. */
  readonly only: string | undefined
  readonly rounds: number
  readonly secondsPerRound: number
  /** How many reports are moved between the engines. */
  readonly reports: number
}

const OPTIONS = {
  quick: { type: "boolean", default: false },
  full: { type: "boolean", default: false },
  only: { type: "string" },
} as const

export function readOptions(args: readonly string[]): Options {
  const values = valuesOf(args)
  const pace = values.quick ? { rounds: 2, secondsPerRound: 1 } : { rounds: 5, secondsPerRound: 4 }
  const reports = values.full ? 10_000_000 : values.quick ? 100_000 : 1_000_000
  return { quick: values.quick, reports, only: values.only, ...pace }
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values
  } catch (cause) {
    process.stderr.write(`${cause instanceof Error ? cause.message : cause}\nSee npm run bench -- --help.\n`)
    process.exit(2)
  }
}
