import type { Access, Transaction } from "./transaction.ts"

/** Small things that are collected in memory, such as when a key was last used, and written together later. */
export interface Notes {
  waiting(): boolean
  /** Writes everything that waits. It may be called again before `written`: what it wrote before was undone then. */
  write(transaction: Transaction): Promise<void>
  /** Called after the commit: what the last `write` wrote may be dropped from memory, but nothing that was noted since. */
  written(): void
}

/** Notes that are written by `flush` alone, until there is a queue of writes that takes them along. */
export function simpleNotes({ recordFigures }: Pick<Access, "recordFigures">) {
  const all: Notes[] = []
  let last: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    const waiting = all.filter((notes) => notes.waiting())
    if (waiting.length === 0) return
    await recordFigures(async (transaction) => {
      for (const notes of waiting) await notes.write(transaction)
    })
    for (const notes of waiting) notes.written()
  }

  return {
    alongside: (notes: Notes): void => void all.push(notes),
    /** One at a time: two would write the same notes. */
    flush(): Promise<void> {
      const next = last.then(write, write)
      last = next
      return next
    },
  }
}
