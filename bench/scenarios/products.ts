import { atLeast } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { temporaryFolder } from "../harness/places.ts"
import { newInstallation } from "../harness/product.ts"
import { interleave } from "../harness/rounds.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import { askOnce, type Load, serverContender } from "../harness/server-contender.ts"
import { getProducts } from "../workload/agent-calls.ts"
import { formats } from "../workload/formats.ts"
import { BRIEF, BUDGET_BRIEF, OPENED, openedTo, products as productList } from "../workload/products.ts"
import { ADCP_SDK, agentPeers, BARE, mustList } from "./agent-peers.ts"

const PRODUCT = "Adbooth"
const PRODUCTS = 1_000

export const products: Scenario = {
  name: "products",
  title: "Keyed get_products with a brief, 50 opened of 1,000",
  run: (options) => run(options, BRIEF),
}

export const productsByBudget: Scenario = {
  name: "products-budget",
  title: "Keyed get_products with a brief that says something else in each call, 50 opened of 1,000",
  run: (options) => run(options, BUDGET_BRIEF),
}

async function run(options: Options, brief: string): Promise<Outcome> {
  using folder = temporaryFolder()
  using installation = newInstallation()
  const catalogue = { formats: formats(), products: productList(PRODUCTS), agent_keys: [openedTo(PRODUCTS)] }
  const [key] = await installation.importAll(catalogue)
  const server = await installation.serve()
  const load: Load = { requests: () => [getProducts(key, brief)], connections: 16, worth: 1 }
  const answer = mustList(await askOnce(server, getProducts(key, brief)), "products", OPENED)

  await using product = serverContender(PRODUCT, server, load)
  await using peers = new AsyncDisposableStack()
  const others = (await agentPeers(folder, answer, load)).map((peer) => peers.use(peer))
  const figures = await interleave([product, ...others], options)
  return {
    unit: "requests/s",
    figures,
    goals: [atLeast(0.6, figures, PRODUCT, BARE), atLeast(10, figures, PRODUCT, ADCP_SDK)],
  }
}
