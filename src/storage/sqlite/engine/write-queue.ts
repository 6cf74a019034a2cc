import type { Database } from "bun:sqlite"
import { isBusy } from "./sqlite-errors.ts"
import {
  type Notes,
  RestoredMeanwhile,
  type TransactionParts,
  type Transactions,
  transactions,
  type Work,
} from "./transactions.ts"

// How long a write waits for another process to release the lock before it fails.
const LOCK_PATIENCE_MS = 5_000
const LOCK_RETRY_MS = 10
// Many more than the requests that are admitted at a time. Beyond this, writes fail before memory runs out.
const JOBS_WAITING_MAX = 10_000

interface Job extends Work {
  readonly resolve: (value: never) => void
  readonly reject: (reason: unknown) => void
  readonly since: number
}

export interface WriteQueue {
  /** Runs `work` in a transaction that it may share with other jobs; resolves when it is on disk. All caches are dropped. */
  run<T>(work: () => T): Promise<T>
  /** The same for frequent writes that change nothing that is cached, or call `caches.changed` themselves. */
  runKeepingCaches<T>(work: () => T): Promise<T>
  /** From now on every transaction also writes these notes, so that they cost no commit of their own. */
  alongside(notes: Notes): void
  /** Writes waiting notes, if there are any. */
  flushNotes(): Promise<void>
  /** Whether the last transaction failed for a reason that is likely to last, such as a full or read-only disk. */
  isFailing(): boolean
  /** Resolves when no job is waiting. */
  drained(): Promise<void>
}

/**
 * One writer, many callers: jobs that arrive together share one commit, and each is answered after it.
 * If a shared transaction fails, each job is tried on its own, so that one caller's failure never affects another.
 */
export function writeQueue(database: Database, parts: TransactionParts = {}): WriteQueue {
  const notes: Notes[] = []
  const transaction = transactions(database, notes, parts)
  let waiting: Job[] = []
  let scheduled = false
  let idle = Promise.withResolvers<void>()
  idle.resolve()

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    // After all code that can run now, so that its jobs share the commit, but before new requests are read, which would delay it.
    process.nextTick(flush)
  }

  function flush(): void {
    const jobs = waiting
    waiting = []
    scheduled = false
    if (!settle(transaction, jobs)) {
      waiting = jobs.concat(waiting)
      if (waiting.length > 0) {
        scheduled = true
        setTimeout(flush, LOCK_RETRY_MS)
      }
    }
    if (waiting.length === 0) idle.resolve()
  }

  function enqueue<T>(work: () => T, dropsCaches: boolean): Promise<T> {
    if (waiting.length >= JOBS_WAITING_MAX) return Promise.reject(new Error("too many writes are waiting"))
    if (waiting.length === 0 && !scheduled) idle = Promise.withResolvers<void>()
    return new Promise<T>((resolve, reject) => {
      waiting.push({ work, dropsCaches, resolve, reject, since: performance.now(), outcome: undefined })
      schedule()
    })
  }

  return {
    run: (work) => enqueue(work, true),
    runKeepingCaches: (work) => enqueue(work, false),
    alongside: (note) => void notes.push(note),
    async flushNotes() {
      for (const note of notes) note.collect?.()
      if (notes.some((note) => note.waiting())) await enqueue(() => undefined, false)
    },
    isFailing: transaction.isFailing,
    drained: () => idle.promise,
  }
}

/** False when another process holds the lock and the jobs should wait. */
function settle(transaction: Transactions, jobs: Job[]): boolean {
  try {
    transaction.run(jobs)
  } catch (cause) {
    if (isBusy(cause)) {
      rejectTimedOut(jobs, cause)
      return false
    }
    if (jobs.length === 1 || cause instanceof RestoredMeanwhile) for (const job of jobs) job.reject(cause)
    else for (const job of jobs) settleAlone(transaction, job)
    return true
  }
  for (const job of jobs) job.resolve(job.outcome as never)
  return true
}

function settleAlone(transaction: Transactions, job: Job): void {
  try {
    transaction.run([job])
    job.resolve(job.outcome as never)
  } catch (cause) {
    job.reject(cause)
  }
}

/** Removes the jobs that have waited too long. Jobs are in order of arrival. */
function rejectTimedOut(jobs: Job[], cause: unknown): void {
  const now = performance.now()
  const firstInTime = jobs.findIndex((job) => now - job.since < LOCK_PATIENCE_MS)
  const timedOut = jobs.splice(0, firstInTime < 0 ? jobs.length : firstInTime)
  for (const job of timedOut) job.reject(cause)
}
