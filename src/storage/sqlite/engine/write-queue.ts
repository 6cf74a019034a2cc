import type { Database } from "bun:sqlite"
import { type Caches, tableCaches } from "../cache/caches.ts"

// How long a write waits for another process to release the lock before it fails.
const LOCK_PATIENCE_MS = 5_000
const LOCK_RETRY_MS = 10
// Many more than the requests that are admitted at a time. Beyond this, writes fail before memory runs out.
const JOBS_WAITING_MAX = 10_000

interface Job {
  readonly work: () => unknown
  readonly dropsCaches: boolean
  readonly resolve: (value: never) => void
  readonly reject: (reason: unknown) => void
  readonly since: number
  outcome: unknown
}

export interface Notes {
  waiting(): boolean
  write(): void
  /** Called after the commit that contains them: only now may they be dropped from memory. */
  written(): void
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

export interface QueueParts {
  readonly caches?: Caches
  /** Whether a backup was restored since the last transaction. */
  readonly wasRestored?: () => boolean
  /** Called with the duration of each commit and the number of jobs in it. */
  readonly onCommit?: ((ms: number, jobs: number) => void) | undefined
  readonly beforeWriting?: () => void
}

/**
 * One writer, many callers: jobs that arrive together share one commit, and each is answered after it.
 * If a shared transaction fails, each job is tried on its own, so that one caller's failure never affects another.
 */
export function writeQueue(database: Database, parts: QueueParts = {}): WriteQueue {
  const { caches = tableCaches(database), wasRestored = () => false, beforeWriting = () => undefined, onCommit } = parts
  const begin = database.query("BEGIN IMMEDIATE")
  const commit = database.query("COMMIT")
  const rollback = database.query("ROLLBACK")
  const notes: Notes[] = []
  let seenWritesElsewhere = caches.writesElsewhere()
  let waiting: Job[] = []
  let scheduled = false
  let failing = false
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
    if (!settle(jobs)) {
      waiting = jobs.concat(waiting)
      if (waiting.length > 0) {
        scheduled = true
        setTimeout(flush, LOCK_RETRY_MS)
      }
    }
    if (waiting.length === 0) idle.resolve()
  }

  /** False when another process holds the lock and the jobs should wait. */
  function settle(jobs: Job[]): boolean {
    try {
      transact(jobs)
    } catch (cause) {
      failing ||= isDiskError(cause)
      if (isBusy(cause)) return rejectTimedOut(jobs, cause)
      if (jobs.length === 1 || cause instanceof RestoredMeanwhile) for (const job of jobs) job.reject(cause)
      else for (const job of jobs) settleAlone(job)
      return true
    }
    for (const job of jobs) job.resolve(job.outcome as never)
    return true
  }

  function settleAlone(job: Job): void {
    try {
      transact([job])
      job.resolve(job.outcome as never)
    } catch (cause) {
      job.reject(cause)
    }
  }

  function transact(jobs: readonly Job[]): void {
    beforeWriting()
    begin.run()
    try {
      caches.refresh()
      if (othersWrote() && wasRestored()) throw new RestoredMeanwhile("a backup was restored after this was checked")
      for (const job of jobs) {
        job.outcome = job.work()
        // Now, not after the commit: the next job of this transaction must not use what this one has changed.
        if (job.dropsCaches) caches.changed()
      }
      for (const note of notes) note.write()
      const began = performance.now()
      commit.run()
      onCommit?.(performance.now() - began, jobs.length)
      failing = false
    } catch (cause) {
      caches.rolledBack()
      // On a full disk SQLite rolls back by itself, and a second ROLLBACK would hide the cause.
      if (database.inTransaction) rollback.run()
      throw cause
    }
    for (const note of notes) note.written()
  }

  /** Whether another process has written since our last transaction. Called inside a transaction, when no other process can write. */
  function othersWrote(): boolean {
    const before = seenWritesElsewhere
    seenWritesElsewhere = caches.writesElsewhere()
    return seenWritesElsewhere !== before
  }

  function rejectTimedOut(jobs: Job[], cause: unknown): boolean {
    const now = performance.now()
    const firstInTime = jobs.findIndex((job) => now - job.since < LOCK_PATIENCE_MS)
    const timedOut = jobs.splice(0, firstInTime < 0 ? jobs.length : firstInTime)
    for (const job of timedOut) job.reject(cause)
    return false
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
      if (notes.some((note) => note.waiting())) await enqueue(() => undefined, false)
    },
    isFailing: () => failing,
    drained: () => idle.promise,
  }
}

/** The waiting jobs were checked against rows that a restored backup has replaced: their row ids may mean something else now. */
class RestoredMeanwhile extends Error {
  override readonly name = "RestoredMeanwhile"
}

function isBusy(cause: unknown): boolean {
  return codeOf(cause).startsWith("SQLITE_BUSY")
}

function isDiskError(cause: unknown): boolean {
  return /^SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB)/.test(codeOf(cause))
}

function codeOf(cause: unknown): string {
  const code = (cause as { code?: unknown } | null)?.code
  return typeof code === "string" ? code : ""
}
