import { atLeast } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { newInstallation } from "../harness/product.ts"
import { interleave } from "../harness/rounds.ts"
import type { Contender, Outcome, Scenario } from "../harness/scenario.ts"
import { askOnce, serverContender } from "../harness/server-contender.ts"
import { getProducts } from "../workload/agent-calls.ts"
import { formats } from "../workload/formats.ts"
import { OPENED, openedTo, products } from "../workload/products.ts"
import { mustList } from "./agent-peers.ts"

const GROWN = 10_000
const SMALL = 100

export const growthProducts: Scenario = {
  name: "growth-products",
  title: "Growth: get_products with 10,000 products against 100",
  run,
}

async function run(options: Options): Promise<Outcome> {
  await using stack = new AsyncDisposableStack()
  const grown = stack.use(await withProducts(GROWN, stack))
  const small = stack.use(await withProducts(SMALL, stack))
  const figures = await interleave([grown, small], options)
  return { unit: "requests/s", figures, goals: [atLeast(0.5, figures, grown.name, small.name)] }
}

async function withProducts(count: number, stack: AsyncDisposableStack): Promise<Contender> {
  const installation = stack.use(newInstallation())
  const [key] = await installation.importAll({
    formats: formats(),
    products: products(count),
    agent_keys: [openedTo(count)],
  })
  const server = await installation.serve()
  mustList(await askOnce(server, getProducts(key)), "products", OPENED)
  const load = { requests: () => [getProducts(key)], connections: 16, worth: 1 }
  return serverContender(`${count.toLocaleString("en")} products, ${OPENED} opened`, server, load)
}
