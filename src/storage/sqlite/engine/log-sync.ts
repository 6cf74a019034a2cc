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

/**
 * Decides when an answer may be given: after the write-ahead log was synced up to the last commit that the answer rests on. Syncs the log of a database whose commits are not synced (`synchronous=NORMAL`), outside the event loop. One sync at a time: whatever
 * was committed before it began is on disk after it, and commits made meanwhile share the next one.
 */
export class LogSync {
  readonly #file: string
  readonly #datasync: Datasync
  readonly #onFailure: LogSyncParts["onFailure"]
  readonly #gathering: Gathering
  #descriptor: number | undefined
  #isDirty = false
  #failed: StoreUnavailable | null = null
  /** Covered by the sync that is running; undefined when none is. */
  #syncing: Settle[] | undefined
  /** Covered by the next sync only. */
  #waiting: Settle[] = []
  #callersSyncing = 0
  #callersWaiting = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(databaseFile: string, parts: LogSyncParts = {}) {
    const { datasync = fdatasync, now = () => performance.now(), onFailure } = parts
    this.#file = `${databaseFile}-wal`
    this.#datasync = datasync
    this.#onFailure = onFailure
    this.#gathering = gatherCallers(now)
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
    const ms = this.#gathering.msLeft(this.#callersWaiting)
    if (ms === 0) this.#sync()
    else this.#timer ??= setTimeout(() => this.#stopGathering(), ms)
  }

  #stopGathering(): void {
    this.#gathering.gaveUp(this.#callersWaiting)
    this.#sync()
  }

  #sync(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#syncing = this.#waiting
    this.#waiting = []
    this.#callersSyncing = this.#callersWaiting
    this.#callersWaiting = 0
    this.#isDirty = false
    this.#gathering.syncBegins()
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
    this.#gathering.syncEnds(this.#callersSyncing + this.#callersWaiting)
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

// Who was just answered often writes again at once. On a slow disk a sync that begins with the first of them lets all others wait for the
// one after it, so it waits for as many as before, at most for this part of the time that a sync takes.
const GATHERING_SHARE = 1 / 3
// Timers are no finer than this, and on a fast disk nothing is gained.
const GATHERING_MS_MIN = 1
// If fewer than this part came, they need longer: then it is better to work on them while the disk syncs, for this many syncs.
const GATHERED_SHARE_MIN = 3 / 4
const SYNCS_WITHOUT_GATHERING = 16

export interface Gathering {
  syncBegins(): void
  /** With the number of callers that it answers or that wait for the next. */
  syncEnds(callers: number): void
  /** How long the next sync should wait for more callers than these; 0 when it should begin. */
  msLeft(waiting: number): number
  /** Call it when the time is over, with the number of callers that came. */
  gaveUp(waiting: number): void
}

/** Decides how long a sync waits for callers that may share it. */
export function gatherCallers(now: () => number): Gathering {
  let beganAt = 0
  let expected = 0
  let until = 0
  let syncsWithout = 0
  return {
    syncBegins() {
      beganAt = now()
    },
    syncEnds(callers) {
      const endedAt = now()
      syncsWithout = Math.max(0, syncsWithout - 1)
      expected = syncsWithout > 0 ? 0 : callers
      until = endedAt + (endedAt - beganAt) * GATHERING_SHARE
    },
    msLeft(waiting) {
      const ms = waiting >= expected ? 0 : until - now()
      return ms < GATHERING_MS_MIN ? 0 : ms
    },
    gaveUp(waiting) {
      if (waiting < expected * GATHERED_SHARE_MIN) syncsWithout = SYNCS_WITHOUT_GATHERING
    },
  }
}
