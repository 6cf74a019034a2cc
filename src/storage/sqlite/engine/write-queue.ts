import type { Database } from "bun:sqlite"
import { dirname } from "node:path"
import { type Behind, WriteBehind } from "../../steps/behind/write-behind.ts"
import { Checkpoints } from "./checkpoints.ts"
import { FilesLost, isWorkUnderWay, openFiles } from "./directory-lock.ts"
import { LogSync } from "./log-sync.ts"
import { isBusy } from "./sqlite-errors.ts"
import type { Gathered, TransactionParts, Transactions, Work } from "./transactions.ts"
import { RESTORED_MEANWHILE, transactions } from "./transactions.ts"

// How long a write waits for another process to release the lock before it fails.
const LOCK_PATIENCE_MS = 5_000
// A large backup takes longer to restore, and its end is near. Less than a request may take.
const RESTORE_PATIENCE_MS = 30_000
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

/**
 * One writer, many callers: jobs that arrive together share one commit, and each is answered once that is on disk, also a job that wrote
 * nothing: it may rest on what an earlier one wrote. If a shared transaction fails, each job is tried on its own, so that one caller's
 * failure never affects another.
 */
export class WriteQueue {
  readonly #parts: WriteQueueParts
  readonly #behind: WriteBehind<never>[] = []
  readonly #gathered: Gathered[] = []
  readonly #transaction: Transactions
  readonly #folder: string
  readonly #lostFile: () => string | null
  readonly #log: LogSync
  readonly #checkpointing: Checkpoints
  #waiting: Job[] = []
  #unanswered = 0
  #scheduled = false
  #paused = false
  #idle = Promise.withResolvers<void>()

