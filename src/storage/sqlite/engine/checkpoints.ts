import { Database } from "bun:sqlite"
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

export interface Checkpoints {
  /** Call it after each commit that wrote something. */
  committed(): void
  close(): Promise<void>
}

/**
 * Moves the log into the database in a thread of its own. Once all of a log was copied, SQLite begins it anew with the next write, which
 * syncs its header. A read transaction that is nearly always open keeps the event loop from doing that: the thread does it, while writes
 * are paused.
 */
export function checkpoints(database: Database, parts: CheckpointParts): Checkpoints {
  const logState = database.query<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)")
  const pin = logPin(database.filename)
  const thread = checkpointThread(received)
  let pages = 0
  let pagesWanted = PAGES_MAX
  let copies = 0
  let isPaused = false
  let running: PromiseWithResolvers<void> | undefined

  function copy(): void {
    copies++
    // Moves to the end of the log, so that all of it can be copied.
    pin.release()
    pin.hold()
    thread.send({ copy: database.filename })
  }

  function isMuchLeft(): boolean {
    const { log, checkpointed } = logState.get() ?? { log: 0, checkpointed: 0 }
    return log - checkpointed > REST_PAGES_MAX
  }

  function copied(): void {
    // Those that begin after the last copy need nothing of the log, however long their tick takes.
    parts.endReads()
    if (isPaused) {
      thread.send("lock")
    } else if (copies < COPIES_MAX && isMuchLeft()) {
      copy()
    } else {
      isPaused = true
      parts.pauseWriting()
      pin.release()
      thread.send({ copy: database.filename })
    }
  }

  function received(message: FromThread): void {
    if (message === "unlocked") return
    try {
      if (message === "copied") copied()
      else if (message === "locked") locked()
      else ended(message)
    } catch (cause) {
      thread.send("unlock")
      // Nobody else would notice: without an end of this one, no log would ever be copied again.
      ended({ failed: String(cause) })
    }
  }

  function locked(): void {
    parts.endReads()
    parts.beforeOwnWrite()
    thread.send("restart")
  }

  function ended(message: FromThread): void {
    if (message === "restarted") {
      parts.endReads()
      parts.afterOwnWrite()
      thread.send("unlock")
    }
    const isBegunAnew = message === "restarted" || message === "disturbed"
    pagesWanted = isBegunAnew ? PAGES_MAX : pages + RETRY_PAGES
    if (typeof message === "object" && /FSYNC/.test(message.failed)) parts.onSyncFailure(new Error(message.failed))
    // At once: a command could copy what the new log holds, and the next write would begin it anew.
    if (isBegunAnew) tryToHold()
    running?.resolve()
    running = undefined
    isPaused = false
    parts.resumeWriting()
  }

  function tryToHold(): void {
    try {
      pin.hold()
    } catch {
      // The next commit tries again.
    }
  }

  return {
    committed() {
      if (running !== undefined) return
      try {
        // Now and not before: without pages that are still to be copied, it would not hold the log.
        pin.hold()
        pages = logState.get()?.log ?? 0
        if (pages < pagesWanted) return
        running = Promise.withResolvers()
        copies = 0
        copy()
      } catch {
        // The commit counts, whatever happens here. The next one tries again.
        running = undefined
      }
    },
    async close() {
      await running?.promise
      pin.close()
      await thread.close()
    },
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
