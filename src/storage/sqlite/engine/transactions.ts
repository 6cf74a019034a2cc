// Promise: all the work of a transaction is on disk when it returns, or none of it is kept, in the caches neither.
// Held by test/storage/sqlite/engine/write-queue.test.ts and test/storage/sqlite/engine/failing-writes.test.ts.
import type { Database } from "bun:sqlite"
import type { WriteBehind } from "../../steps/behind/write-behind.ts"
import { type Caches, tableCaches } from "../cache/caches.ts"
import { counterIn, RESTORE_COUNT } from "./counters.ts"
import { isDiskError } from "./sqlite-errors.ts"

export interface Work {
  readonly work: () => unknown
  readonly dropsCaches: boolean
  /** Whether it only adds to the gathered rows. */
  readonly gathers: boolean
  /** The revision of the caches without which it is not done, but judged again; null for work that looks at the tables itself. */
  readonly judgedAt: number | null
  outcome: unknown
}

/** Rows that the jobs of a transaction write together: a statement for many rows takes half the time of one for each. */
export interface Gathered {
  write(): void
  forget(): void
}

export interface TransactionParts {
  readonly caches?: Caches
  /** Ends the read transaction of this tick: a write must see the newest state. */
  readonly endReads?: () => void
}

export type Transactions = ReturnType<typeof transactions>

export function transactions(
  database: Database,
  behind: readonly Pick<WriteBehind<never>, "isDue" | "write" | "written">[],
  gathered: readonly Gathered[],
  parts: TransactionParts,
) {
  const { caches = tableCaches(database), endReads = () => undefined } = parts
  const begin = database.query("BEGIN IMMEDIATE")
  const commit = database.query("COMMIT")
  const rollback = database.query("ROLLBACK")
  const isRestored = restoresElsewhere(database, caches)
  let failing = false

  function perform(jobs: readonly Work[]): void {
    caches.refresh()
    // Noted with the jobs: if this transaction fails, each of them is tried again.
    if (isRestored()) for (const job of jobs) job.outcome = RESTORED_MEANWHILE
    for (const job of jobs) {
      if (!job.gathers) writeAll(gathered)
      job.outcome = outcomeOf(job, caches)
      // Now, not after the commit: the next job of this transaction must not use what this one has changed.
      if (job.dropsCaches) caches.changed()
    }
    writeAll(gathered)
    for (const rows of behind) if (rows.isDue()) rows.write()
    commit.run()
  }

  function run(jobs: readonly Work[]): void {
    endReads()
    begin.run()
    try {
      perform(jobs)
    } catch (cause) {
      caches.rolledBack()
      for (const rows of gathered) rows.forget()
      // On a full disk SQLite rolls back by itself, and a second ROLLBACK would hide the cause.
      if (database.inTransaction) rollback.run()
      throw cause
    }
    for (const rows of behind) rows.written()
  }

  return {
    /** Does all the work in one transaction. Once it returns, the work is on disk; if it throws, none of it is committed. */
    run(jobs: readonly Work[]): void {
      try {
        run(jobs)
        failing = false
      } catch (cause) {
        failing ||= isDiskError(cause)
        throw cause
      }
    },
    /** Whether the last transaction failed for a reason that is likely to last, such as a full or read-only disk. */
    isFailing: () => failing,
  }
}

function outcomeOf({ judgedAt, work, outcome }: Work, caches: Caches): unknown {
  if (judgedAt !== null) return judgedAt === caches.revision() ? work() : null
  return outcome === RESTORED_MEANWHILE ? outcome : work()
}

function writeAll(gathered: readonly Gathered[]): void {
  for (const rows of gathered) rows.write()
}

/** Whether another process has restored a backup since it was last asked. Called inside a transaction, when no other process can write. */
function restoresElsewhere(database: Database, caches: Caches): () => boolean {
  let seen = caches.writesElsewhere()
  let count = counterIn(database, RESTORE_COUNT)
  return () => {
    const writes = caches.writesElsewhere()
    if (writes === seen) return false
    const before = count
    count = counterIn(database, RESTORE_COUNT)
    // Not before: if that could not be read, it is asked again.
    seen = writes
    return count !== before
  }
}

/** What becomes of work that was begun before a backup was restored: its row ids may mean something else now. */
export const RESTORED_MEANWHILE = new Error("a backup was restored after this was checked")
