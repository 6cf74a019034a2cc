import type { Database } from "bun:sqlite"
import { type Behind, WriteBehind } from "../../steps/behind/write-behind.ts"
import { checkpoints } from "./checkpoints.ts"
import { FilesLost, openFiles } from "./directory-lock.ts"
import { logSync } from "./log-sync.ts"
import { isBusy } from "./sqlite-errors.ts"
import { type Gathered, RestoredMeanwhile, type TransactionParts, transactions, type Work } from "./transactions.ts"

// How long a write waits for another process to release the lock before it fails.
const LOCK_PATIENCE_MS = 5_000
const LOCK_RETRY_MS = 10
// Many more than the requests that are admitted at a time. Beyond this, writes fail before memory runs out.
const JOBS_UNANSWERED_MAX = 10_000

interface Job extends Work {
  readonly resolve: (value: never) => void
  readonly reject: (reason: unknown) => void
  readonly since: number
}

export interface WriteQueueParts extends TransactionParts {
  /** Called with the time each commit took until it was on disk, and the number of jobs in it. */
  readonly onCommit?: ((ms: number, jobs: number) => void) | undefined
  /** Called when the disk failed to sync: nothing can be written any more until the database is opened anew. */
  readonly onSyncFailure?: ((failure: Error) => void) | undefined
  /** Called when a file of the database was deleted or replaced: nothing can be written any more, and a restart does not help. */
  readonly onFilesLost?: ((failure: Error) => void) | undefined
}

export interface WriteQueue {
  /** Runs `work` in a transaction that it may share with other jobs; resolves when it is on disk. All caches are dropped. */
  run<T>(work: () => T): Promise<T>
  /** The same for frequent writes that change nothing that is cached, or call `caches.changed` themselves. */
  runKeepingCaches<T>(work: () => T): Promise<T>
  /** The same for jobs that only add to these rows, which are written before any other job of the transaction and before its commit. */
  gathering(rows: Gathered): <T>(work: () => T) => Promise<T>
  /** Rows that transactions write along, so that they cost no commit of their own. */
  behind<Row>(kind: Behind<Row>, write: (rows: readonly Row[]) => void): WriteBehind<Row>
  /** Writes the rows that wait, if there are any. */
  flushBehind(): Promise<void>
  /** Whether the last transaction failed for a reason that is likely to last, such as a full or read-only disk. */
  isFailing(): boolean
  /** Whether a sync failed or the files are gone: what is read may not be what is stored. */
  hasFailed(): boolean
  /** Finds out whether the database's files are still in their place; once they are not, nothing is written any more. */
  checkFiles(): void
  /** Resolves when no job is waiting and everything is on disk. Nothing may be written afterwards. */
  close(): Promise<void>
}

/**
 * One writer, many callers: jobs that arrive together share one commit, and each is answered once that is on disk, also a job that wrote
 * nothing: it may rest on what an earlier one wrote. If a shared transaction fails, each job is tried on its own, so that one caller's
 * failure never affects another.
 */
