import { join } from "node:path"
import { atLeast } from "../harness/goals.ts"
import { driveOnce } from "../harness/once.ts"
import type { Options } from "../harness/options.ts"
import { BENCH, BUN } from "../harness/places.ts"
import { type PostgresServer, startPostgres } from "../harness/postgres.ts"
import { cpuSecondsOf } from "../harness/processor-time.ts"
import { newInstallation } from "../harness/product.ts"
import { programContender } from "../harness/program-contender.ts"
import { interleave } from "../harness/rounds.ts"
import type { Contender, Outcome, Scenario } from "../harness/scenario.ts"
import { askOnce, type Load, serverContender } from "../harness/server-contender.ts"
import { batchRequests, fromManySenders, ITEMS_PER_REQUEST, singleRequests } from "../workload/delivery.ts"
import { seedIngestKeys } from "../workload/keys.ts"
import { importedLines } from "../workload/lines.ts"
import { mustAccept } from "./hot-paths.ts"

const PRODUCT = "Adbooth on PostgreSQL"
const LOOP = "the bare Bun.sql loop"
// A window holds the moments of all that was admitted within the minute. One sender of everything would have a window of a size that
// no published limit allows, and little else would be measured.
const SENDERS = 1_000
const WARM_UP_SECONDS_MAX = 60
// Every line has been looked up by then, and the code is as fast as in a server that has run for a day.
const WARM_UP_ITEMS = { batches: 100_000, single: 20_000 }

interface Work {
  readonly load: (keys: readonly string[]) => Load
  /** The loop beside it: what it sends, and on how many connections. */
  readonly loop: readonly [mode: "batches" | "single", inFlight: number]
  /** The least share of what the loop does with the same processor time. */
  readonly share: number
}

export const postgresBatches: Scenario = {
  name: "postgres-batches",
  title: "PostgreSQL: delivery, 500 items a request, 8 connections",
  run: (options) => run({ load: batchesOf, loop: ["batches", 4], share: 0.6 }, options),
}

export const postgresSingle: Scenario = {
  name: "postgres-single",
  title: "PostgreSQL: delivery, 1 item a request, 64 connections",
  run: (options) => run({ load: singlesOf, loop: ["single", 4], share: 0.5 }, options),
}

function batchesOf(keys: readonly string[]): Load {
  const requests = (pass: number) => fromManySenders(batchRequests("", pass), keys.slice(0, SENDERS / 5))
  return { requests, connections: 8, worth: ITEMS_PER_REQUEST }
}

function singlesOf(keys: readonly string[]): Load {
  return { requests: (pass) => fromManySenders(singleRequests("", pass), keys), connections: 64, worth: 1 }
}

async function run({ load: loadOf, loop: [mode, inFlight], share }: Work, options: Options): Promise<Outcome> {
  await using stack = new AsyncDisposableStack()
  const postgres = stack.use(await startPostgres())
  const { installation, keys } = await filled(postgres, stack)
  const load = loadOf(keys)
  const server = await installation.serve()
  const cost = { replica: () => cpuSecondsOf(server.pid), database: () => postgres.cpuSeconds() }
  const both = () => cost.replica() + cost.database()
  const product = stack.use(serverContender(PRODUCT, server, load, both))
  mustAccept(await askOnce(server, load.requests(0)[0]))
  if (options.size !== "smallest")
    await driveOnce(server, load, 0, { seconds: WARM_UP_SECONDS_MAX, requests: WARM_UP_ITEMS[mode] / load.worth })
  const loop = await bareLoop(postgres, mode, inFlight, stack)
  const figures = await interleave([product, loop], options)
  const split = await splitOf(product, cost, options.secondsPerRound)
  return {
    unit: `${load.worth === 1 ? "requests" : "items"}/s`,
    figures,
    goals: [atLeast(share, figures, PRODUCT, LOOP)],
    notes: [split, note(postgres)],
  }
}

/** Which part of a request's processor time the database takes, for docs/scaling.md. */
async function splitOf(product: Contender, cost: Record<"replica" | "database", () => number>, seconds: number) {
  const before = { replica: cost.replica(), database: cost.database() }
  const { micros } = await product.measure(seconds)
  const [replica, database] = [cost.replica() - before.replica, cost.database() - before.database]
  const part = (used: number) => `${((micros * used) / (replica + database) / 1_000).toFixed(2)} ms`
  return `Of a request's processor time the replica takes ${part(replica)}, the database ${part(database)}.`
}

async function filled(postgres: PostgresServer, stack: AsyncDisposableStack) {
  const databaseUrl = await postgres.newDatabase()
  const installation = stack.use(newInstallation({ databaseUrl }))
  await installation.importAll(importedLines())
  return { databaseUrl, installation, keys: await seedIngestKeys(databaseUrl, SENDERS) }
}

/** Its processor time and the database's are one figure, as the product's are. */
async function bareLoop(
  postgres: PostgresServer,
  mode: string,
  inFlight: number,
  stack: AsyncDisposableStack,
): Promise<Contender> {
  const program = join(BENCH, "contenders", "postgres-delivery.ts")
  const { databaseUrl } = await filled(postgres, stack)
  const loop = programContender(LOOP, [BUN, program, databaseUrl, mode, String(inFlight)])
  return {
    ...loop,
    async measure(seconds) {
      const before = postgres.cpuSeconds()
      const { perSecond, micros } = await loop.measure(seconds)
      const worth = mode === "batches" ? ITEMS_PER_REQUEST : 1
      return {
        perSecond,
        micros: micros + ((postgres.cpuSeconds() - before) * 1_000_000 * worth) / (perSecond * seconds),
      }
    },
  }
}

function note({ version }: PostgresServer): string {
  return (
    `PostgreSQL ${version} as it comes, on the same machine and disk, fsync and synchronous_commit on. ` +
    `The loop sends the product's statements as the product does: key and limit; begin and lock; current totals; ` +
    `history and totals; commit. It does no HTTP, JSON, validation or log. There are ${SENDERS} senders. ` +
    "Processor time is that of all processes, PostgreSQL's too."
  )
}
