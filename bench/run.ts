// npm run bench [-- --smallest] [-- --rounds N] [-- --against COMMIT] [-- NAME...]: measures the program beside bare references, or
// beside another commit. Compare processor times: they hardly move with what else the machine does.
import { cpus, loadavg } from "node:os"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { programHere, programOf } from "./harness/against.ts"
import type { Options } from "./harness/rounds.ts"
import { briefs } from "./scenarios/briefs.ts"
import { hotPathScenarios } from "./scenarios/hot-paths.ts"
import { httpPart } from "./scenarios/http-part.ts"
import { postgres } from "./scenarios/postgres.ts"
import { postgresFar } from "./scenarios/postgres-far.ts"
import type { Scenario } from "./scenarios/scenario.ts"
import { upload } from "./scenarios/upload.ts"
import { year } from "./scenarios/year.ts"

const SCENARIOS: readonly Scenario[] = [...hotPathScenarios, httpPart, year, upload, postgres, postgresFar, briefs]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    smallest: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    against: { type: "string" },
  },
})

const options: Options = values.smallest
  ? { rounds: 1, seconds: 0.3, isSmallest: true }
  : { rounds: Number(values.rounds), seconds: 3, isSmallest: false }

function chosen(): readonly Scenario[] {
  const unknown = positionals.find((name) => !SCENARIOS.some((scenario) => scenario.name === name))
  if (unknown === undefined)
    return SCENARIOS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  console.error(`Unknown scenario "${unknown}". Known: ${SCENARIOS.map(({ name }) => name).join(", ")}.`)
  process.exit(2)
}

async function print(title: string, measure: () => Promise<readonly string[]>): Promise<void> {
  console.log(title)
  for (const line of await measure()) console.log(`  ${line.trimStart()}`)
}

const load = () => loadavg()[0]?.toFixed(1)
const size = values.smallest ? ". The smallest run shows that it works, and measures nothing" : ""
console.log(`${cpus().length} processors (${cpus()[0]?.model}), load ${load()}${size}`)
if (values.against === undefined) {
  const built = Bun.spawnSync([process.execPath, "scripts/build.ts"], { stdio: ["ignore", "ignore", "inherit"] })
  if (!built.success) process.exit(1)
  const program = [resolve("dist/adbooth")]
  for (const scenario of chosen()) await print(scenario.title, () => scenario.run(program, options))
} else {
  using other = programOf(values.against)
  for (const { title, compare } of chosen()) {
    if (compare !== undefined) await print(title, () => compare(programHere, other.program, options))
  }
}
console.log(`load at the end ${load()}`)
process.exit(0)
