import { driveOnce } from "../harness/once.ts"
import type { Options } from "../harness/options.ts"
import { type PostgresServer, startPostgres } from "../harness/postgres.ts"
import type { Running } from "../harness/process.ts"
import { cpuSecondsOf } from "../harness/processor-time.ts"
import { newInstallation } from "../harness/product.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import type { Load } from "../harness/server-contender.ts"
import { spreadOf } from "../harness/statistics.ts"
import { seedIngestKeys } from "../workload/keys.ts"
import { importedLines } from "../workload/lines.ts"
import { batchesOf, singlesOf } from "./postgres-delivery.ts"
import { loadCatalogue } from "./postgres-products.ts"

// So many that every line and every buyer was seen once.
const WARM_UP_REQUESTS = 5_000
const DATABASE_CORES = [4, 16]

export const postgresCpu: Scenario = {
  name: "postgres-cpu",
  title: "PostgreSQL: processor time of a request, in the replica and in the database",
  run,
}

/** Milliseconds of processor time for one request. */
interface Cost {
  readonly work: string
  readonly replica: number
  readonly database: number
}

async function run(options: Options): Promise<Outcome> {
  await using postgres = await startPostgres()
  const url = await postgres.newDatabase()
  using installation = newInstallation(url)
  await installation.importAll(importedLines())
  const keys = await seedIngestKeys(url, 1_000)
  const loads: Record<string, Load> = {
    "delivery, 500 items": batchesOf(keys),
    "delivery, 1 item": singlesOf(keys),
    "keyed get_products": await loadCatalogue(installation),
  }
  const costs: Cost[] = []
  for (const [work, load] of Object.entries(loads)) {
    await using server = await installation.serve()
    const requests = Math.ceil(WARM_UP_REQUESTS / Math.max(load.worth, 25))
    await driveOnce(server, load, 0, {
      seconds: 60,
      requests: work === "delivery, 1 item" ? WARM_UP_REQUESTS : requests,
    })
    costs.push({ work, ...(await costOf(server, postgres, load, options.secondsPerRound * options.rounds)) })
  }
  return {
    unit: "ms of processor time a request",
    ratios: false,
    figures: costs.flatMap(({ work, replica, database }) => [
      { contender: `${work}: replica`, spread: spreadOf([replica]) },
      { contender: `${work}: database`, spread: spreadOf([database]) },
    ]),
    goals: [],
    notes: [
      "For docs/scaling.md. How many replicas a database feeds is a projection: its cores divided by what a request takes of them.",
      tableOf(costs),
    ],
  }
}

async function costOf(server: Running, postgres: PostgresServer, load: Load, seconds: number) {
  const before = { replica: cpuSecondsOf(server.pid), database: postgres.cpuSeconds() }
  const { requests } = await driveOnce(server, load, 1, { seconds })
  const perRequest = (used: number) => (used * 1000) / requests
  return {
    replica: perRequest(cpuSecondsOf(server.pid) - before.replica),
    database: perRequest(postgres.cpuSeconds() - before.database),
  }
}

/** A replica keeps about one core busy; a database of n cores carries as many replicas as it can feed. */
function tableOf(costs: readonly Cost[]): string {
  const cores = DATABASE_CORES.map((count) => `database of ${count} cores`)
  const head = ["work", "replica", "database", "one busy replica", ...cores]
  const rows = costs.map(({ work, replica, database }) => [
    work,
    `${replica.toFixed(2)} ms`,
    `${database.toFixed(2)} ms`,
    perSecond(1_000 / replica),
    ...DATABASE_CORES.map((count) => {
      const replicas = Math.max(1, Math.floor((count * replica) / database))
      return `${perSecond((count * 1_000) / database)} from ${replicas} ${replicas === 1 ? "replica" : "replicas"}`
    }),
  ])
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

function perSecond(count: number): string {
  return `${Math.round(count).toLocaleString("en")}/s`
}
