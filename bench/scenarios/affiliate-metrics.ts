import { join } from "node:path"
import { loopCommand } from "../contenders/start.ts"
import { atLeast } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { temporaryFolder } from "../harness/places.ts"
import { newInstallation } from "../harness/product.ts"
import { programContender } from "../harness/program-contender.ts"
import { interleave } from "../harness/rounds.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import { askOnce, type Load, serverContender } from "../harness/server-contender.ts"
import { codesRequest, metricsRequests, ROWS_PER_REQUEST } from "../workload/affiliate.ts"
import { importedLines } from "../workload/lines.ts"
import { firstOf } from "./delivery-peers.ts"

const PRODUCT = "Adbooth"
const LOOP = "the bare SQLite loop"

export const affiliateMetrics: Scenario = {
  name: "affiliate-metrics",
  title: "Affiliate metrics, 1000 rows a request, durable",
  run,
}

async function run(options: Options): Promise<Outcome> {
  using folder = temporaryFolder()
  using installation = newInstallation()
  await installation.importAll(importedLines())
  const key = await installation.ingestKey()
  const server = await installation.serve()
  const mine: Load = { requests: () => metricsRequests(key), connections: 8, worth: ROWS_PER_REQUEST }
  mustUpsert(await askOnce(server, codesRequest(key)))
  mustUpsert(await askOnce(server, firstOf(mine)))

  await using product = serverContender(PRODUCT, server, mine)
  await using loop = programContender(LOOP, loopCommand("sqlite-affiliate.ts", join(folder.path, "loop.db")))
  const figures = await interleave([product, loop], options)
  return { unit: "rows/s", figures, goals: [atLeast(0.6, figures, PRODUCT, LOOP)] }
}

function mustUpsert(answer: unknown): void {
  const { ok, upserted } = answer as { ok?: boolean; upserted?: number }
  if (ok !== true || upserted !== ROWS_PER_REQUEST)
    throw new Error(`rows refused: ${JSON.stringify(answer).slice(0, 300)}`)
}