export function writeQueue(database: Database, parts: WriteQueueParts = {}): WriteQueue {
  const behind: WriteBehind<never>[] = []
  const gathered: Gathered[] = []
  const transaction = transactions(database, behind, gathered, parts)
  const lostFile = openFiles(database.filename)
  const log = logSync(database.filename, {
    onFailure: (failure) => (failure instanceof FilesLost ? parts.onFilesLost : parts.onSyncFailure)?.(failure),
  })
  const checkpointing = checkpoints(database, {
    pauseWriting,
    resumeWriting,
    endReads: parts.endReads ?? (() => undefined),
    beforeOwnWrite: () => parts.caches?.refresh(),
    afterOwnWrite: () => parts.caches?.nothingChanged(),
    onSyncFailure: log.fail,
  })
  let waiting: Job[] = []
  let unanswered = 0
  let scheduled = false
  let paused = false
  let idle = Promise.withResolvers<void>()
  idle.resolve()

  function schedule(): void {
    if (scheduled || paused) return
    scheduled = true
    // After all code that can run now, so that its jobs share the commit, but before new requests are read, which would delay it.
    process.nextTick(flush)
  }

  function pauseWriting(): void {
    paused = true
  }

  function resumeWriting(): void {
    paused = false
    if (waiting.length > 0) schedule()
  }

  function flush(): void {
    scheduled = false
    if (paused) return
    const jobs = waiting
    waiting = []
    if (settle(jobs)) return
    waiting = jobs.concat(waiting)
    if (waiting.length === 0) return
    scheduled = true
    setTimeout(flush, LOCK_RETRY_MS)
  }

  /** False when another process holds the lock and the jobs should wait. */
  function settle(jobs: Job[]): boolean {
    const failure = log.failure()
    if (failure !== null) return rejectAll(jobs, failure)
    try {
      commit(jobs)
    } catch (cause) {
      if (isBusy(cause)) {
        rejectTimedOut(jobs, cause)
        return false
      }
      if (jobs.length === 1 || cause instanceof RestoredMeanwhile) return rejectAll(jobs, cause)
      for (const job of jobs) settleAlone(job)
    }
    return true
  }

  function settleAlone(job: Job): void {
    try {
      commit([job])
    } catch (cause) {
      rejectAll([job], cause)
    }
  }

  function commit(jobs: Job[]): void {
    const began = performance.now()
    if (transaction.run(jobs)) {
      log.committed()
      checkpointing.committed()
    }
    log.whenSynced(() => {
      // After the sync: what is answered now is on disk, in the files that the next start will find.
      checkFiles()
      const failure = log.failure()
      if (failure === null) resolveAll(jobs, performance.now() - began)
      else rejectAll(jobs, failure)
    }, jobs.length)
  }

  function checkFiles(): void {
    const lost = lostFile()
    if (lost !== null) log.fail(new FilesLost(lost))
  }

  function resolveAll(jobs: readonly Job[], ms: number): void {
    parts.onCommit?.(ms, jobs.length)
    for (const job of jobs) job.resolve(job.outcome as never)
    answered(jobs.length)
  }

  function rejectAll(jobs: readonly Job[], cause: unknown): true {
    for (const job of jobs) job.reject(cause)
    answered(jobs.length)
    return true
  }

  /** Removes the jobs that have waited too long. Jobs are in order of arrival. */
  function rejectTimedOut(jobs: Job[], cause: unknown): void {
    const now = performance.now()
    const firstInTime = jobs.findIndex((job) => now - job.since < LOCK_PATIENCE_MS)
    rejectAll(jobs.splice(0, firstInTime < 0 ? jobs.length : firstInTime), cause)
  }

  function answered(jobs: number): void {
    unanswered -= jobs
    if (unanswered === 0) idle.resolve()
  }

  function enqueue<T>(work: () => T, dropsCaches: boolean, gathers = false): Promise<T> {
    if (unanswered >= JOBS_UNANSWERED_MAX) return Promise.reject(new Error("too many writes are waiting"))
    if (unanswered === 0) idle = Promise.withResolvers<void>()
    unanswered++
    return new Promise<T>((resolve, reject) => {
      waiting.push({ work, dropsCaches, gathers, resolve, reject, since: performance.now(), outcome: undefined })
      schedule()
    })
  }

  async function flushBehind(): Promise<void> {
    for (const rows of behind) rows.collect()
    if (behind.some((rows) => rows.isDue())) await enqueue(() => undefined, false)
  }

  return {
    run: (work) => enqueue(work, true),
    runKeepingCaches: (work) => enqueue(work, false),
    gathering(rows) {
      gathered.push(rows)
      return (work) => enqueue(work, false, true)
    },
    behind<Row>(kind: Behind<Row>, write: (rows: readonly Row[]) => void) {
      const rows = new WriteBehind(kind, write, flushBehind)
      behind.push(rows as unknown as WriteBehind<never>)
      return rows
    },
    flushBehind,
    checkFiles,
    hasFailed: () => log.failure() !== null,
    isFailing: () => log.failure() !== null || transaction.isFailing(),
    async close() {
      await idle.promise
      await checkpointing.close()
      log.close()
    },
  }
}
