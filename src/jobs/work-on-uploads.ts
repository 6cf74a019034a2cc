import { atMost } from "../actions/upload/at-most.ts"
import { type Preview, workOut } from "../actions/upload/preview.ts"
import { reportFile, sayWaiting } from "../actions/upload/report.ts"
import { sweepUploads } from "../actions/upload/sweep.ts"
import type { Upload } from "../domain/upload/upload.ts"
import type { WebContext } from "../doors/web/web-context.ts"
import type { Deps } from "../server/deps.ts"
import { singleRun } from "./single-run.ts"

const SWEEP_INTERVAL_MS = 10_000
const MEBIBYTE = 1_048_576
// What takes longer gets a page with a progress bar.
const SHORT_MS = 1_000
// Long enough for that page to fetch it, and to look through it; what was quick is worked out again.
const PREVIEW_KEPT_MS = 60_000
// A large file takes some 100 MB while it is read and reported; one with long rows, 170.
const FILES_AT_A_TIME_MAX = 3
// The sweep takes back what nobody has said anything about for longer.
const SAID_EVERY_MS = 1_000
// A server that stops finishes what it reports within this time, or leaves it.
const STOPPING_MS = 3_000

export type UploadJobs = AsyncDisposable & WebContext["uploads"] & { start(): void }

interface Reading {
  readonly preview: Promise<Preview>
  rows: number
  isDone: boolean
}

/** Previews and reports uploaded files, and removes those that nobody needs any more. */
export function workOnUploads(parts: Deps): UploadJobs {
  const readings = new Map<string, Reading>()
  const reporting = new Set<Promise<void>>()
  const inTurn = atMost(FILES_AT_A_TIME_MAX)
  let [isStopping, isClosing] = [false, false]
  let timer: NodeJS.Timeout | undefined
  const sweep = singleRun(
    () => sweepUploads(parts, parts.config.maxUploadMb * MEBIBYTE, () => isClosing),
    (cause) => parts.log.warn("uploads not swept", { cause: String(cause) }),
  )

  function read(upload: Upload, key: string): Reading {
    const began = performance.now()
    const preview = inTurn(() =>
      workOut(parts, upload, async (rows) => {
        if (isClosing) throw new Error("the server stops")
        reading.rows = rows
      }),
    )
    const reading: Reading = { preview, rows: 0, isDone: false }
    readings.set(key, reading)
    const end = () => {
      reading.isDone = true
      const isQuick = performance.now() - began < SHORT_MS
      setTimeout(() => readings.delete(key), isQuick ? 0 : PREVIEW_KEPT_MS).unref()
      const kept = [...readings].filter(([, { isDone }]) => isDone)
      for (const [oldest] of kept.slice(0, -FILES_AT_A_TIME_MAX)) readings.delete(oldest)
    }
    preview.then(end, end)
    return reading
  }

  async function report(organizationId: number, id: number): Promise<void> {
    const upload = await parts.store.uploads.find(organizationId, id)
    if (upload?.state !== "reporting") return
    const waiting = setInterval(() => void sayWaiting(parts, upload).catch(() => undefined), SAID_EVERY_MS)
    try {
      await inTurn(() => {
        clearInterval(waiting)
        return reportFile(parts, upload, () => isStopping)
      })
    } catch (cause) {
      // The sweep takes it back.
      parts.log.error("upload not reported", cause, { upload: id, organization: organizationId })
    }
    // At once, because a program may send a file every second.
    void sweep.start()
  }

  return {
    start() {
      timer = setInterval(sweep.start, SWEEP_INTERVAL_MS)
      void sweep.start()
    },
    async preview(upload) {
      const key = keyOf(upload)
      const reading = readings.get(key) ?? read(upload, key)
      return Promise.race([reading.preview, Bun.sleep(SHORT_MS).then(() => reading.rows)])
    },
    rowsRead(upload) {
      const reading = readings.get(keyOf(upload))
      return reading === undefined || reading.isDone ? null : reading.rows
    },
    async report(organizationId, id) {
      const work: Promise<void> = report(organizationId, id).finally(() => reporting.delete(work))
      reporting.add(work)
      await Promise.race([work, Bun.sleep(SHORT_MS)])
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      isClosing = true
      const stop = setTimeout(() => {
        isStopping = true
      }, STOPPING_MS)
      const previews = [...readings.values()].map(({ preview }) => preview.catch(() => null))
      await Promise.all([...reporting, sweep.running(), ...previews])
      clearTimeout(stop)
    },
  }
}

/** Another one after every change of the file. */
const keyOf = ({ id, changedAt }: Upload) => `${id} ${changedAt}`
