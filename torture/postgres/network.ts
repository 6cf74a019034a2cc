import { openLink } from "../../test/harness/link.ts"
import { outcomesOf } from "../harness/ledger.ts"
import { acceptedAgain, startLoad } from "../harness/load.ts"
import { type Part, rounded } from "../harness/part.ts"
import { startCluster } from "./cluster.ts"

// Five seconds for the database, and what a busy machine adds.
const ANSWER_MS_MAX = 7_000
const ROUND_TRIP_MS = 1

export const network: Part = {
  name: "postgres-network",
  promise:
    "the network to PostgreSQL can be cut in the middle of commits: nothing accepted is lost, nothing is stored in part",
  needs: "postgres",
  async run({ isShort, random, problem, late }) {
    const cuts = isShort ? 6 : 40
    await using stack = new AsyncDisposableStack()
    const links: Awaited<ReturnType<typeof openLink>>[] = []
    async function through(databaseUrl: string): Promise<string> {
      const url = new URL(databaseUrl)
      const link = stack.use(await openLink(Number(url.port), ROUND_TRIP_MS))
      links.push(link)
      url.port = String(link.port)
      return url.href
    }
    const cluster = stack.use(await startCluster(2, { through }))
    const { ledger, url } = cluster
    const load = startLoad(ledger, { clients: 8, itemsMax: 40, seed: 1, url })
    let slowestMs = 0
    for (let cut = 0; cut < cuts; cut++) {
      await Bun.sleep(300 + random.below(500))
      for (const link of links) link.cut()
      // Some cuts are noticed because connections close, and some only because nothing answers.
      await Bun.sleep(cut % 2 === 0 ? random.below(200) : 1_000 + random.below(5_000))
      for (const link of links) link.mend()
      const again = await acceptedAgain(ledger, url())
      if (again === null) problem("nothing was accepted after the network was mended")
      slowestMs = Math.max(slowestMs, again ?? 0)
    }
    await load.stop()
    if (load.slowestMs() > ANSWER_MS_MAX) late(`an answer took ${rounded(load.slowestMs())}`)
    for (const text of await cluster.problems()) problem(text)
    const waits = `slowest answer ${rounded(load.slowestMs())}, accepted again within ${rounded(slowestMs)}`
    return `cut ${cuts} times: ${outcomesOf(ledger)}; ${waits}`
  },
}
