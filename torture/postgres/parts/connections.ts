import { SQL } from "bun"
import { adbooth } from "../../../test/binary.ts"
import { seeded } from "../../harness/random.ts"
import { bookProblems } from "../books.ts"
import { postgresPart, startCluster } from "../cluster.ts"
import { ANSWERS_WITHIN_MS, acceptedAgain, startLoad } from "../load.ts"
import { seconds } from "./database-kill.ts"
import { verdictsOf } from "./replica-kill.ts"

const CONNECTIONS = 40
const HELD_MS = 8_000

export const connections = postgresPart(
  "connections",
  "with no connection left: a sentence at the command line, internal_error or 503 within 7 s, recovery without a restart",
  async ({ seed, judgeTiming }) => {
    await using cluster = await startCluster({
      settings: [`max_connections=${CONNECTIONS}`, "superuser_reserved_connections=0"],
    })
    const { ledger, proxy, database, booth, env, replicas } = cluster
    const problems: string[] = []
    const load = startLoad(proxy.url, ledger, { random: seeded(seed), problems })
    await acceptedAgain(ledger, 5_000)

    const greedy = await holdEverything(database.url)
    load.slowestMs()
    const began = performance.now()
    const command = await adbooth(["line", "list", "--data", booth.data], { env })
    if (command.code !== 1 || !command.err.includes("no connection left"))
      problems.push(`a command ended with ${command.code}: ${command.err}`)
    const [ready] = await Promise.all(replicas.slice(0, 1).map(({ url }) => fetch(`${url}/readyz`)))
    if (ready?.status !== 503) problems.push(`/readyz answered ${ready?.status}`)
    await Bun.sleep(Math.max(0, HELD_MS - (performance.now() - began)))
    const slowest = load.slowestMs()
    await greedy.release()
    const waited = await acceptedAgain(ledger, 15_000)
    if (waited === null) problems.push("nothing was accepted for 15 s after there were connections again")
    await load.stop()
    if (judgeTiming === 1 && slowest > ANSWERS_WITHIN_MS) problems.push(`an answer took ${seconds(slowest)}`)
    if (ledger.verdicts.has("500")) problems.push("reports were answered 500")
    problems.push(...(await bookProblems(cluster, database.url)))
    return {
      done: `max_connections=${CONNECTIONS}; the connections of all replicas ended and every one held by others for ${HELD_MS / 1_000} s, under load of 8 clients`,
      figures: `a command: "${command.err.trim()}"; slowest answer ${seconds(slowest)}, accepted again ${seconds(waited ?? 0)} after; ${ledger.acceptedCount.toLocaleString("en")} items accepted and there, ${verdictsOf(ledger.verdicts)}`,
      problems,
    }
  },
)

/** Ends the connections of everybody else, and takes each that becomes free, until none is. */
async function holdEverything(url: string): Promise<{ release(): Promise<void> }> {
  const owner = new SQL(url, { max: 1 })
  await owner`SELECT 1`
  const held: SQL[] = [owner]
  const hold = async () => {
    const client = new SQL(url, { max: 1 })
    try {
      await client`SELECT 1`
      held.push(client)
    } catch {
      await client.close({ timeout: 0 }).catch(() => undefined)
    }
  }
  const end = performance.now() + 5_000
  while (held.length < CONNECTIONS && performance.now() < end) {
    await owner`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'adbooth' AND pid <> pg_backend_pid()`
    await Promise.all(Array.from({ length: CONNECTIONS - held.length }, hold))
  }
  return { release: async () => void (await Promise.all(held.map((client) => client.close({ timeout: 0 })))) }
}
