import { atLeast } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { startPostgres } from "../harness/postgres.ts"
import { newInstallation } from "../harness/product.ts"
import { interleave } from "../harness/rounds.ts"
import type { Contender, Outcome, Scenario } from "../harness/scenario.ts"
import { askOnce, type Load, serverContender } from "../harness/server-contender.ts"
import { getProducts } from "../workload/agent-calls.ts"
import { formats } from "../workload/formats.ts"
import { OPENED, openedTo, products } from "../workload/products.ts"
import { mustList } from "./agent-peers.ts"

const POSTGRES = "Adbooth on PostgreSQL"
const SQLITE = "Adbooth on SQLite"
const PRODUCTS = 1_000
const BUYERS = 100

export const postgresProducts: Scenario = {
  name: "postgres-products",
  title: "PostgreSQL: keyed get_products with a brief, 50 opened of 1,000",
  run,
}

async function run(options: Options): Promise<Outcome> {
  await using postgres = await startPostgres()
  await using product = await withCatalogue(POSTGRES, await postgres.newDatabase())
  await using sqlite = await withCatalogue(SQLITE)
  const figures = await interleave([product, sqlite], options)
  return { unit: "requests/s", figures, goals: [atLeast(0.5, figures, POSTGRES, SQLITE)] }
}

async function withCatalogue(name: string, url?: string): Promise<Contender> {
  const installation = newInstallation(url)
  const load = await loadCatalogue(installation)
  const server = await installation.serve()
  // What each buyer sees is prepared at its first call.
  for (const request of load.requests(0)) mustList(await askOnce(server, request), "products", OPENED)
  const contender = serverContender(name, server, load)
  return {
    ...contender,
    async [Symbol.asyncDispose]() {
      await contender[Symbol.asyncDispose]()
      installation[Symbol.dispose]()
    },
  }
}

/** Imports a catalogue and its buyers, each of whom sends the same call in turn. */
export async function loadCatalogue(installation: ReturnType<typeof newInstallation>): Promise<Load> {
  const agentKeys = Array.from({ length: BUYERS }, (_, buyer) => openedTo(PRODUCTS, `Buyer ${buyer}`))
  const catalogue = { formats: formats(), products: products(PRODUCTS), agent_keys: agentKeys }
  const keys = await installation.importAll(catalogue)
  return { requests: () => keys.map((key) => getProducts(key)), connections: 16, worth: 1 }
}
