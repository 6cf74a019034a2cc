import { seeded } from "../../harness/random.ts"
import { bookProblems } from "../books.ts"
import { postgresPart, startCluster } from "../cluster.ts"
import { ANSWERS_WITHIN_MS, acceptedAgain, startLoad } from "../load.ts"
import { verdictsOf } from "./replica-kill.ts"

const LIFE_MS_MAX = 300
const RECOVERS_WITHIN_MS = 15_000

export const databaseKill = postgresPart(
  "database-kill",
  "what was answered accepted survives an immediate stop of PostgreSQL at any moment; replicas go on without a restart",
  async ({ rounds, seed, judgeTiming }) => {
    await using cluster = await startCluster()
    const { ledger, replicas, proxy, database } = cluster
    const random = seeded(seed)
    const problems: string[] = []
    const waits: number[] = []
    const load = startLoad(proxy.url, ledger, { random, problems })
    for (let round = 0; round < rounds; round++) {
      await Bun.sleep(random.next() * LIFE_MS_MAX)
      await database.crash()
      await database.start()
      const waited = await acceptedAgain(ledger, RECOVERS_WITHIN_MS)
      if (waited === null) problems.push(`round ${round}: nothing was accepted for 15 s after PostgreSQL was back`)
      else waits.push(waited)
    }
    await load.stop()
    for (const { url } of replicas) {
      const before = ledger.acceptedCount
      await ledger.send(url, 5).catch(() => null)
      if (ledger.acceptedCount !== before + 5) problems.push("a replica accepts nothing any more")
    }
    const slowest = load.slowestMs()
    if (judgeTiming === 1 && slowest > ANSWERS_WITHIN_MS) problems.push(`an answer took ${Math.round(slowest)} ms`)
    if (ledger.verdicts.has("500")) problems.push("reports were answered 500")
    problems.push(...(await bookProblems(cluster, database.url)))
    const [middle, worst] = [waits.toSorted((a, b) => a - b)[waits.length >> 1] ?? 0, Math.max(0, ...waits)]
    return {
      done: `${rounds} rounds under load of 8 clients on three replicas: PostgreSQL (fsync on, on disk) stopped at once within ${LIFE_MS_MAX} ms and started again`,
      figures: `${ledger.acceptedCount.toLocaleString("en")} items answered accepted and there; accepted again ${seconds(middle)} after PostgreSQL was back (worst ${seconds(worst)}), slowest answer ${seconds(slowest)}; ${verdictsOf(ledger.verdicts)}`,
      problems,
    }
  },
)

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
