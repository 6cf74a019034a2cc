import { join } from "node:path"
import { atMost } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { PRODUCT, temporaryFolder } from "../harness/places.ts"
import { startPostgres } from "../harness/postgres.ts"
import { newInstallation } from "../harness/product.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import { spreadOf } from "../harness/statistics.ts"
import { importedLines, LINES } from "../workload/lines.ts"
import { seedHistory } from "../workload/seed.ts"

const REPORTS = { whole: 1_000_000, quick: 100_000, smallest: 5_000 }
const ROWS_PER_SECOND_LEAST = 50_000
const MEMORY_MOST_MB = 400

export const postgresMove: Scenario = {
  name: "postgres-move",
  title: "PostgreSQL: adbooth move, either way, proven equal",
  run,
}

async function run({ size }: Options): Promise<Outcome> {
  const reports = REPORTS[size]
  await using postgres = await startPostgres()
  using folder = temporaryFolder()
  using installation = newInstallation()
  await installation.importAll(importedLines())
  seedHistory(installation.data, Math.ceil(reports / LINES))
  const url = await postgres.newDatabase()
  const ways = [
    { name: "SQLite to PostgreSQL", ...(await move(installation.data, url, reports)) },
    { name: "PostgreSQL to SQLite", ...(await move(url, join(folder.path, "back"), reports)) },
  ]
  return {
    unit: "rows/s",
    figures: ways.map(({ name, rate }) => ({ contender: name, spread: spreadOf([rate]) })),
    goals: [
      {
        promise: `either way at least ${ROWS_PER_SECOND_LEAST.toLocaleString("en")} rows/s`,
        measured: ways.map(({ rate }) => Math.round(rate).toLocaleString("en")).join(" and "),
        met: ways.every(({ rate }) => rate >= ROWS_PER_SECOND_LEAST),
      },
      atMost(MEMORY_MOST_MB, "MB", Math.max(...ways.map(({ memory }) => memory)), "memory"),
    ],
    notes: [`${reports.toLocaleString("en")} reports. Copied, read back from both sides and compared.`],
  }
}

async function move(from: string, to: string, rows: number): Promise<{ rate: number; memory: number }> {
  const started = performance.now()
  const child = Bun.spawn([PRODUCT, "move", "--from", from, "--to", to], { stdout: "ignore", stderr: "pipe" })
  const complaints = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`move failed:\n${complaints}`)
  const seconds = (performance.now() - started) / 1000
  return { rate: rows / seconds, memory: (child.resourceUsage()?.maxRSS ?? 0) / 2 ** 20 }
}