  constructor(database: Database, parts: WriteQueueParts = {}) {
    this.#parts = parts
    this.#transaction = transactions(database, this.#behind, this.#gathered, parts)
    this.#folder = dirname(database.filename)
    this.#lostFile = openFiles(database.filename)
    this.#log = new LogSync(database.filename, {
      onFailure: (failure) => (failure instanceof FilesLost ? parts.onFilesLost : parts.onSyncFailure)?.(failure),
    })
    this.#checkpointing = new Checkpoints(database, {
      pauseWriting: () => this.#pauseWriting(),
      resumeWriting: () => this.#resumeWriting(),
      endReads: parts.endReads ?? (() => undefined),
      beforeOwnWrite: () => parts.caches?.refresh(),
      afterOwnWrite: () => parts.caches?.nothingChanged(),
      onSyncFailure: this.#log.fail,
    })
    this.#idle.resolve()
  }

  /** Runs `work` in a transaction that it may share with other jobs; resolves when it is on disk. All caches are dropped. */
  run<T>(work: () => T): Promise<T> {
    return this.#enqueue(work, true)
  }

  /** The same for frequent writes that change nothing that is cached, or call `caches.changed` themselves. */
  runKeepingCaches<T>(work: () => T): Promise<T> {
    return this.#enqueue(work, false)
  }

  /** The same for what was judged at this revision of the caches: null, and nothing is done, when that has moved. */
  runJudged<T>(judgedAt: number, work: () => T): Promise<T | null> {
    return this.#enqueue<T | null>(work, false, false, judgedAt)
  }

  /** The same for jobs that only add to these rows, which are written before any other job of the transaction and before its commit. */
  gathering(rows: Gathered): <T>(judgedAt: number, work: () => T) => Promise<T | null> {
    this.#gathered.push(rows)
    return <T>(judgedAt: number, work: () => T) => this.#enqueue<T | null>(work, false, true, judgedAt)
  }

  /** Rows that transactions write along, so that they cost no commit of their own. */
  behind<Row>(kind: Behind<Row>, write: (rows: readonly Row[]) => void): WriteBehind<Row> {
    const rows = new WriteBehind(kind, write, () => this.flushBehind())
    this.#behind.push(rows as unknown as WriteBehind<never>)
    return rows
  }

  /** Whether a sync failed or the files are gone: what is read may not be what is stored. */
  hasFailed(): boolean {
    return this.#log.failure() !== null
  }

  /** Whether the last transaction failed for a reason that is likely to last, such as a full or read-only disk. */
  isFailing(): boolean {
    return this.hasFailed() || this.#transaction.isFailing()
  }

  /** Resolves when no job is waiting and everything is on disk. Nothing may be written afterwards. */
  async close(): Promise<void> {
    await this.#idle.promise
    await this.#checkpointing.close(this.hasFailed())
    this.#log.close()
  }

  #schedule(): void {
    if (this.#scheduled || this.#paused) return
    this.#scheduled = true
    // After all code that can run now, so that its jobs share the commit, but before new requests are read, which would delay it.
    process.nextTick(this.#flush)
  }

  #pauseWriting(): void {
    this.#paused = true
  }

  #resumeWriting(): void {
    this.#paused = false
    if (this.#waiting.length > 0) this.#schedule()
  }

  readonly #flush = (): void => {
    this.#scheduled = false
    if (this.#paused) return
    const jobs = this.#waiting
    this.#waiting = []
    if (this.#settle(jobs)) return
    this.#waiting = jobs.concat(this.#waiting)
    if (this.#waiting.length === 0) return
    this.#scheduled = true
    setTimeout(this.#flush, LOCK_RETRY_MS)
  }

  /** False when another process holds the lock and the jobs should wait. */
  #settle(jobs: Job[]): boolean {
    const failure = this.#log.failure()
    if (failure !== null) return this.#rejectAll(jobs, failure)
    try {
      this.#commit(jobs)
    } catch (cause) {
      if (isBusy(cause)) {
        this.#rejectTimedOut(jobs, cause)
        return false
      }
      if (jobs.length === 1) return this.#rejectAll(jobs, cause)
      for (const job of jobs) this.#settleAlone(job)
    }
    return true
  }

  #settleAlone(job: Job): void {
    try {
      this.#commit([job])
    } catch (cause) {
      this.#rejectAll([job], cause)
    }
  }

  #commit(jobs: Job[]): void {
    const began = performance.now()
    if (this.#transaction.run(jobs)) {
      this.#log.committed()
      this.#checkpointing.committed()
    }
    this.#log.whenSynced(() => {
      // After the sync: what is answered now is on disk, in the files that the next start will find.
      this.checkFiles()
      const failure = this.#log.failure()
      if (failure === null) this.#resolveAll(jobs, performance.now() - began)
      else this.#rejectAll(jobs, failure)
    }, jobs.length)
  }

  /** Finds out whether the database's files are still in their place; once they are not, nothing is written any more. */
  checkFiles(): void {
    const lost = this.#lostFile()
    if (lost !== null) this.#log.fail(new FilesLost(lost))
  }

  #resolveAll(jobs: readonly Job[], ms: number): void {
    this.#parts.onCommit?.(ms, jobs.length)
    for (const job of jobs) {
      if (job.outcome === RESTORED_MEANWHILE) job.reject(RESTORED_MEANWHILE)
      else job.resolve(job.outcome as never)
    }
    this.#answered(jobs.length)
  }

  #rejectAll(jobs: readonly Job[], cause: unknown): true {
    for (const job of jobs) job.reject(cause)
    this.#answered(jobs.length)
    return true
  }

  /** Removes the jobs that have waited too long. Jobs are in order of arrival. */
  #rejectTimedOut(jobs: Job[], cause: unknown): void {
    const now = performance.now()
    if (now - (jobs[0]?.since ?? now) < LOCK_PATIENCE_MS) return
    const patienceMs = isWorkUnderWay(this.#folder) ? RESTORE_PATIENCE_MS : LOCK_PATIENCE_MS
    const firstInTime = jobs.findIndex((job) => now - job.since < patienceMs)
    this.#rejectAll(jobs.splice(0, firstInTime < 0 ? jobs.length : firstInTime), cause)
  }

  #answered(jobs: number): void {
    this.#unanswered -= jobs
    if (this.#unanswered === 0) this.#idle.resolve()
  }

  #enqueue<T>(work: () => T, dropsCaches: boolean, gathers = false, judgedAt: number | null = null): Promise<T> {
    if (this.#unanswered >= JOBS_UNANSWERED_MAX) return Promise.reject(new Error("too many writes are waiting"))
    if (this.#unanswered === 0) this.#idle = Promise.withResolvers<void>()
    this.#unanswered++
    return new Promise<T>((resolve, reject) => {
      const since = performance.now()
      this.#waiting.push({ work, dropsCaches, gathers, judgedAt, resolve, reject, since, outcome: undefined })
      this.#schedule()
    })
  }

  /** Writes the rows that wait, if there are any. */
  async flushBehind(): Promise<void> {
    for (const rows of this.#behind) rows.collect()
    if (this.#behind.some((rows) => rows.isDue())) await this.#enqueue(() => undefined, false)
  }
}
