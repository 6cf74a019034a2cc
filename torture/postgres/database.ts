import { outcomesOf } from "../harness/ledger.ts"
import { acceptedAgain, startLoad, startProbe } from "../harness/load.ts"
import { type Part, rounded } from "../harness/part.ts"
import { startCluster } from "./cluster.ts"

// Five seconds for the database, and what a busy machine adds.
const ANSWER_MS_MAX = 7_000

export const database: Part = {
  name: "postgres-database",
  promise: "PostgreSQL can be killed under load: nothing accepted is lost, and the servers go on by themselves",
  needs: "postgres",
  async run({ isShort, random, problem }) {
    const kills = isShort ? 2 : 20
    await using cluster = await startCluster(2)
    const { ledger, url, postgres } = cluster
    const load = startLoad(ledger, { clients: 8, itemsMax: 40, seed: 1, url })
    let slowestMs = 0
    for (let kill = 0; kill < kills; kill++) {
      await Bun.sleep(500 + random.below(500))
      await postgres.crash()
      const again = await acceptedAgain(ledger, url())
      if (again === null) problem("nothing was accepted after PostgreSQL had started again")
      slowestMs = Math.max(slowestMs, again ?? 0)
    }
    await load.stop()
    for (const text of await cluster.problems()) problem(text)
    return `killed ${kills} times: ${outcomesOf(ledger)}, accepted again within ${rounded(slowestMs)}`
  },
}

export const frozen: Part = {
  name: "postgres-frozen",
  promise: "while PostgreSQL doesn't answer, everything fails within seconds, and then goes on by itself",
  needs: "postgres",
  async run({ isShort, problem, late }) {
    await using cluster = await startCluster(2)
    const { ledger, url, postgres, servers } = cluster
    const load = startLoad(ledger, { clients: 8, itemsMax: 40, seed: 1, url })
    await Bun.sleep(500)
    postgres.signal("SIGSTOP")
    const [server] = servers
    const health = startProbe(`${server?.url}/healthz`)
    const ready = startProbe(`${server?.url}/readyz`, (status) => status === 503)
    const page = startProbe(`${server?.url}/app/sign-in`, (status) => status === 200 || status === 503)
    await Bun.sleep(isShort ? 12_000 : 30_000)
    const [ofHealth, ofReady, ofPage] = await Promise.all([health.stop(), ready.stop(), page.stop()])
    postgres.signal("SIGCONT")
    const again = await acceptedAgain(ledger, url())
    await load.stop()

    if (again === null) problem("nothing was accepted after PostgreSQL went on")
    if (!ledger.outcomes.has("internal_error")) problem("no item was answered internal_error meanwhile")
    if (ofHealth.wrong.length > 0) problem(`/healthz answered ${ofHealth.wrong.join(", ")}`)
    if (ofReady.wrong.length > 0) problem(`/readyz answered ${ofReady.wrong.join(", ")}`)
    if (ofPage.wrong.length > 0)
      problem(`a page answered ${ofPage.wrong.join(", ")}: ${failureIn(server?.log() ?? "")}`)
    const slowestMs = Math.max(load.slowestMs(), ofReady.slowestMs, ofPage.slowestMs)
    if (slowestMs > ANSWER_MS_MAX) late(`an answer took ${rounded(slowestMs)}`)
    for (const text of await cluster.problems()) problem(text)
    const waits = `slowest answer ${rounded(slowestMs)}, slowest /healthz ${rounded(ofHealth.slowestMs)}`
    return `${outcomesOf(ledger)}; ${waits}, accepted again after ${rounded(again ?? 0)}`
  },
}

/** The first request that failed for an unknown reason, as the log has it. */
const failureIn = (log: string): string => log.split("\n").find((line) => line.includes("failed")) ?? ""
