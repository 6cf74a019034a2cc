import { seeded } from "../../harness/random.ts"
import { bookProblems } from "../books.ts"
import { postgresPart, startCluster } from "../cluster.ts"
import { acceptedAgain, startLoad } from "../load.ts"

const LIFE_MS_MAX = 500
// Every so many rounds all of them die at once.
const ALL_EVERY = 10

export const replicaKill = postgresPart(
  "replica-kill",
  "what was answered accepted survives SIGKILL of any replica at any moment; the others go on",
  async ({ rounds, seed }) => {
    await using cluster = await startCluster()
    const { ledger, replicas, proxy, database } = cluster
    const random = seeded(seed)
    const problems: string[] = []
    const load = startLoad(proxy.url, ledger, { random, problems })
    for (let round = 0; round < rounds; round++) {
      await Bun.sleep(random.next() * LIFE_MS_MAX)
      const victims = round % ALL_EVERY === ALL_EVERY - 1 ? replicas : [random.pick(replicas)]
      await Promise.all(victims.map((victim) => victim.kill()))
      const restarted = Promise.all(victims.map((victim) => victim.start()))
      if ((await acceptedAgain(ledger, 10_000)) === null) problems.push(`round ${round}: nothing was accepted for 10 s`)
      await restarted
    }
    await load.stop()
    problems.push(...(await bookProblems(cluster, database.url)))
    return {
      done: `${rounds} rounds under load of 8 clients: one of three replicas killed within ${LIFE_MS_MAX} ms and started again, every ${ALL_EVERY}th time all three`,
      figures: `${ledger.acceptedCount.toLocaleString("en")} items answered accepted and there; ${verdictsOf(ledger.verdicts)}`,
      problems,
    }
  },
)

/** What else was answered, in words. */
export function verdictsOf(verdicts: ReadonlyMap<string, number>): string {
  const others = [...verdicts].filter(([verdict]) => verdict !== "accepted")
  return others.map(([verdict, count]) => `${count.toLocaleString("en")} items ${verdict}`).join(", ") || "no refusals"
}
