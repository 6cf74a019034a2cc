import { cpSync } from "node:fs"
import { join } from "node:path"
import { type Booth, furnish, type Server, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"
import { type Random, seeded } from "../harness/random.ts"

const CLIENTS = 8
const LINES = 100
const ITEMS_MAX = 60
const LIFE_MS_MAX = 120
// A frozen copy is taken in every so many rounds.
const COPY_EVERY = 5

export const kill: Part = {
  name: "kill",
  promise: "what was answered accepted survives SIGKILL, whole, with a sound file; so does a copy taken mid-write",
  async run({ killRounds, seed }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: LINES })
    const random = seeded(seed)
    const ledger = new Ledger(booth)
    const problems: string[] = []
    let copies = 0
    for (let round = 0; round < killRounds; round++) {
      const copy = round % COPY_EVERY === 0 ? join(folder.path, `copy-${copies++}`) : null
      const lost = await liveAndDie(booth, ledger, random, copy)
      if (copy !== null) problems.push(...found(`copy in round ${round}`, [...lost, ...databaseProblems(copy)]))
      problems.push(...found(`round ${round}`, [...ledger.problems(booth.data), ...databaseProblems(booth.data)]))
      ledger.forget()
    }
    return {
      done: `${killRounds} rounds under load of ${CLIENTS} clients, killed within ${LIFE_MS_MAX} ms; ${copies} copies taken mid-write`,
      figures: `${ledger.acceptedCount.toLocaleString("en")} items answered accepted, ${problems.length} problems`,
      problems,
    }
  },
}

function found(where: string, problems: readonly string[]): string[] {
  return problems.map((problem) => `${where}: ${problem}`)
}

/** One life of a server: loaded from its first moment, copied in the middle if asked, and killed at some moment. What the copy lost. */
async function liveAndDie(booth: Booth, ledger: Ledger, random: Random, copy: string | null): Promise<string[]> {
  await using server = await serve(booth.data)
  const dead = new AbortController()
  const clients = Array.from({ length: CLIENTS }, () => reportUntil(dead.signal, server, ledger, random))
  await Bun.sleep(random.next() * LIFE_MS_MAX)
  const lost = copy === null ? [] : copyFrozen(server, booth, ledger, copy)
  await Bun.sleep(random.next() * 20)
  await server.end("SIGKILL")
  dead.abort()
  await Promise.all(clients)
  return lost
}

async function reportUntil(signal: AbortSignal, server: Server, ledger: Ledger, random: Random): Promise<void> {
  while (!signal.aborted) {
    try {
      await ledger.send(server.url, 1 + random.below(ITEMS_MAX))
    } catch {
      // The server is gone: whether this batch was kept is what the check tells.
      return
    }
  }
}

/** A copy as an atomic snapshot would take it: the process stands still, whatever it was writing. */
function copyFrozen(server: Server, booth: Booth, ledger: Ledger, copy: string): string[] {
  server.signal("SIGSTOP")
  // Everything that was answered by now has to be in the copy.
  cpSync(booth.data, copy, { recursive: true })
  const lost = ledger.problems(copy)
  server.signal("SIGCONT")
  return lost
}
