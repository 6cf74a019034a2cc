// Promise: jobs that come together share one commit, and each is answered once that is on disk; a failure of one never affects another.
// Held by test/storage/sqlite/engine/write-queue.test.ts and test/trust/disk-sync.test.ts.
import type { Database } from "bun:sqlite"
import { dirname } from "node:path"
import type { StoreUnavailable } from "../../port/unavailable.ts"
import { type Behind, WriteBehind } from "../../steps/behind/write-behind.ts"
import { FilesLost, openFiles } from "./open-files.ts"
import { isBusy, isSyncFailure, SyncFailed } from "./sqlite-errors.ts"
import type { Gathered, TransactionParts, Work } from "./transactions.ts"
import { RESTORED_MEANWHILE, transactions } from "./transactions.ts"
import { isWorkUnderWay } from "./work-folder.ts"

// How long a write waits for another process to release the lock before it fails.
const LOCK_PATIENCE_MS = 5_000
// A large backup takes longer to restore, and its end is near. Less than a request may take.
const RESTORE_PATIENCE_MS = 30_000
const LOCK_RETRY_MS = 10
// Many more than the requests that are admitted at a time. Beyond this, writes fail before memory runs out.
const JOBS_WAITING_MAX = 10_000

interface Job extends Work {
  readonly resolve: (value: never) => void
  readonly reject: (reason: unknown) => void
  readonly since: number
}

export interface WriteQueueParts extends TransactionParts {
  /** Called with the time that each commit took until it was on disk, and the number of jobs in it. */
  readonly onCommit?: ((ms: number, jobs: number) => void) | undefined
  /** Called when the disk failed to sync: nothing can be written any more until the database is opened anew. */
  readonly onSyncFailure?: ((failure: Error) => void) | undefined
  /** Called when a file of the database was deleted or replaced: nothing can be written any more, and a restart does not help. */
  readonly onFilesLost?: ((failure: Error) => void) | undefined
}

export type WriteQueue = ReturnType<typeof writeQueue>

/** The only way to write. A job that wrote nothing rests on commits that are on disk already: SQLite syncs each before it can be read. */
export function writeQueue(database: Database, parts: WriteQueueParts = {}) {
  const behind: WriteBehind<never>[] = []
  const gathered: Gathered[] = []
  const transaction = transactions(database, behind, gathered, parts)
  const lostFile = openFiles(database.filename)
  const folder = dirname(database.filename)
  let waiting: Job[] = []
  let isScheduled = false
  let failure: StoreUnavailable | null = null

  /** For good: after a failed sync, what is read may not be what is stored. */
  function fail(cause: StoreUnavailable): void {
    if (failure !== null) return
    failure = cause
    const tell = cause instanceof FilesLost ? parts.onFilesLost : parts.onSyncFailure
    // After everybody who waits was answered.
    setImmediate(() => tell?.(cause))
  }

  /** Finds out whether the database's files are still in their place. */
  function checkFiles(): void {
    const lost = lostFile()
    if (lost !== null) fail(new FilesLost(lost))
  }

  function commit(jobs: readonly Job[]): void {
    const began = performance.now()
    transaction.run(jobs)
    // After the sync: what is answered now is on disk, in the files that the next start will find.
    checkFiles()
    if (failure !== null) throw failure
    parts.onCommit?.(performance.now() - began, jobs.length)
    for (const { outcome, resolve, reject } of jobs)
      outcome === RESTORED_MEANWHILE ? reject(RESTORED_MEANWHILE) : resolve(outcome as never)
  }

  /** Answers jobs, and returns those that go on waiting because another process holds the lock. */
  function settle(jobs: readonly Job[]): readonly Job[] {
    try {
      if (failure !== null) throw failure
      if (jobs.length > 0) commit(jobs)
      return []
    } catch (cause) {
      if (isBusy(cause)) return stillInTime(jobs, cause)
      if (isSyncFailure(cause)) fail(new SyncFailed(cause))
      if (failure === null && jobs.length > 1) return jobs.flatMap((job) => settle([job]))
      for (const { reject } of jobs) reject(failure ?? cause)
      return []
    }
  }

  /** Jobs are in the order of their arrival. */
  function stillInTime(jobs: readonly Job[], cause: unknown): readonly Job[] {
    const now = performance.now()
    if (now - (jobs[0]?.since ?? now) < LOCK_PATIENCE_MS) return jobs
    const patienceMs = isWorkUnderWay(folder) ? RESTORE_PATIENCE_MS : LOCK_PATIENCE_MS
    const isInTime = ({ since }: Job) => now - since < patienceMs
    for (const job of jobs) if (!isInTime(job)) job.reject(cause)
    return jobs.filter(isInTime)
  }

  function flush(): void {
    const jobs = waiting
    waiting = []
    waiting = [...settle(jobs), ...waiting]
    isScheduled = waiting.length > 0
    if (isScheduled) setTimeout(flush, LOCK_RETRY_MS)
  }

  function enqueue<T>(work: () => T, how: Partial<Pick<Work, "dropsCaches" | "gathers" | "judgedAt">>): Promise<T> {
    if (waiting.length >= JOBS_WAITING_MAX) return Promise.reject(new Error("too many writes are waiting"))
    // After all code that can run now, so that its jobs share the commit, but before new requests are read, which would delay it.
    if (!isScheduled) process.nextTick(flush)
    isScheduled = true
    const { dropsCaches = false, gathers = false, judgedAt = null } = how
    return new Promise<T>((resolve, reject) => {
      const since = performance.now()
      waiting.push({ work, dropsCaches, gathers, judgedAt, resolve, reject, since, outcome: undefined })
    })
  }

  /** Writes the rows that wait, if there are any. */
  async function flushBehind(): Promise<void> {
    for (const rows of behind) rows.collect()
    if (behind.some((rows) => rows.isDue())) await enqueue(() => undefined, {})
  }

  return {
    /** Runs `work` in a transaction that it may share with other jobs; resolves when it is on disk. All caches are dropped. */
    run: <T>(work: () => T) => enqueue(work, { dropsCaches: true }),
    /** The same for frequent writes that change nothing that is cached, or call `caches.changed` themselves. */
    runKeepingCaches: <T>(work: () => T) => enqueue(work, {}),
    /** The same for what was judged at this revision of the caches: null, and nothing is done, when that has moved. */
    runJudged: <T>(judgedAt: number, work: () => T) => enqueue<T | null>(work, { judgedAt }),
    /** The same for jobs that only add to these rows, which are written before any other job of the transaction and before its commit. */
    gathering(rows: Gathered) {
      gathered.push(rows)
      return <T>(judgedAt: number, work: () => T) => enqueue<T | null>(work, { judgedAt, gathers: true })
    },
    /** Rows that transactions write along, so that they cost no commit of their own. */
    behind<Row>(kind: Behind<Row>, write: (rows: readonly Row[]) => void): WriteBehind<Row> {
      const rows = new WriteBehind(kind, write, flushBehind)
      behind.push(rows as unknown as WriteBehind<never>)
      return rows
    },
    flushBehind,
    checkFiles,
    /** Whether a sync failed or the files are gone: what is read may not be what is stored. */
    hasFailed: () => failure !== null,
    /** Whether the last transaction failed for a reason that is likely to last, such as a full or read-only disk. */
    isFailing: () => failure !== null || transaction.isFailing(),
    /** Resolves when everything that came before is answered. Nothing may be written afterwards. */
    close: () => enqueue(() => undefined, {}).catch(() => undefined),
  }
}
