import { startBare } from "../contenders/start.ts"
import { freePort } from "../harness/free-port.ts"
import { atLeast } from "../harness/goals.ts"
import { driveOnce } from "../harness/once.ts"
import type { Options } from "../harness/options.ts"
import { temporaryFolder } from "../harness/places.ts"
import { type Installation, newInstallation } from "../harness/product.ts"
import { interleave } from "../harness/rounds.ts"
import type { Goal, Outcome, Scenario } from "../harness/scenario.ts"
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
  const shared = await countCommits(installation, mine)
  return { unit: "requests/s", figures, goals: [atLeast(0.5, figures, PRODUCT, BARE), shared] }
}

/** Once more with metrics switched on, which the measured rounds do without. */
async function countCommits(installation: Installation, load: Load): Promise<Goal> {
  const port = await freePort()
  await using server = await installation.serve("--metrics-port", String(port))
  const { requests } = await driveOnce(server, load, 1_000, { seconds: 1 })
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const commits = Number(/^adbooth_commit_seconds_count (\d+)/m.exec(metrics)?.[1])
  const measured = `${commits} commits for ${requests} requests`
  return { promise: "fewer commits than requests", measured, met: commits < requests }
}

function singles(key: string): Load {
  return { requests: (pass) => singleRequests(key, pass), connections: 64, worth: 1 }
}
