import { sweepUploads } from "../actions/upload/sweep.ts"
import { type UploadWorker, workOnUpload } from "../actions/upload/work.ts"
import { nextTurn } from "../domain/event-loop.ts"
import type { Deps } from "../server/deps.ts"

// A file is worked on as soon as it has arrived: this is for those of another server that was killed or is busy.
const CHECK_INTERVAL_MS = 5_000
const SWEEP_INTERVAL_MS = 60_000
const NAME_BYTES = 8
const MEBIBYTE = 1_048_576
// A small file does not wait for a large one.
const FILES_AT_A_TIME_MAX = 3
// What takes longer gets a page with a progress bar.
const SETTLED_MS_MAX = 1_000

export interface UploadJobs extends AsyncDisposable {
  start(): void
  /** Looks for work at once. Resolves when all of it is done, or after a second. */
  settled(): Promise<void>
}

/** Reads and reports uploaded files, a few at a time on each server, and removes those that nobody needs any more. */
export function workOnUploads(parts: Deps): UploadJobs {
  const stop = new AbortController()
  const worker: UploadWorker = {
    name: Buffer.from(parts.random(NAME_BYTES)).toString("hex"),
    pause: nextTurn,
    stopping: stop.signal,
  }
  const working = new Set<Promise<void>>()
  const timers: NodeJS.Timeout[] = []
  let sweeping: Promise<void> | undefined

  async function work(): Promise<void> {
    try {
      let isMore = true
      while (isMore && !stop.signal.aborted) {
        isMore = await workOnUpload(parts, worker)
        // At once, because a program may send a file every second.
        if (isMore) sweep()
      }
    } catch (cause) {
      parts.log.warn("uploads not looked at", { cause: String(cause) })
    }
  }

  function wake(): void {
    if (working.size >= FILES_AT_A_TIME_MAX || stop.signal.aborted) return
    const job: Promise<void> = work().finally(() => working.delete(job))
    working.add(job)
  }

  function sweep(): void {
    sweeping ??= sweepUploads(parts, { ...worker, fileBytesMax: parts.config.maxUploadMb * MEBIBYTE })
      .catch((cause) => parts.log.warn("uploads not swept", { cause: String(cause) }))
      .finally(() => {
        sweeping = undefined
      })
  }

  return {
    start() {
      timers.push(setInterval(wake, CHECK_INTERVAL_MS), setInterval(sweep, SWEEP_INTERVAL_MS))
      wake()
    },
    async settled() {
      wake()
      await Promise.race([Promise.all(working), Bun.sleep(SETTLED_MS_MAX)])
    },
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer)
      stop.abort()
      await Promise.all([...working, sweeping])
    },
  }
}
