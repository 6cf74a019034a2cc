import { closeSync, fdatasync } from "node:fs"
import { messageOf } from "../../../domain/user-error.ts"
import { openToSync } from "../../../files/durable.ts"
import { StoreUnavailable } from "../../port/unavailable.ts"

/** Called with null once what was waited for is on disk, else with the reason why it may never get there. */
export type Settle = (failure: StoreUnavailable | null) => void

/** The call of the system that syncs a file. */
export type Datasync = (descriptor: number, ended: (cause: Error | null | undefined) => void) => void

export interface LogSyncParts {
  readonly datasync?: Datasync
  /** In milliseconds from any moment on. */
  readonly now?: () => number
  /** Called once, after everybody who waited was told. */
  readonly onFailure?: ((failure: StoreUnavailable) => void) | undefined
}

// Who was just answered often writes again at once. On a slow disk a sync that begins with the first of them lets all others wait for the
// one after it. So it waits until as many came as before, or none came for the first part of the time that a sync takes; at most for the
// second part after the last sync.
const QUIET_SHARE = 1 / 4
const GATHERING_SHARE = 1 / 2
// Timers are no finer than this, and on a fast disk nothing is gained.
const QUIET_MS_MIN = 1

/**
 * Decides when an answer may be given: after the write-ahead log was synced up to the last commit that the answer rests on. Syncs the log
 * of a database whose commits are not synced (`synchronous=NORMAL`), outside the event loop. One sync at a time: whatever was committed
 * before it began is on disk after it, and commits made meanwhile share the next one.
 */
export class LogSync {
  readonly #file: string
  readonly #datasync: Datasync
  readonly #onFailure: LogSyncParts["onFailure"]
  readonly #now: () => number
  #descriptor: number | undefined
  #isDirty = false
  #failed: StoreUnavailable | null = null
  /** Covered by the sync that is running; undefined when none is. */
  #syncing: Settle[] | undefined
  /** Covered by the next sync only. */
  #waiting: Settle[] = []
  #callersSyncing = 0
  #callersWaiting = 0
  #callersExpected = 0
  #beganAt = 0
  #endedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(databaseFile: string, parts: LogSyncParts = {}) {
    const { datasync = fdatasync, now = () => performance.now(), onFailure } = parts
    this.#file = `${databaseFile}-wal`
    this.#datasync = datasync
    this.#onFailure = onFailure
    this.#now = now
  }

  /** Call it after each commit that wrote something. */
  committed(): void {
    this.#isDirty = true
  }

  /** Settles once everything that is committed by now is on disk; at once when it already is. For so many callers at once. */
  whenSynced(settle: Settle, callers = 1): void {
    if (this.#failed !== null) settle(this.#failed)
    else if (this.#isDirty) {
      this.#waiting.push(settle)
      this.#callersWaiting += callers
      if (this.#syncing === undefined) this.#syncSoon()
    } else if (this.#syncing !== undefined) {
      this.#syncing.push(settle)
      this.#callersSyncing += callers
    } else settle(null)
  }

  /** Why nothing can be answered any more; null while syncing works. */
  failure(): StoreUnavailable | null {
    return this.#failed
  }

  close(): void {
    clearTimeout(this.#timer)
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #syncSoon(): void {
    clearTimeout(this.#timer)
    const tookMs = this.#endedAt - this.#beganAt
    const quietMs = tookMs * QUIET_SHARE
    const isOver = this.#now() - this.#endedAt >= tookMs * GATHERING_SHARE
    if (quietMs < QUIET_MS_MIN || isOver || this.#callersWaiting >= this.#callersExpected) this.#sync()
    else this.#timer = setTimeout(() => this.#sync(), quietMs)
  }

  #sync(): void {
    this.#syncing = this.#waiting
    this.#waiting = []
    this.#callersSyncing = this.#callersWaiting
    this.#callersWaiting = 0
    this.#isDirty = false
    this.#beganAt = this.#now()
    try {
      this.#descriptor ??= openToSync(this.#file)
      this.#datasync(this.#descriptor, this.#ended)
    } catch (cause) {
      this.fail(cause)
    }
  }

  readonly #ended = (cause: Error | null | undefined): void => {
    if (this.#failed !== null) return
    if (cause != null) {
      this.fail(cause)
      return
    }
    const covered = this.#syncing ?? []
    this.#syncing = undefined
    this.#endedAt = this.#now()
    this.#callersExpected = this.#callersSyncing + this.#callersWaiting
    // First the next sync, so that a fast disk works while these are answered.
    if (this.#isDirty) this.#syncSoon()
    for (const settle of covered) settle(null)
  }

  /**
   * Call it when a sync of the log failed elsewhere, or when the log is no longer the one that counts. For good: the kernel may have
   * dropped the pages that it could not write, so that a later sync would succeed without them.
   */
  readonly fail = (cause: unknown): void => {
    if (this.#failed !== null) return
    clearTimeout(this.#timer)
    this.#failed = cause instanceof StoreUnavailable ? cause : new LogSyncFailed(cause)
    const all = [...(this.#syncing ?? []), ...this.#waiting]
    this.#syncing = undefined
    this.#waiting = []
    for (const settle of all) settle(this.#failed)
    this.#onFailure?.(this.#failed)
  }
}

/** The disk did not take what was committed. Only opening the database anew, which writes the log again, makes sure of it. */
export class LogSyncFailed extends StoreUnavailable {
  override readonly name = "LogSyncFailed"

  constructor(cause: unknown) {
    super(
      `the disk failed to store the write-ahead log (${messageOf(cause)}). Check the disk. The next start stores it again`,
      {
        cause,
      },
    )
  }
}
