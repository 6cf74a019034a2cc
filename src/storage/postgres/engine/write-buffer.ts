import { outsideRequests } from "./request-time.ts"
import type { Access, Transaction } from "./transaction.ts"

/** Small writes that are collected in memory, such as when a key was last used, and go along with whatever is written next. */
export interface BufferedWrites {
  waiting(): boolean
  /** Called before a flush, for writes that ride along with nothing else: what was noted until now is waiting from then on. */
  collect?(): void
  /** Writes everything that waits. It may be called again before `written`: what it wrote before was undone then. */
  write(transaction: Transaction): Promise<void>
  /** Called after the commit: what the last `write` wrote may be dropped from memory, but nothing that came since. */
  written(): void
}

export interface WriteBuffer {
  alongside(writes: BufferedWrites): void
  /** What a transaction should carry along; null when nothing waits, or another transaction is carrying them already. */
  carry(): Carried | null
  flush(): Promise<void>
}

/** Buffered writes on their way. Exactly one of `committed` and `failed` has to be called. */
export interface Carried {
  write(transaction: Transaction): Promise<void>
  committed(): void
  failed(): void
}

export function writeBuffer({ recordFigures }: Pick<Access, "recordFigures">): WriteBuffer {
  const all: BufferedWrites[] = []
  // One transaction at a time: two would write the same.
  let underWay: PromiseWithResolvers<void> | null = null
  // What fails goes alone from then on, so that it does not cost others their shared transaction again and again.
  let goesAlone = false

  const isWaiting = () => all.some((writes) => writes.waiting())

  function begin(): Carried {
    const own = Promise.withResolvers<void>()
    let carried: BufferedWrites[] = []
    underWay = own
    const end = (hasFailed: boolean) => {
      goesAlone = hasFailed
      underWay = null
      own.resolve()
    }
    return {
      async write(transaction) {
        carried = all.filter((writes) => writes.waiting())
        for (const writes of carried) await writes.write(transaction)
      },
      committed() {
        for (const writes of carried) writes.written()
        end(false)
      },
      failed: () => end(true),
    }
  }

  return {
    alongside: (writes) => void all.push(writes),
    carry: () => (underWay === null && !goesAlone && isWaiting() ? begin() : null),
    async flush() {
      for (const writes of all) writes.collect?.()
      while (underWay !== null) await underWay.promise
      if (!isWaiting()) return
      const carried = begin()
      try {
        await outsideRequests(() => recordFigures((transaction) => carried.write(transaction)))
      } catch (cause) {
        carried.failed()
        throw cause
      }
      carried.committed()
    },
  }
}
