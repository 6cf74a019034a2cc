import { parseArgs } from "node:util"

const HELP = `npm run bench [-- OPTIONS]: the product beside its references, in one run, on this machine.

  --quick           fewer and shorter rounds, less data: under three minutes
  --smallest        a moment of every scenario: shows that they work, and measures nothing
  --only NAME       only scenarios whose name contains NAME; bench/results.md stays as it is
  --against COMMIT  builds that commit and lets it take turns with this one: what programs ask for all day, by processor time
`

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
  help: { type: "boolean", default: false },
} as const

export function readOptions(args: readonly string[]): Options {
  const { quick, smallest, only, against } = valuesOf(args)
  const size = smallest ? "smallest" : quick ? "quick" : "whole"
  return { size, only, against, ...PACES[size] }
}

function valuesOf(args: readonly string[]) {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    if (!values.help) return values
    process.stdout.write(HELP)
    process.exit(0)
  } catch (cause) {
    process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n\n${HELP}`)
    process.exit(2)
  }
}
