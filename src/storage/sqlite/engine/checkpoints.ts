import { Database, type Statement } from "bun:sqlite"
import { IS_COMPILED } from "../../../files/is-compiled.ts"
import type { FromThread, ToThread } from "./checkpoint-thread.ts"

// At this length (8 MiB) the log is copied into the database and begun anew.
const PAGES_MAX = 2_048
// Where that was not possible, because something still reads old pages or the disk is full, it is tried again after this many more.
const RETRY_PAGES = 1_024
// Writes wait while the rest of the log is copied: so what was written during a copy is copied too, until little is left.
const REST_PAGES_MAX = 64
const COPIES_MAX = 2

// The build names it as the second entry point, by its path below src.
const THREAD = new URL(
  IS_COMPILED ? "./storage/sqlite/engine/checkpoint-thread.ts" : "./checkpoint-thread.ts",
  import.meta.url,
)

export interface CheckpointParts {
  /** Nothing may be written between these two. */
  pauseWriting(): void
  resumeWriting(): void
  /** Ends the read transaction of this tick, if it has one: the next read begins another. */
  endReads(): void
  /** Nobody else can write while one of these is called. Between them only the thread writes, and changes nothing. */
  beforeOwnWrite(): void
  afterOwnWrite(): void
  /** Called when the disk failed to sync the log or the database. */
  onSyncFailure(cause: Error): void
}

/**
 * Moves the log into the database in a thread of its own. Once all of a log was copied, SQLite begins it anew with the next write, which
 * syncs its header. A read transaction that is nearly always open keeps the event loop from doing that: the thread does it, while writes
 * are paused.
 */
export class Checkpoints {
  readonly #parts: CheckpointParts
  readonly #file: string
  readonly #logState: Statement<{ log: number; checkpointed: number }, []>
  readonly #pin: ReturnType<typeof logPin>
  readonly #thread: ReturnType<typeof checkpointThread>
  #pages = 0
  #pagesWanted = PAGES_MAX
  #copies = 0
  #isPaused = false
  #running: PromiseWithResolvers<void> | undefined

  constructor(database: Database, parts: CheckpointParts) {
    this.#parts = parts
    this.#file = database.filename
    this.#logState = database.query("PRAGMA wal_checkpoint(NOOP)")
    this.#pin = logPin(database.filename)
    this.#thread = checkpointThread((message) => this.#received(message))
  }

  /** Call it after each commit that wrote something. */
  committed(): void {
    if (this.#running !== undefined) return
    try {
      // Now and not before: without pages that are still to be copied, it would not hold the log.
      this.#pin.hold()
      this.#pages = this.#logState.get()?.log ?? 0
      if (this.#pages < this.#pagesWanted) return
      this.#running = Promise.withResolvers()
      this.#copies = 0
      this.#copy()
    } catch {
      // The commit counts, whatever happens here. The next one tries again.
      this.#running = undefined
    }
  }

  /**
   * Where the last connection is closed, and the runtime closes all of them when it ends, SQLite copies the log into the database: after a
   * failure also what the system could not store, which the next start has to store first, and it removes the side files of whatever has
   * taken the database's place. Then the pin stays: the others are closed before it, and what only reads cannot copy.
   */
  async close(hasFailed: boolean): Promise<void> {
    await this.#running?.promise
    if (!hasFailed) this.#pin.close()
    await this.#thread.close()
  }

  #copy(): void {
    this.#copies++
    // Moves to the end of the log, so that all of it can be copied.
    this.#pin.release()
    this.#pin.hold()
    this.#thread.send({ copy: this.#file })
  }

  #isMuchLeft(): boolean {
    const { log, checkpointed } = this.#logState.get() ?? { log: 0, checkpointed: 0 }
    return log - checkpointed > REST_PAGES_MAX
  }

  #copied(): void {
    // Those that begin after the last copy need nothing of the log, however long their tick takes.
    this.#parts.endReads()
    if (this.#isPaused) {
      this.#thread.send("lock")
    } else if (this.#copies < COPIES_MAX && this.#isMuchLeft()) {
      this.#copy()
    } else {
      this.#isPaused = true
      this.#parts.pauseWriting()
      this.#pin.release()
      this.#thread.send({ copy: this.#file })
    }
  }

  #received(message: FromThread): void {
    if (message === "unlocked") return
    try {
      if (message === "copied") this.#copied()
      else if (message === "locked") this.#locked()
      else this.#ended(message)
    } catch (cause) {
      this.#thread.send("unlock")
      // Nobody else would notice: without an end of this one, no log would ever be copied again.
      this.#ended({ failed: String(cause) })
    }
  }

  #locked(): void {
    this.#parts.endReads()
    this.#parts.beforeOwnWrite()
    this.#thread.send("restart")
  }

  #ended(message: FromThread): void {
    if (message === "restarted") {
      this.#parts.endReads()
      this.#parts.afterOwnWrite()
      this.#thread.send("unlock")
    }
    const isBegunAnew = message === "restarted" || message === "disturbed"
    this.#pagesWanted = isBegunAnew ? PAGES_MAX : this.#pages + RETRY_PAGES
    if (typeof message === "object" && /FSYNC/.test(message.failed))
      this.#parts.onSyncFailure(new Error(message.failed))
    // At once: a command could copy what the new log holds, and the next write would begin it anew.
    if (isBegunAnew) this.#tryToHold()
    this.#running?.resolve()
    this.#running = undefined
    this.#isPaused = false
    this.#parts.resumeWriting()
  }

  #tryToHold(): void {
    try {
      this.#pin.hold()
    } catch {
      // The next commit tries again.
    }
  }
}

/** A connection that only keeps a read transaction open, at the end of the log as it was when it began. */
function logPin(file: string) {
  let connection: Database | undefined
  return {
    hold(): void {
      if (connection?.inTransaction) return
      connection ??= new Database(file, { readonly: true })
      connection.run("BEGIN")
      try {
        // Only now does it read the log.
        connection.query("SELECT 1 FROM sqlite_schema LIMIT 1").get()
      } catch (cause) {
        connection.run("ROLLBACK")
        throw cause
      }
    },
    release(): void {
      if (connection?.inTransaction) connection.run("COMMIT")
    },
    close: () => connection?.close(),
  }
}

/** Started with the first message: commands rarely need it. */
function checkpointThread(received: (message: FromThread) => void) {
  let worker: Worker | undefined

  function start(): Worker {
    const started = new Worker(THREAD.href, { smol: true, ref: false })
    started.onmessage = ({ data }: MessageEvent<FromThread>) => received(data)
    started.onerror = ({ message }) => {
      worker = undefined
      received({ failed: message })
    }
    return started
  }

  return {
    send(message: ToThread): void {
      worker ??= start()
      worker.postMessage(message)
    },
    async close(): Promise<void> {
      if (worker === undefined) return
      const closing = worker
      await new Promise((resolve) => {
        closing.onmessage = resolve
        closing.postMessage("close" satisfies ToThread)
      })
      closing.terminate()
    },
  }
}
