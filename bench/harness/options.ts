import { parseArgs } from "node:util"

// Whole runs write the results; the others are for a look.
const PACES = {
  whole: { rounds: 5, secondsPerRound: 2 },
  quick: { rounds: 3, secondsPerRound: 1 },
  smallest: { rounds: 1, secondsPerRound: 0.1 },
} as const

export interface Options {
  readonly size: keyof typeof PACES
  /** Only scenarios whose name contains this. */
  readonly only: string | undefined
  readonly against: string | undefined
  readonly rounds: number
  readonly secondsPerRound: number
}

const OPTIONS = {
  quick: { type: "boolean", default: false },
  smallest: { type: "boolean", default: false },
  only: { type: "string" },
  against: { type: "string" },
} as const

export function readOptions(args: readonly string[]): Options {
  const { quick, smallest, only, against } = valuesOf(args)
  const size = smallest ? "smallest" : quick ? "quick" : "whole"
  return { size, only, against, ...PACES[size] }
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values
  } catch (cause) {
    process.stderr.write(`${cause instanceof Error ? cause.message : cause}\nSee npm run bench -- --help.\n`)
    process.exit(2)
  }
}
