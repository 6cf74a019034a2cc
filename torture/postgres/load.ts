import type { Ledger } from "../harness/ledger.ts"
import type { Random } from "../harness/random.ts"

const ITEMS_MAX = 20
// Whoever waits for longer has met a hang.
const HANG_MS = 15_000
const PAUSE_MS = 25

/** Nobody waits for longer, whatever happens: 5 s for the database, and the rest for everything else. */
export const ANSWERS_WITHIN_MS = 7_000

export interface Load {
  /** How long the slowest answer took since the last look, in milliseconds. */
  slowestMs(): number
  /** Resolves when the last client has its answer. */
  stop(): Promise<void>
}

/** Clients that report until they are stopped, whatever they are answered. `problems` gets whatever hung. */
export function startLoad(
  url: string,
  ledger: Ledger,
  { clients = 8, random, problems }: { clients?: number; random: Random; problems: string[] },
): Load {
  let isOver = false
  let slowest = 0

  async function report(): Promise<void> {
    while (!isOver) {
      const began = performance.now()
      const answered = await ledger
        .send(url, 1 + random.below(ITEMS_MAX), AbortSignal.timeout(HANG_MS))
        .catch(() => null)
      const tookMs = performance.now() - began
      if (tookMs >= HANG_MS) problems.push(`a report had no answer after ${HANG_MS / 1_000} s`)
      slowest = Math.max(slowest, tookMs)
      if (answered?.status !== 200) await Bun.sleep(PAUSE_MS)
    }
  }

  const all = Promise.all(Array.from({ length: clients }, report))
  return {
    slowestMs() {
      const found = slowest
      slowest = 0
      return found
    },
    async stop() {
      isOver = true
      await all
    },
  }
}

/** Waits until something is accepted again; how long that took, or null when it took too long. */
export async function acceptedAgain(ledger: Ledger, withinMs: number): Promise<number | null> {
  const [before, began] = [ledger.acceptedCount, performance.now()]
  while (ledger.acceptedCount === before) {
    if (performance.now() - began > withinMs) return null
    await Bun.sleep(5)
  }
  return performance.now() - began
}
