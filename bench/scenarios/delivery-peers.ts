import { join } from "node:path"
import { createPeerDatabase, PEER_KEY } from "../contenders/peer-database.ts"
import { startPeer } from "../contenders/start.ts"
import type { Folder } from "../harness/places.ts"
import type { Contender } from "../harness/scenario.ts"
import { askOnce, type Load, serverContender } from "../harness/server-contender.ts"

type Framework = "express" | "fastify"
type Writing = "each" | "gathered"

/** A Node peer of the delivery endpoint, after it has shown that it accepts the requests. */
export async function deliveryPeer(
  name: string,
  folder: Folder,
  [framework, writing]: readonly [Framework, Writing],
  load: (key: string) => Load,
): Promise<Contender> {
  const file = join(folder.path, `${framework}-${writing}.db`)
  createPeerDatabase(file)
  const server = await startPeer(`${framework}-delivery.mjs`, file, writing)
  const mine = load(PEER_KEY)
  await mustAccept(name, await askOnce(server, firstOf(mine)))
  return serverContender(name, server, mine)
}

export function firstOf(load: Load) {
  const [first] = load.requests(0)
  if (first === undefined) throw new Error("a load has at least one request")
  return first
}

/** A contender that refuses the items would look fast for the wrong reason. */
export function mustAccept(name: string, answer: unknown): void {
  const { accepted, rejected } = answer as { accepted?: number; rejected?: number }
  if (!accepted || rejected !== 0)
    throw new Error(`${name} does not accept the items: ${JSON.stringify(answer).slice(0, 300)}`)
}
