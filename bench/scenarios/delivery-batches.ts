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
import { batchRequests, ITEMS_PER_REQUEST } from "../workload/delivery.ts"
import { importedLines } from "../workload/lines.ts"
import { deliveryPeer, firstOf, mustAccept } from "./delivery-peers.ts"

const PRODUCT = "Adbooth"
const LOOP = "the bare SQLite loop"
const EXPRESS = "Express + zod + better-sqlite3"

export const deliveryBatches: Scenario = {
  name: "delivery-batches",
  title: "Delivery, 500 items a request, durable",
  run,
}

async function run(options: Options): Promise<Outcome> {
  using folder = temporaryFolder()
  using installation = newInstallation()
  await installation.importAll(importedLines())
  const mine = batches(await installation.ingestKey())
  const server = await installation.serve()
  mustAccept(PRODUCT, await askOnce(server, firstOf(mine)))

  await using product = serverContender(PRODUCT, server, mine)
  await using loop = programContender(LOOP, loopCommand("sqlite-delivery.ts", join(folder.path, "loop.db")))
  await using express = await deliveryPeer(EXPRESS, folder, ["express", "each"], batches)
  await using fastify = await deliveryPeer("Fastify + zod + better-sqlite3", folder, ["fastify", "each"], batches)
  await using careful = await deliveryPeer(
    `${EXPRESS}, one transaction a request`,
    folder,
    ["express", "gathered"],
    batches,
  )
  const figures = await interleave([product, loop, express, fastify, careful], options)
  return {
    unit: "items/s",
    figures,
    goals: [atLeast(0.6, figures, PRODUCT, LOOP), atLeast(5, figures, PRODUCT, EXPRESS)],
    notes: [
      "Express and Fastify as commonly written keep each item on its own, as each is accepted or rejected on its own. " +
        "The last line gathers a request's items in one transaction, as a careful author would.",
    ],
  }
}

function batches(key: string): Load {
  return { requests: (pass) => batchRequests(key, pass), connections: 8, worth: ITEMS_PER_REQUEST }
}
