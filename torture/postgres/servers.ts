import { outcomesOf } from "../harness/ledger.ts"
import { startLoad } from "../harness/load.ts"
import type { Part } from "../harness/part.ts"
import { startCluster } from "./cluster.ts"

const SERVERS = 3

export const servers: Part = {
  name: "postgres-servers",
  promise: "of three servers on one database, each can be killed under load, and nothing accepted is lost",
  needs: "postgres",
  async run({ isShort, random, problem }) {
    const kills = isShort ? 6 : 60
    await using cluster = await startCluster(SERVERS)
    const { ledger, url } = cluster
    const load = startLoad(ledger, { clients: 8, itemsMax: 40, seed: 1, url })
    for (let kill = 0; kill < kills; kill++) {
      await Bun.sleep(random.below(400))
      await cluster.replace(kill % SERVERS)
    }
    await load.stop()
    for (const text of await cluster.problems()) problem(text)
    return `${kills} servers killed and replaced: ${outcomesOf(ledger)}`
  },
}
