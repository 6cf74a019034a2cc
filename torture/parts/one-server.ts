import { join } from "node:path"
import { furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { databaseProblems, type Outcome, type Part, scratch } from "../harness/part.ts"
import { seeded } from "../harness/random.ts"
import { isAlive, until } from "./hand-over.ts"

const LINES = 20
const ITEMS = 10
const STARTS = 5
// When the one that serves meets its end, after the others were started: before, while and after they look for the lock.
const DELAY_MS_MAX = 800
const ANSWER_MS_MAX = 2_000
const ENDS = ["SIGKILL", "SIGUSR2", "SIGTERM", null] as const

export const oneServer: Part = {
  name: "one-server",
  promise:
    "however many servers are started at once on one data directory, while the one that serves is killed, stopped or hands over: never two serve, and those that are refused say who does",
  async run({ seed, serverRounds }): Promise<Outcome> {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: LINES })
    const ledger = new Ledger(booth)
    const random = seeded(seed)
    await using crowd = crowdOn(booth.data)
    for (let round = 0; round < serverRounds; round++) {
      const end = ENDS[round % ENDS.length] ?? null
      const serving = await crowd.serving()
      const starting = crowd.start(STARTS)
      await Bun.sleep(random.below(DELAY_MS_MAX))
      if (end !== null && serving !== null) process.kill(serving.pid, end)
      await starting
      const url = (await crowd.serving())?.url
      if (url !== undefined) await ledger.send(url, ITEMS).catch(() => undefined)
    }
    await crowd[Symbol.asyncDispose]()
    const problems = [...crowd.problems, ...ledger.problems(booth.data), ...databaseProblems(booth.data)]
    return {
      done: `${serverRounds} rounds of ${STARTS} starts at once, while the one that serves is killed, hands over, is stopped or left alone`,
      figures:
        `${crowd.counts.served} came to serve, one after another, ${crowd.counts.refused} were refused; ` +
        `${ledger.acceptedCount.toLocaleString("en")} items accepted, ${problems.length} problems`,
      problems,
    }
  },
}

/** Servers on one data directory, each on a port of its own. */
function crowdOn(data: string) {
  const servers: Server[] = []
  const problems: string[] = []
  const counts = { served: 0, refused: 0 }

  async function startOne(): Promise<void> {
    try {
      servers.push(await serve(data))
      counts.served++
      await serving()
    } catch (cause) {
      counts.refused++
      const text = cause instanceof Error ? cause.message : String(cause)
      if (!/in use by another server: process \d+ on /.test(text))
        problems.push(`one ended otherwise: ${text.slice(-300)}`)
    }
  }

  /** The one that answers now. One that listens got the directory after all others had let go of it, so two would be found here. */
  async function serving(): Promise<{ readonly url: string; readonly pid: number } | null> {
    const answers = await Promise.all(servers.map(async (server) => ((await answers200(server.url)) ? server : null)))
    const found = answers.filter((server) => server !== null)
    if (found.length > 1) problems.push(`${found.length} serve at once`)
    return found[0] === undefined ? null : { url: found[0].url, pid: pidsOf(found[0]).at(-1) ?? 0 }
  }

  return {
    problems,
    counts,
    serving,
    start: (count: number) => Promise.all(Array.from({ length: count }, startOne)),
    async [Symbol.asyncDispose]() {
      // One that is handing over still starts its successor.
      const told = new Set<number>()
      await until(() => {
        const left = servers.flatMap(pidsOf).filter(isAlive)
        for (const pid of left) if (!told.has(pid)) process.kill(pid, "SIGTERM")
        for (const pid of left) told.add(pid)
        return left.length === 0
      })
    },
  }
}

/** The process that was started, and those that took over from it. */
function pidsOf(server: Server): number[] {
  const successors = [...server.log().matchAll(/"took over","pid":(\d+)/g)].map(([, pid]) => Number(pid))
  return [server.pid, ...successors]
}

async function answers200(url: string): Promise<boolean> {
  const how = { signal: AbortSignal.timeout(ANSWER_MS_MAX), headers: { Connection: "close" }, keepalive: false }
  return fetch(`${url}/readyz`, how).then(
    ({ status }) => status === 200,
    () => false,
  )
}
