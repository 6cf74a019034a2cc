import { atLeast } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { newInstallation } from "../harness/product.ts"
import { interleave } from "../harness/rounds.ts"
import type { Contender, Outcome, Scenario } from "../harness/scenario.ts"
import { askOnce, type Load, serverContender } from "../harness/server-contender.ts"
import { batchRequests, ITEMS_PER_REQUEST } from "../workload/delivery.ts"
import { importedLines, LINES } from "../workload/lines.ts"
import { seedHistory } from "../workload/seed.ts"
import { firstOf, mustAccept } from "./delivery-peers.ts"

const REPORTS = 10_000_000

export const growthHistory: Scenario = {
  name: "growth-history",
  title: "Growth: delivery with 10 million reports in the history",
  run,
}

async function run(options: Options): Promise<Outcome> {
  await using stack = new AsyncDisposableStack()
  const grown = stack.use(await withHistory("10 million reports", REPORTS / LINES, stack))
  const empty = stack.use(await withHistory("an empty database", 0, stack))
  const figures = await interleave([grown, empty], options)
  return { unit: "items/s", figures, goals: [atLeast(0.8, figures, grown.name, empty.name)] }
}

async function withHistory(name: string, reportsPerLine: number, stack: AsyncDisposableStack): Promise<Contender> {
  const installation = stack.use(newInstallation())
  await installation.importAll(importedLines())
  const key = await installation.ingestKey()
  if (reportsPerLine > 0) seedHistory(installation.data, reportsPerLine)
  const server = await installation.serve()
  const load: Load = { requests: (pass) => batchRequests(key, pass), connections: 8, worth: ITEMS_PER_REQUEST }
  mustAccept(name, await askOnce(server, firstOf(load)))
  return serverContender(name, server, load)
}
