// npm run torture [-- --engine sqlite|postgres --only NAME,... --short --seed N --kill-rounds N --soak-seconds N --fuzz-requests N ...]: does to the
// executable what the world will do to it, and writes what came out to torture/results.md.
import { FULL, isSkipped, type Outcome, type Part, SHORT, type Sizes, type Skipped } from "./harness/part.ts"
import { describeMachine, writeReport } from "./harness/report.ts"
import { PARTS as SQLITE_PARTS } from "./parts/index.ts"
import { POSTGRES_PARTS } from "./postgres/parts/index.ts"

const ENGINES: Readonly<Record<string, readonly Part[]>> = { sqlite: SQLITE_PARTS, postgres: POSTGRES_PARTS }

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function optionName(size: string): string {
  return `--${size.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

interface Options {
  readonly engine: string
  readonly sizes: Sizes
  readonly only: readonly string[] | null
}

/** Options by name; every size can be set on its own. */
function readOptions(args: readonly string[]): Options {
  const sizes: Record<string, number> = { ...(args.includes("--short") ? SHORT : FULL) }
  let only: readonly string[] | null = null
  let engine = "sqlite"
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "--short") continue
    const value = args[++i] ?? fail(`${args[i - 1]} needs a value.`)
    const size = Object.keys(FULL).find((name) => optionName(name) === args[i - 1])
    if (args[i - 1] === "--only") only = value.split(",")
    else if (args[i - 1] === "--engine" && value in ENGINES) engine = value
    else if (size !== undefined && /^\d+$/.test(value)) sizes[size] = Number(value)
    else
      fail(
        `${args[i - 1]} ${value} is not known. There is --engine sqlite or postgres, --only, --short, ${Object.keys(FULL).map(optionName).join(", ")}.`,
      )
  }
  return { sizes: sizes as unknown as Sizes, only, engine }
}

function tell(name: string, outcome: Outcome | Skipped): void {
  if (isSkipped(outcome)) {
    process.stdout.write(`${name}: NOT TRIED ON THIS MACHINE. ${outcome.skipped}\n`)
    return
  }
  process.stdout.write(`${name}: ${outcome.problems.length === 0 ? "kept" : "BROKEN"}. ${outcome.figures}\n`)
  for (const problem of outcome.problems.slice(0, 20)) process.stdout.write(`  ${problem}\n`)
}

const { sizes, only, engine } = readOptions(process.argv.slice(2))
const PARTS = ENGINES[engine] ?? []
const unknown = only?.find((name) => PARTS.every((part) => part.name !== name))
if (unknown !== undefined) fail(`There is no part "${unknown}". There is ${PARTS.map(({ name }) => name).join(", ")}.`)

const built = Bun.spawnSync([process.execPath, "scripts/build.ts"], { stdio: ["ignore", "ignore", "inherit"] })
if (!built.success) process.exit(1)
process.stdout.write(`${describeMachine()}\n`)

let broken = false
for (const part of PARTS) {
  if (only !== null && !only.includes(part.name)) continue
  process.stdout.write(`${part.name}...\n`)
  const started = performance.now()
  const outcome = await part.run(sizes)
  tell(part.name, outcome)
  broken ||= !isSkipped(outcome) && outcome.problems.length > 0
  const seconds = Math.round((performance.now() - started) / 1_000)
  if (!process.argv.includes("--short")) await writeReport(engine, part, outcome, seconds)
}
process.exit(broken ? 1 : 0)
