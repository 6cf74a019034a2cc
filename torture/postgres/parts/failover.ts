import { crashingServer } from "../../../test/storage/postgres/crashing-server.ts"
import { follow, promote } from "../../../test/storage/postgres/standby.ts"
import { seeded } from "../../harness/random.ts"
import { bookProblems } from "../books.ts"
import { postgresPart, startCluster } from "../cluster.ts"
import { ANSWERS_WITHIN_MS, acceptedAgain, startLoad } from "../load.ts"
import { seconds } from "./database-kill.ts"
import { verdictsOf } from "./replica-kill.ts"

const LIFE_MS_MAX = 500

export const failover = postgresPart(
  "failover",
  "what was answered accepted survives the loss of the primary when commits wait for a standby; replicas find the promoted one by themselves",
  async ({ failovers, seed, judgeTiming }) => {
    await using opened = new AsyncDisposableStack()
    const second = opened.use(await crashingServer({ durable: true }))
    await second.crash()
    const cluster = opened.use(
      await startCluster({
        urlOf: (_, { url, port }) => url.replace(`:${port}/`, `:${port},127.0.0.1:${second.port}/`),
      }),
    )
    const { ledger, proxy } = cluster
    const problems: string[] = []
    const waits: number[] = []
    let [primary, standby] = [cluster.database, second]
    const load = startLoad(proxy.url, ledger, { random: seeded(seed), problems })
    const random = seeded(seed + 1)
    for (let round = 0; round < failovers; round++) {
      await follow(standby, primary)
      await acceptedAgain(ledger, 10_000)
      await Bun.sleep(random.next() * LIFE_MS_MAX)
      await primary.crash()
      const began = performance.now()
      await promote(standby)
      if ((await acceptedAgain(ledger, 20_000)) === null)
        problems.push(`failover ${round}: nothing was accepted for 20 s after the standby was promoted`)
      else waits.push(performance.now() - began)
      ;[primary, standby] = [standby, primary]
    }
    await load.stop()
    const slowest = load.slowestMs()
    if (judgeTiming === 1 && slowest > ANSWERS_WITHIN_MS) problems.push(`an answer took ${seconds(slowest)}`)
    if (ledger.verdicts.has("500")) problems.push("reports were answered 500")
    problems.push(...(await bookProblems(cluster, primary.url)))
    return {
      done: `${failovers} times under load of 8 clients: the primary stopped at once, its synchronous standby promoted, the old primary made the next standby; both hosts in the URL`,
      figures: `${ledger.acceptedCount.toLocaleString("en")} items answered accepted and there; accepted again at most ${seconds(Math.max(0, ...waits))} after the loss, slowest answer ${seconds(slowest)}, no restart; ${verdictsOf(ledger.verdicts)}`,
      problems,
    }
  },
)
