import { randomNumbers } from "../../test/harness/data/random.ts"
import type { Ledger } from "./ledger.ts"

// Longer than anything takes that works at all, because a busy machine is no broken promise.
const AGAIN_MS_MAX = 30_000

export interface LoadOptions {
  readonly clients: number
  readonly itemsMax: number
  readonly seed: number
  /** The server to send to next. */
  readonly url: () => string
}

export interface RunningLoad {
  /** The slowest answer, or the longest wait for one that never came. */
  readonly slowestMs: () => number
  stop(): Promise<void>
}

/** Reports without a pause until it's stopped, also while nobody answers. */
export function startLoad(ledger: Ledger, { clients, itemsMax, seed, url }: LoadOptions): RunningLoad {
  const random = randomNumbers(seed)
  let isStopping = false
  let slowest = 0

  async function client(): Promise<void> {
    while (!isStopping) {
      const began = performance.now()
      const answered = await ledger.send(url(), 1 + random.below(itemsMax)).catch(() => null)
      slowest = Math.max(slowest, performance.now() - began)
      // A server that is away refuses at once.
      if (answered === null) await Bun.sleep(20)
    }
  }

  const running = Array.from({ length: clients }, client)
  return {
    slowestMs: () => slowest,
    async stop() {
      isStopping = true
      await Promise.all(running)
    },
  }
}

/** Asks again and again until it's stopped, and keeps the slowest answer. A failure counts as its time. */
export function startProbe(
  url: string,
  isFine: (status: number) => boolean = (status) => status === 200,
  headers: Readonly<Record<string, string>> = {},
) {
  const wrong = new Set<number>()
  let isStopping = false
  let slowest = 0

  async function probe(): Promise<void> {
    while (!isStopping) {
      const began = performance.now()
      const status = await fetch(url, { headers, redirect: "manual" }).then(
        async (response) => {
          await response.text()
          return response.status
        },
        () => 0,
      )
      slowest = Math.max(slowest, performance.now() - began)
      if (!isFine(status)) wrong.add(status)
      await Bun.sleep(20)
    }
  }

  const running = probe()
  return {
    async stop() {
      isStopping = true
      await running
      return { slowestMs: slowest, wrong: [...wrong] }
    },
  }
}

/** Sends single items until one is accepted. Returns how long that took, or null if none was. */
export async function acceptedAgain(ledger: Ledger, url: string): Promise<number | null> {
  const began = performance.now()
  while (performance.now() - began < AGAIN_MS_MAX) {
    const accepted = await ledger.send(url, 1, 10_000).catch(() => 0)
    if (accepted === 1) return performance.now() - began
    await Bun.sleep(50)
  }
  return null
}
