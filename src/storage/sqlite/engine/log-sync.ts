import { closeSync, fdatasync } from "node:fs"
import { messageOf } from "../../../domain/user-error.ts"
import { openToSync } from "../../../files/durable.ts"
import { StoreUnavailable } from "../../port/unavailable.ts"

/** Called with null once what was waited for is on disk, else with the reason why it may never get there. */
export type Settle = (failure: StoreUnavailable | null) => void

/** The call of the system that syncs a file. */
export type Datasync = (descriptor: number, ended: (cause: Error | null | undefined) => void) => void

interface Held {
  callers(): number
  commit(): void
}

export interface LogSyncParts {
  readonly datasync?: Datasync
  /** In milliseconds from any moment on. */
  readonly now?: () => number
  /** What is held back while the log is busy: how many callers have brought it, and its commit, or refusal after a failure. */
  readonly held?: Held
  /** Called once, after everybody who waited was told. */
  readonly onFailure?: ((failure: StoreUnavailable) => void) | undefined
}

// Who was just answered often writes again at once. A sync that begins with the first of them lets all others wait for the one after it. So
// it waits until as many came as before, or none came for the first part of the time that a sync takes and some turns of the event loop; at
// most for the second part after the last sync. 64 reporters of one item: 62 of them share a commit and a sync on a fast disk (23 and 33
// without), which saves two thirds of the calls of the system besides those that receive and answer. Who is alone never waits.
const QUIET_SHARE = 1 / 8
const GATHERING_SHARE = 1 / 2
// Timers are no finer than this: on a fast disk only turns count, which take microseconds unless somebody comes.
const QUIET_MS_MIN = 1
const GATHERING_MS_MIN = 5
// Answers go out, requests come in, and what they bring is held back: each in a turn of its own, also when the turn before took long.
const QUIET_TURNS = 3

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
  /** Whether the next sync waits for more. */
  #isGathering = false
  /** Whether what is held back is being committed for the next sync. */
  #isBeginning = false
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
  #turn: ReturnType<typeof setImmediate> | undefined
  readonly #held: Held

  constructor(databaseFile: string, parts: LogSyncParts = {}) {
    const { datasync = fdatasync, now = () => performance.now(), onFailure, held } = parts
    this.#file = `${databaseFile}-wal`
    this.#datasync = datasync
    this.#onFailure = onFailure
    this.#now = now
    this.#held = held ?? { callers: () => 0, commit: () => undefined }
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
      if (this.#syncing === undefined && !this.#isBeginning) this.#syncSoon()
    } else if (this.#syncing !== undefined) {
      this.#syncing.push(settle)
      this.#callersSyncing += callers
    } else settle(null)
  }

  /** Whether a commit could not be synced at once, but only after a sync or together with others. */
  isBusy(): boolean {
    return this.#syncing !== undefined || this.#isGathering
  }

  /** Call it when more is held back. */
  moreHeld(): void {
    if (this.#isGathering) this.#syncSoon()
  }

  /** Why nothing can be answered any more; null while syncing works. */
  failure(): StoreUnavailable | null {
    return this.#failed
  }

  close(): void {
    this.#stopGathering()
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #syncSoon(): void {
    this.#stopGathering()
    const tookMs = this.#endedAt - this.#beganAt
    const quietMs = tookMs * QUIET_SHARE
    const held = this.#held.callers()
    const isSlow = quietMs >= QUIET_MS_MIN
    const isOver = this.#now() - this.#endedAt >= Math.max(tookMs * GATHERING_SHARE, GATHERING_MS_MIN)
    const isComplete = this.#callersWaiting + held >= this.#callersExpected
    this.#isGathering = !(isOver || isComplete) && (isSlow || held > 0)
    if (!this.#isGathering) this.#sync()
    else if (isSlow) this.#timer = setTimeout(() => this.#syncAfter(QUIET_TURNS), quietMs)
    else this.#syncAfter(QUIET_TURNS)
  }

  #syncAfter(turns: number): void {
    if (turns === 0) this.#sync()
    else this.#turn = setImmediate(() => this.#syncAfter(turns - 1))
  }

  #stopGathering(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#turn)
    this.#isGathering = false
  }

  #sync(): void {
    this.#stopGathering()
    this.#isBeginning = true
    this.#held.commit()
    this.#isBeginning = false
    if (!this.#isDirty || this.#failed !== null) return
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
    this.#callersExpected = this.#callersSyncing + this.#callersWaiting + this.#held.callers()
    // First the next sync, so that a fast disk works while these are answered.
    if (this.#isDirty || this.#held.callers() > 0) this.#syncSoon()
    for (const settle of covered) settle(null)
  }

  /**
   * Call it when a sync of the log failed elsewhere, or when the log is no longer the one that counts. For good: the kernel may have
   * dropped the pages that it could not write, so that a later sync would succeed without them.
   */
  readonly fail = (cause: unknown): void => {
    if (this.#failed !== null) return
    this.#stopGathering()
    this.#failed = cause instanceof StoreUnavailable ? cause : new LogSyncFailed(cause)
    const all = [...(this.#syncing ?? []), ...this.#waiting]
    this.#syncing = undefined
    this.#waiting = []
    for (const settle of all) settle(this.#failed)
    this.#held.commit()
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
