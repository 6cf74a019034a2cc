import { Database } from "bun:sqlite"
import { join } from "node:path"
import { furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"

const BATCH = 20
const CLIENTS = 4
const PATIENCE_MS = 5_000
const HELD_MS_MAX = 60_000

export const locked: Part = {
  name: "locked",
  promise: "writes wait 5 s for another process, then answer internal_error and store nothing; reads and probes go on",
  async run({ lockSeconds, judgeTiming }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 100 })
    const ledger = new Ledger(booth)
    const problems: string[] = []
    await using server = await serve(booth.data)
    await ledger.send(server.url, BATCH)

    // A busy machine may take the first report late: it is held until one was refused.
    const held = hold(booth.data, lockSeconds, () => ledger.verdicts.has("internal_error"))
    const probes = probeUntil(held, server)
    const waits = await Promise.all(Array.from({ length: CLIENTS }, () => reportUntil(held, ledger, server)))
    const slowestProbe = await probes
    const slowest = Math.max(...waits)
    if (!ledger.verdicts.has("internal_error")) problems.push("nothing was refused while the database was locked")
    if (judgeTiming === 1 && slowest > PATIENCE_MS + 1_500) problems.push(`a write waited ${Math.round(slowest)} ms`)
    if (judgeTiming === 1 && slowestProbe > 500) problems.push(`a probe took ${Math.round(slowestProbe)} ms`)
    const before = ledger.acceptedCount
    await ledger.send(server.url, BATCH)
    if (ledger.acceptedCount !== before + BATCH) problems.push("it did not go on when the lock was gone")
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...ledger.problems(booth.data), ...databaseProblems(booth.data))
    const refused = ledger.verdicts.get("internal_error") ?? 0
    return {
      done: `the write lock held for ${lockSeconds} s by another connection, under ${CLIENTS} clients`,
      figures: `${refused} items internal_error and not there, slowest answer ${Math.round(slowest)} ms, slowest probe ${Math.round(slowestProbe)} ms, accepted again at once`,
      problems,
    }
  },
}

/** Holds the write lock as another program would, for so long at least and until it is enough. */
function hold(data: string, seconds: number, isEnough: () => boolean): { readonly isHeld: () => boolean } {
  const database = new Database(join(data, "adbooth.db"))
  database.run("PRAGMA busy_timeout = 5000")
  database.run("BEGIN IMMEDIATE")
  let isHeld = true
  const began = performance.now()
  const waiting = setInterval(() => {
    const heldMs = performance.now() - began
    if (heldMs < seconds * 1_000 || !(isEnough() || heldMs > HELD_MS_MAX)) return
    clearInterval(waiting)
    database.run("ROLLBACK")
    database.close()
    isHeld = false
  }, 50)
  return { isHeld: () => isHeld }
}

async function reportUntil(held: { isHeld(): boolean }, ledger: Ledger, server: Server): Promise<number> {
  let slowest = 0
  while (held.isHeld()) {
    const began = performance.now()
    await ledger.send(server.url, BATCH)
    slowest = Math.max(slowest, performance.now() - began)
  }
  return slowest
}

async function probeUntil(held: { isHeld(): boolean }, server: Server): Promise<number> {
  let slowest = 0
  while (held.isHeld()) {
    const began = performance.now()
    await (await fetch(`${server.url}/readyz`)).text()
    slowest = Math.max(slowest, performance.now() - began)
    await Bun.sleep(50)
  }
  return slowest
}
