import { startBare } from "../contenders/start.ts"
import { atLeast } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { temporaryFolder } from "../harness/places.ts"
import { newInstallation } from "../harness/product.ts"
import { interleave } from "../harness/rounds.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import { askOnce, type Load, serverContender } from "../harness/server-contender.ts"
import { singleRequests } from "../workload/delivery.ts"
import { importedLines } from "../workload/lines.ts"
import { deliveryPeer, firstOf, mustAccept } from "./delivery-peers.ts"

const PRODUCT = "Adbooth"
const BARE = "bare Bun.serve that stores nothing"

export const deliverySingle: Scenario = {
  name: "delivery-single",
  title: "Delivery, 1 item a request, 64 connections",
  run,
}

async function run(options: Options): Promise<Outcome> {
  using folder = temporaryFolder()
  using installation = newInstallation()
  await installation.importAll(importedLines())
  const mine = singles(await installation.ingestKey())
  const server = await installation.serve()
  mustAccept(PRODUCT, await askOnce(server, firstOf(mine)))

  await using product = serverContender(PRODUCT, server, mine)
  await using bare = serverContender(BARE, await startBare("bare-delivery.ts"), singles("any"))
  await using express = await deliveryPeer("Express + zod + better-sqlite3", folder, ["express", "each"], singles)
  await using fastify = await deliveryPeer("Fastify + zod + better-sqlite3", folder, ["fastify", "each"], singles)
  const figures = await interleave([product, bare, express, fastify], options)
  return { unit: "requests/s", figures, goals: [atLeast(0.5, figures, PRODUCT, BARE)] }
}

function singles(key: string): Load {
  return { requests: (pass) => singleRequests(key, pass), connections: 64, worth: 1 }
}
