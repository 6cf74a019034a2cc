import type { Access, Transaction } from "./transaction.ts"

/** Small things that are collected in memory, such as when a key was last used, and written along with whatever comes next. */
export interface Notes {
  waiting(): boolean
  /** Writes everything that waits. It may be called again before `written`: what it wrote before was undone then. */
  write(transaction: Transaction): Promise<void>
  /** Called after the commit: what the last `write` wrote may be dropped from memory, but nothing that was noted since. */
  written(): void
}

export interface NoteBook {
  alongside(notes: Notes): void
  /** What a transaction should carry along; null when nothing waits, or another transaction is carrying notes already. */
  carry(): Carried | null
  flush(): Promise<void>
}

/** Notes on their way. Exactly one of `committed` and `failed` has to be called. */
export interface Carried {
  write(transaction: Transaction): Promise<void>
  committed(): void
  failed(): void
}

export function noteBook({ recordFigures }: Pick<Access, "recordFigures">): NoteBook {
  const all: Notes[] = []
  // One transaction at a time: two would write the same notes.
  let underWay: PromiseWithResolvers<void> | null = null
  // What fails goes alone from then on, so that it does not cost others their shared transaction again and again.
  let goesAlone = false

  const isWaiting = () => all.some((notes) => notes.waiting())

  function begin(): Carried {
    const own = Promise.withResolvers<void>()
    let carried: Notes[] = []
    underWay = own
    const end = (hasFailed: boolean) => {
      goesAlone = hasFailed
      underWay = null
      own.resolve()
    }
    return {
      async write(transaction) {
        carried = all.filter((notes) => notes.waiting())
        for (const notes of carried) await notes.write(transaction)
      },
      committed() {
        for (const notes of carried) notes.written()
        end(false)
      },
      failed: () => end(true),
    }
  }

  return {
    alongside: (notes) => void all.push(notes),
    carry: () => (underWay === null && !goesAlone && isWaiting() ? begin() : null),
    async flush() {
      while (underWay !== null) await underWay.promise
      if (!isWaiting()) return
      const carried = begin()
      try {
        await recordFigures((transaction) => carried.write(transaction))
      } catch (cause) {
        carried.failed()
        throw cause
      }
      carried.committed()
    },
  }
}
