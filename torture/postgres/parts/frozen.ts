import { seeded } from "../../harness/random.ts"
import { bookProblems } from "../books.ts"
import { type Cluster, postgresPart, startCluster } from "../cluster.ts"
import { ANSWERS_WITHIN_MS, acceptedAgain, startLoad } from "../load.ts"
import { seconds } from "./database-kill.ts"
import { verdictsOf } from "./replica-kill.ts"

const HEALTH_WITHIN_MS = 500

export const frozen = postgresPart(
  "frozen",
  "a PostgreSQL that does not answer: internal_error, 503 and SERVICE_UNAVAILABLE within 7 s, /healthz at once, recovery by itself",
  async ({ frozenSeconds, seed, judgeTiming }) => {
    await using cluster = await startCluster()
    const { ledger, proxy, database } = cluster
    const problems: string[] = []
    const load = startLoad(proxy.url, ledger, { random: seeded(seed), problems })
    await acceptedAgain(ledger, 5_000)
    const meanwhile = watch(cluster, problems)
    database.freeze()
    try {
      await meanwhile.during(frozenSeconds * 1_000)
    } finally {
      database.thaw()
    }
    const waited = await acceptedAgain(ledger, 15_000)
    if (waited === null) problems.push("nothing was accepted for 15 s after PostgreSQL went on")
    await load.stop()
    const slowest = Math.max(load.slowestMs(), meanwhile.slowestMs())
    if (judgeTiming === 1 && slowest > ANSWERS_WITHIN_MS) problems.push(`an answer took ${seconds(slowest)}`)
    if (judgeTiming === 1 && meanwhile.slowestHealthMs() > HEALTH_WITHIN_MS)
      problems.push(`/healthz took ${Math.round(meanwhile.slowestHealthMs())} ms`)
    for (const wrong of ["500", "502"]) if (ledger.verdicts.has(wrong)) problems.push(`reports were answered ${wrong}`)
    problems.push(...(await bookProblems(cluster, database.url)))
    return {
      done: `every process of PostgreSQL stopped (SIGSTOP) for ${frozenSeconds} s under load of 8 clients`,
      figures: `slowest answer ${seconds(slowest)}, slowest /healthz ${Math.round(meanwhile.slowestHealthMs())} ms, accepted again ${seconds(waited ?? 0)} after it went on; ${ledger.acceptedCount.toLocaleString("en")} items accepted and there, ${verdictsOf(ledger.verdicts)}`,
      problems,
    }
  },
)

/** Asks every replica, again and again, for what has to be answered without a database. */
function watch({ replicas, booth }: Cluster, problems: string[]) {
  let [slowest, slowestHealth] = [0, 0]

  async function timed(ask: () => Promise<Response>): Promise<{ status: number; text: string; ms: number }> {
    const began = performance.now()
    const response = await ask()
    const text = await response.text()
    return { status: response.status, text, ms: performance.now() - began }
  }

  async function health(url: string, until: number): Promise<void> {
    while (performance.now() < until) {
      const { status, ms } = await timed(() => fetch(`${url}/healthz`))
      if (status !== 200) problems.push(`/healthz answered ${status}`)
      slowestHealth = Math.max(slowestHealth, ms)
      await Bun.sleep(50)
    }
  }

  async function others(url: string): Promise<void> {
    const signal = AbortSignal.timeout(20_000)
    const asked = [
      timed(() => fetch(`${url}/readyz`, { signal })),
      timed(() => callAgent(url, booth.agentKey, signal)),
      timed(() => fetch(`${url}/app`, { headers: { Cookie: "adbooth_session=x" }, redirect: "manual", signal })),
    ]
    const [ready, agent, page] = await Promise.all(asked)
    slowest = Math.max(slowest, ready?.ms ?? 0, agent?.ms ?? 0, page?.ms ?? 0)
    if (ready?.status !== 503) problems.push(`/readyz answered ${ready?.status}`)
    if (agent?.text.includes("SERVICE_UNAVAILABLE") !== true)
      problems.push(`the agent answered ${agent?.status} ${agent?.text.slice(0, 200)}`)
    if (page !== undefined && page.status !== 503 && page.status !== 303)
      problems.push(`a page answered ${page.status}`)
  }

  return {
    slowestMs: () => slowest,
    slowestHealthMs: () => slowestHealth,
    async during(ms: number) {
      const until = performance.now() + ms
      // What is asked last has to be answered before the database goes on.
      await Promise.all(replicas.flatMap(({ url }) => [health(url, until), others(url)]))
    },
  }
}

/** One call of a tool with a key. */
export function callAgent(url: string, key: string, signal?: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_products", arguments: {} },
    }),
    signal: signal ?? null,
  })
}
