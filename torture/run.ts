// npm run torture [-- --short] [-- --seed NUMBER] [-- NAME...]: does to the executable what the world will do to it, and prints what came
// of it. The exit code is 1 if a promise is broken.
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { randomNumbers } from "../test/harness/data/random.ts"
import { pgbouncerProgram } from "../test/harness/pgbouncer.ts"
import { postgresPrograms } from "../test/harness/postgres.ts"
import type { Part } from "./harness/part.ts"
import { PROGRAM } from "./harness/program.ts"
import { disk } from "./parts/disk.ts"
import { drill } from "./parts/drill.ts"
import { flood } from "./parts/flood.ts"
import { fuzz } from "./parts/fuzz.ts"
import { kill } from "./parts/kill.ts"
import { locked } from "./parts/locked.ts"
import { oneServer } from "./parts/one-server.ts"
import { sync } from "./parts/sync.ts"
import { database, frozen } from "./postgres/database.ts"
import { limits } from "./postgres/limits.ts"
import { network } from "./postgres/network.ts"
import { pgbouncer } from "./postgres/pgbouncer.ts"
import { servers } from "./postgres/servers.ts"

const PARTS = [
  kill,
  sync,
  disk,
  locked,
  oneServer,
  drill,
  flood,
  fuzz,
  servers,
  database,
  frozen,
  network,
  limits,
  pgbouncer,
]
const PROBLEMS_SHOWN = 10

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean", default: false }, seed: { type: "string", default: "1" } },
})

function chosenParts(): readonly Part[] {
  const unknown = positionals.find((name) => !PARTS.some((part) => part.name === name))
  if (unknown === undefined) return PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  console.error(`Unknown part "${unknown}". Known parts: ${PARTS.map(({ name }) => name).join(", ")}.`)
  process.exit(2)
}

/** What this machine lacks for a part. */
function missingFor({ needs }: Part): string | null {
  if (needs === "strace" && Bun.which("strace") === null) return "strace"
  if ((needs === "postgres" || needs === "pgbouncer") && postgresPrograms === null) return "PostgreSQL"
  if (needs === "pgbouncer" && pgbouncerProgram === null) return "PgBouncer"
  return null
}

/** Runs a part in a folder of its own, and returns the promises that it found broken. */
async function runPart(part: Part): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "adbooth-torture-"))
  const problems: string[] = []
  const delays: string[] = []
  const began = performance.now()
  let figures = ""
  try {
    const random = randomNumbers(Number(values.seed))
    const problem = (text: string) => void problems.push(text)
    const late = values.short ? (text: string) => void delays.push(text) : problem
    figures = await part.run({ folder, isShort: values.short, random, problem, late })
  } catch (cause) {
    problems.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const seconds = Math.round((performance.now() - began) / 1_000)
  console.log(
    `${problems.length === 0 ? "held  " : "BROKEN"} ${part.name} (${seconds} s): ${part.promise}\n       ${figures}`,
  )
  for (const text of delays) console.log(`       - late, which only a long run judges: ${text}`)
  for (const text of problems.slice(0, PROBLEMS_SHOWN)) console.log(`       - ${text}`)
  if (problems.length > PROBLEMS_SHOWN) console.log(`       - and ${problems.length - PROBLEMS_SHOWN} more`)
  return problems
}

if (process.env["ADBOOTH_TEST_EXECUTABLE"] === undefined) {
  const { success } = Bun.spawnSync([process.execPath, "scripts/build.ts"], { stdio: ["ignore", "ignore", "inherit"] })
  if (!success) process.exit(1)
}
console.log(`Torturing ${PROGRAM}, seed ${values.seed}, load of the machine ${loadavg()[0]?.toFixed(1)}`)

const counts = { held: 0, broken: 0, skipped: 0 }
for (const part of chosenParts()) {
  const missing = missingFor(part)
  if (missing !== null) console.log(`skipped ${part.name}: this machine has no ${missing}`)
  if (missing !== null) counts.skipped++
  else if ((await runPart(part)).length === 0) counts.held++
  else counts.broken++
}
console.log(`${counts.held} held, ${counts.broken} broken, ${counts.skipped} skipped`)
// A PostgreSQL server that this process started must not keep it.
process.exit(counts.broken === 0 ? 0 : 1)
