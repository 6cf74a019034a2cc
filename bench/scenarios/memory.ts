import { atMost } from "../harness/goals.ts"
import { driveOnce } from "../harness/once.ts"
import type { Options } from "../harness/options.ts"
import { type Running, residentMegabytes } from "../harness/process.ts"
import { newInstallation } from "../harness/product.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import type { Load } from "../harness/server-contender.ts"
import { spreadOf } from "../harness/statistics.ts"
import { getProducts } from "../workload/agent-calls.ts"
import { batchRequests, singleRequests } from "../workload/delivery.ts"
import { formats } from "../workload/formats.ts"
import { importedLines } from "../workload/lines.ts"
import { openedTo, products } from "../workload/products.ts"

const PRODUCTS = 200
const SAMPLE_EVERY_MS = 100
const SETTLE_MS = 1_500

export const memory: Scenario = { name: "memory", title: "Memory", run }

async function run(options: Options): Promise<Outcome> {
  using installation = newInstallation()
  const parts = { formats: formats(), products: products(PRODUCTS), agent_keys: [openedTo(PRODUCTS)] }
  const [agentKey] = await installation.importAll(importedLines(), parts)
  const key = await installation.ingestKey()
  const fresh = () => installation.serve()
  const idle = await whileServing(fresh, settled)
  const loaded = await whileServing(fresh, (server) => underFullLoad(server, fullLoad(key, agentKey), options))
  return {
    unit: "MB",
    figures: [
      { contender: "idle", spread: spreadOf([idle]) },
      { contender: "under full load, highest", spread: spreadOf([loaded]) },
    ],
    goals: [atMost(60, "MB", idle, "idle"), atMost(250, "MB", loaded, "under full load")],
  }
}

async function whileServing(
  start: () => Promise<Running>,
  measure: (server: Running) => Promise<number>,
): Promise<number> {
  await using server = await start()
  return await measure(server)
}

async function settled(server: Running): Promise<number> {
  await Bun.sleep(SETTLE_MS)
  return residentMegabytes(server.pid)
}

function fullLoad(key: string, agentKey: string | undefined): Load[] {
  return [
    { requests: (pass) => batchRequests(key, pass), connections: 8, worth: 1 },
    { requests: (pass) => singleRequests(key, pass + 1), connections: 32, worth: 1 },
    { requests: () => [getProducts(agentKey)], connections: 16, worth: 1 },
  ]
}

async function underFullLoad(server: Running, loads: readonly Load[], { secondsPerRound }: Options): Promise<number> {
  let highest = 0
  const sampling = setInterval(async () => {
    highest = Math.max(highest, await residentMegabytes(server.pid))
  }, SAMPLE_EVERY_MS)
  await Promise.all(loads.map((load) => driveOnce(server, load, 0, { seconds: secondsPerRound * 3 })))
  clearInterval(sampling)
  return highest
}
