import { atMost } from "../harness/goals.ts"
import { driveOnce } from "../harness/once.ts"
import type { Options } from "../harness/options.ts"
import { type Running, residentMegabytes } from "../harness/process.ts"
import { newInstallation } from "../harness/product.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import type { Load } from "../harness/server-contender.ts"
import { spreadOf } from "../harness/statistics.ts"
import { callsFromManyAddresses, getProducts } from "../workload/agent-calls.ts"
import { batchRequests, singleRequests } from "../workload/delivery.ts"
import { formats } from "../workload/formats.ts"
import { importedLines } from "../workload/lines.ts"
import { openedTo, products } from "../workload/products.ts"

const CALLERS = 100_000
const PRODUCTS = 1_000
const SAMPLE_EVERY_MS = 100
const SETTLE_MS = 1_500

export const memory: Scenario = { name: "memory", title: "Memory", run }

async function run(options: Options): Promise<Outcome> {
  using installation = newInstallation()
  const parts = { formats: formats(), products: products(PRODUCTS), agent_keys: [openedTo(PRODUCTS)] }
  const [agentKey] = await installation.importAll(importedLines(), parts)
  const key = await installation.ingestKey()
  const fresh = () => installation.serve("--trust-proxy", "127.0.0.1/32")
  const idle = await whileServing(fresh, settled)
  const loaded = await whileServing(fresh, (server) => underFullLoad(server, fullLoad(key, agentKey), options))
  const outcome = {
    unit: "MB",
    ratios: false,
    figures: [
      { contender: "idle", spread: spreadOf([idle]) },
      { contender: "under full load, highest", spread: spreadOf([loaded]) },
    ],
    goals: [atMost(80, "MB", idle, "idle"), atMost(300, "MB", loaded, "under full load")],
  }
  if (options.quick)
    return { ...outcome, notes: ["A quick run leaves out the 100,000 callers, who take half a minute."] }
  const few = await whileServing(fresh, (server) => afterCalls(server, 1))
  const many = await whileServing(fresh, (server) => afterCalls(server, CALLERS))
  return {
    ...outcome,
    figures: [
      ...outcome.figures,
      { contender: "after 100,000 calls of one caller", spread: spreadOf([few]) },
      { contender: "after 100,000 calls of as many callers", spread: spreadOf([many]) },
    ],
    goals: [...outcome.goals, atMost(50, "MB", many - few, "100,000 known callers add")],
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

async function afterCalls(server: Running, callers: number): Promise<number> {
  const load: Load = { requests: () => callsFromManyAddresses(callers), connections: 16, worth: 1 }
  await driveOnce(server, load, 0, { seconds: 0, requests: CALLERS })
  return settled(server)
}
