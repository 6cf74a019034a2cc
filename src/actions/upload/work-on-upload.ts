import { NotCsv } from "../../domain/csv/csv-splitter.ts"
import { MICROS_PER_SECOND } from "../../domain/time/moment.ts"
import { fileReport } from "../../domain/upload/file-report.ts"
import { EMPTY_SUMMARY, type Upload } from "../../domain/upload/upload.ts"
import type { UploadChange } from "../../storage/port/store.ts"
import { type ReportContext, writesOf } from "../context.ts"
import { noteFile } from "../delivery/note-feed-request.ts"
import { readUpload } from "./read-upload.ts"
import { reportRows } from "./report-rows.ts"

// A server that was killed is replaced after this time; a living one says so every second.
const LEASE_SECONDS = 10
const PROGRESS_SECONDS = 1

/** What the server that works on uploads has of its own. */
export interface UploadWorker {
  /** Different on every server and after every start. */
  readonly name: string
  /** Lets others be served. */
  readonly pause: () => Promise<void>
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
}

/** One file that a server works on. */
export interface UploadJob {
  readonly upload: Upload
  readonly pause: () => Promise<void>
  /** Notes how far the work has got, about once a second. Throws when the file was taken away. */
  noteProgress(rowsDone: number, more: () => UploadChange): Promise<void>
  /** Notes it at once. */
  save(change: UploadChange): Promise<void>
}

/** Thrown when somebody discarded the file, another server has it, or this one stops. */
class TakenAway extends Error {
  override readonly name = "TakenAway"
}

/** Counts a file of a program among what its key sent, once it is done with. */
function noteOutcome(context: ReportContext, upload: Upload): void {
  const { organizationId, state, choices } = upload
  if (choices.sent === null || (state !== "done" && state !== "unreadable")) return
  noteFile(context, { organizationId, keyId: choices.sent.keyId }, fileReport(upload, []).reported)
}

/** Reads or reports the next file that waits for it. False when none does. */
export async function workOnUpload(context: ReportContext, worker: UploadWorker): Promise<boolean> {
  const { clock } = context
  const { uploads } = writesOf(context)
  const until = () => clock() + LEASE_SECONDS * MICROS_PER_SECOND
  const upload = await uploads.claim(worker.name, clock(), until())
  if (upload === null) return false
  let notedAt = clock()
  const save = async (change: UploadChange) => {
    // A server that stops, or is done with this step, leaves the file to the next one at once.
    const isLast = worker.stopping.aborted || change.state !== undefined
    const isKept = await uploads.progress(upload.id, worker.name, change, isLast ? clock() : until())
    if (!isKept || (isLast && change.state === undefined)) throw new TakenAway()
    notedAt = clock()
    noteOutcome(context, { ...upload, ...change })
  }
  const job: UploadJob = {
    upload,
    pause: worker.pause,
    save,
    async noteProgress(rowsDone, more) {
      if (worker.stopping.aborted || clock() - notedAt >= PROGRESS_SECONDS * MICROS_PER_SECOND) {
        await save({ rowsDone, ...more() })
      }
    },
  }
  try {
    await (upload.state === "reading" ? readUpload(context, job) : reportRows(context, job))
  } catch (cause) {
    if (cause instanceof NotCsv) {
      const problem = `This file could not be read as CSV: ${cause.message}.`
      await save({ state: "unreadable", summary: { ...EMPTY_SUMMARY, problem } })
    } else if (!(cause instanceof TakenAway)) {
      // Tried again when the lease is over, from where it got to.
      context.log.error("upload not finished", cause, { upload: upload.id, organization: upload.organizationId })
    }
  }
  return true
}
