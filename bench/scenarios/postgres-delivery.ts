import { join } from "node:path"
import { atLeast } from "../harness/goals.ts"
import { driveOnce } from "../harness/once.ts"
import type { Options } from "../harness/options.ts"
import { BENCH, BUN } from "../harness/places.ts"
import { type PostgresServer, startPostgres } from "../harness/postgres.ts"
import { newInstallation } from "../harness/product.ts"
import { programContender } from "../harness/program-contender.ts"
import { interleave } from "../harness/rounds.ts"
import type { Contender, Outcome, Scenario } from "../harness/scenario.ts"
import { askOnce, type Load, serverContender } from "../harness/server-contender.ts"
import { batchRequests, fromManySenders, ITEMS_PER_REQUEST, singleRequests } from "../workload/delivery.ts"
import { seedIngestKeys } from "../workload/keys.ts"
import { importedLines, LINES } from "../workload/lines.ts"
import { firstOf, mustAccept } from "./delivery-peers.ts"

const PRODUCT = "Adbooth on PostgreSQL"
const LOOP = "the bare Bun.sql loop"
const SHARED = `${LOOP} with shared commits`
const EACH = `${LOOP}, one transaction a request`
// A window holds the moments of all that was admitted within the minute. One sender of everything would have a window of a size that
// no published limit allows, and little else would be measured.
const SENDERS = 1_000
const WARM_UP_SECONDS_MAX = 60

export const postgresBatches: Scenario = {
  name: "postgres-batches",
  title: "PostgreSQL: delivery, 500 items a request, durable",
  async run(options) {
    await using postgres = await startPostgres()
    await using product = await productOn(postgres, batchesOf)
    await using loop = await bareLoop(postgres, LOOP, "batches", 4)
    const figures = await interleave([product, loop], options)
    return { unit: "items/s", figures, goals: [atLeast(0.6, figures, PRODUCT, LOOP)], notes: [note(postgres)] }
  },
}

export const postgresSingle: Scenario = {
  name: "postgres-single",
  title: "PostgreSQL: delivery, 1 item a request, 64 connections",
  run: runSingle,
}

async function runSingle(options: Options): Promise<Outcome> {
  await using postgres = await startPostgres()
  await using product = await productOn(postgres, singlesOf)
  await using shared = await bareLoop(postgres, SHARED, "shared", 1)
  await using each = await bareLoop(postgres, EACH, "each", 16)
  await using figuresOnly = await bareLoop(postgres, `${SHARED}, without key and limit`, "figures", 1)
  const figures = await interleave([product, shared, each, figuresOnly], options)
  return {
    unit: "requests/s",
    figures,
    goals: [atLeast(0.5, figures, PRODUCT, SHARED), atLeast(3, figures, PRODUCT, EACH)],
    notes: [note(postgres)],
  }
}

export function batchesOf(keys: readonly string[]): Load {
  const requests = (pass: number) => fromManySenders(batchRequests("", pass), keys.slice(0, SENDERS / 5))
  return { requests, connections: 8, worth: ITEMS_PER_REQUEST }
}

export function singlesOf(keys: readonly string[]): Load {
  return { requests: (pass) => fromManySenders(singleRequests("", pass), keys), connections: 64, worth: 1 }
}

/** The load is made for the keys of its senders. */
async function productOn(postgres: PostgresServer, loadOf: (keys: readonly string[]) => Load): Promise<Contender> {
  const { installation, keys } = await filled(postgres)
  const load = loadOf(keys)
  const server = await installation.serve()
  mustAccept(PRODUCT, await askOnce(server, firstOf(load)))
  // Every line has been looked up once, as in a server that has run for a day.
  await driveOnce(server, load, 0, {
    seconds: WARM_UP_SECONDS_MAX,
    requests: load.worth === 1 ? LINES : LINES / load.worth,
  })
  return serverContender(PRODUCT, server, load)
}

async function filled(postgres: PostgresServer) {
  const url = await postgres.newDatabase()
  using installation = newInstallation(url)
  await installation.importAll(importedLines())
  return { url, installation, keys: await seedIngestKeys(url, SENDERS) }
}

async function bareLoop(
  postgres: PostgresServer,
  name: string,
  mode: "batches" | "shared" | "each" | "figures",
  inFlight: number,
): Promise<Contender> {
  const program = join(BENCH, "contenders", "postgres-delivery.ts")
  const { url } = await filled(postgres)
  return programContender(name, [BUN, program, url, mode, String(inFlight)])
}

function note({ version }: PostgresServer): string {
  return (
    `PostgreSQL ${version} as it comes, on the same machine and disk, fsync and synchronous_commit on. ` +
    `The loops send the product's statements as the product does: key, limit and revisions; begin and lock; current totals; ` +
    `history and totals; commit. They do no HTTP, JSON, validation or log, and know their 64 callers beforehand. There are ${SENDERS} senders.`
  )
}
