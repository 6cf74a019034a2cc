import { renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { BINARY } from "../../test/binary.ts"
import { furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { databaseProblems, type Outcome, type Part, type Skipped, scratch } from "../harness/part.ts"

const LINES = 100
const REPORTERS = 6
const ITEMS = 20
// These open a connection for each request.
const CALLERS = 4
const WAIT_MS_MAX = 2_000
const PAUSE_MS = 200
const PATIENCE_MS = 60_000

export const handOver: Part = {
  name: "hand-over",
  promise:
    "a new program file takes over under load: nobody waits two seconds, hardly a request fails, nothing accepted is lost; a file that does not start changes nothing",
  async run({ handOvers, judgeTiming }): Promise<Outcome | Skipped> {
    if (process.platform !== "linux") return { skipped: "Ports are handed over on Linux only." }
    using folder = scratch()
    const program = join(folder.path, "adbooth")
    symlinkSync(BINARY, program)
    const booth = await furnish(join(folder.path, "data"), { lines: LINES })
    const ledger = new Ledger(booth)
    await using server = await serve(booth.data, { program })
    using successors = successorsOf(server)
    const load = startLoad(server, ledger)
    for (let i = 0; i < handOvers; i++) {
      await Bun.sleep(PAUSE_MS)
      await successors.next()
    }
    const stillServing = await tryBrokenFile(program, server, successors)
    const { longestMs, requests, failures } = await load.stop()
    await successors.end()
    const problems = [...stillServing, ...ledger.problems(booth.data), ...databaseProblems(booth.data)]
    // A connection that is opened in the very moment in which the old process closes its port may be cut off.
    if (failures.length > handOvers) problems.push(...failures)
    if (judgeTiming === 1 && longestMs >= WAIT_MS_MAX) problems.push(`somebody waited ${Math.round(longestMs)} ms`)
    return {
      done: `${handOvers} hand-overs under load of ${REPORTERS} clients that report and ${CALLERS} that connect anew for each request; one to a file that does not start`,
      figures:
        `longest wait ${Math.round(longestMs)} ms, ${failures.length} of ${requests.toLocaleString("en")} requests failed; ` +
        `${ledger.acceptedCount.toLocaleString("en")} items accepted, ${problems.length} problems`,
      problems,
    }
  },
}

interface Successors extends Disposable {
  /** The process that serves now. */
  readonly pid: number
  /** Asks for a hand-over and waits for it. */
  next(): Promise<void>
  end(): Promise<void>
}

/** Each process is started by the one before it, and ends without anybody's help only when there is a next one. */
function successorsOf(server: Server): Successors {
  let current = server.pid
  let count = 0
  return {
    get pid() {
      return current
    },
    async next() {
      process.kill(current, "SIGUSR2")
      const taken = () => [...server.log().matchAll(/"took over","pid":(\d+)/g)]
      await until(() => taken().length > count)
      count++
      current = Number(taken().at(-1)?.[1])
    },
    async end() {
      process.kill(current, "SIGTERM")
      await until(() => !isAlive(current))
    },
    [Symbol.dispose]() {
      if (isAlive(current)) process.kill(current, "SIGKILL")
    },
  }
}

/** A file that ends at once takes nothing over. */
async function tryBrokenFile(program: string, server: Server, { pid }: Successors): Promise<string[]> {
  const broken = `${program}-broken`
  writeFileSync(broken, "#!/bin/sh\nexit 3\n", { mode: 0o755 })
  renameSync(broken, program)
  process.kill(pid, "SIGUSR2")
  await until(() => server.log().includes("did not take over"))
  const { ok } = await fetch(`${server.url}/readyz`)
  return ok && isAlive(pid) ? [] : ["after a successor that failed, it does not serve any more"]
}

function startLoad({ url }: Server, ledger: Ledger) {
  const stopping = new AbortController()
  const failures: string[] = []
  let longestMs = 0
  let requests = 0
  async function repeat(what: string, request: () => Promise<Response>): Promise<void> {
    while (!stopping.signal.aborted) {
      const started = performance.now()
      requests++
      const failure = await request().then(
        ({ status }) => (status === 200 ? null : String(status)),
        (cause: Error) => `${cause.name}: ${cause.message}`,
      )
      if (failure !== null) failures.push(`${what}: ${failure}`)
      longestMs = Math.max(longestMs, performance.now() - started)
    }
  }
  const callers = Array.from({ length: CALLERS }, () =>
    repeat("a new connection", async () => {
      await Bun.sleep(2)
      const response = await fetch(`${url}/readyz`, { headers: { Connection: "close" }, keepalive: false })
      await response.text()
      return response
    }),
  )
  const reporters = Array.from({ length: REPORTERS }, () => repeat("a report", () => ledger.send(url, ITEMS)))
  return {
    async stop() {
      stopping.abort()
      await Promise.all([...callers, ...reporters])
      return { longestMs, requests, failures }
    },
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error("what was waited for did not come")
    await Bun.sleep(10)
  }
}
