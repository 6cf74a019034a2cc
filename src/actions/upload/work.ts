import { NotCsv } from "../../domain/csv/csv-reader.ts"
import { UPLOAD_ATTEMPTS_MAX } from "../../domain/limits.ts"
import { MICROS_PER_SECOND, type Moment } from "../../domain/time/moment.ts"
import { fileReport } from "../../domain/upload/file-report.ts"
import { notCsv, type Upload, type UploadChange, unreadable } from "../../domain/upload/upload.ts"
import { StoreUnavailable } from "../../storage/port/unavailable.ts"
import { type ReportContext, transactBeside } from "../context.ts"
import { noteFile } from "../delivery/note-feed-request.ts"
import { claimFile, noteProgress, type UploadJob } from "./file-state.ts"
import { readUpload } from "./preview.ts"
import { reportRows } from "./report.ts"

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

/** Thrown when somebody discarded the file, another server has it, or this one stops. */
class TakenAway extends Error {
  override readonly name = "TakenAway"
}

/** Counts a file of a program among what its key sent, once it is done with. */
function noteOutcome(context: ReportContext, upload: Upload): void {
  const { organizationId, state, choices } = upload
  if (choices.sent === null || choices.sent.dryRun || (state !== "done" && state !== "unreadable")) return
  noteFile(context, { organizationId, keyId: choices.sent.keyId }, fileReport(upload, []).accepted)
}

/** Reads or reports the next file that waits for it. False when none does. */
export async function workOnUpload(context: ReportContext, worker: UploadWorker): Promise<boolean> {
  const { clock } = context
  const now = clock()
  const upload = await transactBeside(context, (tx) => claimFile(tx, worker.name, now, leaseFrom(now)))
  if (upload === null) return false
  const job = jobOf(context, worker, upload)
  try {
    await job.begin()
    await (upload.state === "reading" ? readUpload(context, job) : reportRows(context, job))
  } catch (cause) {
    if (cause instanceof NotCsv) {
      await job.save(unreadable(notCsv(cause)))
    } else if (!(cause instanceof TakenAway)) {
      // Tried again when the lease is over, from where it got to.
      context.log.error("upload not finished", cause, { upload: upload.id, organization: upload.organizationId })
      if (cause instanceof StoreUnavailable) await job.leave().catch(() => undefined)
    }
  }
  return true
}

const leaseFrom = (now: Moment) => now + LEASE_SECONDS * MICROS_PER_SECOND

interface ClaimedJob extends UploadJob {
  /** Counts an attempt before it is made: whoever ends the server with a file gets no further than the last one. */
  begin(): Promise<void>
  /** Takes the attempt back: it was not because of the file. */
  leave(): Promise<void>
}

function jobOf(context: ReportContext, worker: UploadWorker, upload: Upload): ClaimedJob {
  const { clock } = context
  const before = upload.summary.attempts
  let summary = upload.summary
  let notedAt = clock()

  async function store(change: UploadChange, attempts: number, until: Moment): Promise<boolean> {
    summary = { ...(change.summary ?? summary), attempts }
    notedAt = clock()
    const to = { ...change, summary }
    return transactBeside(context, (tx) => noteProgress(tx, upload.id, worker.name, to, until))
  }

  async function save(change: UploadChange): Promise<void> {
    // A server that stops, or is done with this step, leaves the file to the next one at once.
    const isDone = change.state !== undefined
    const isLast = worker.stopping.aborted || isDone
    // What is reported once is not reported again, so an attempt that got further counts as none.
    const isFurther = upload.state === "reporting" && (change.rowsDone ?? 0) > upload.rowsDone
    const attempts = isDone || isFurther ? 0 : isLast ? before : summary.attempts
    const isKept = await store(change, attempts, isLast ? clock() : leaseFrom(clock()))
    if (!isKept || (isLast && !isDone)) throw new TakenAway()
    noteOutcome(context, { ...upload, ...change })
  }

  return {
    upload,
    pause: worker.pause,
    save,
    async begin() {
      if (before >= UPLOAD_ATTEMPTS_MAX) {
        await save(givenUp(upload))
        throw new TakenAway()
      }
      if (!(await store({}, before + 1, leaseFrom(clock())))) throw new TakenAway()
    },
    leave: async () => void (await store({}, before, leaseFrom(clock()))),
    async noteProgress(rowsDone, more) {
      if (worker.stopping.aborted || clock() - notedAt >= PROGRESS_SECONDS * MICROS_PER_SECOND) {
        await save({ rowsDone, ...more() })
      }
    },
  }
}

function givenUp({ state, summary }: Upload): UploadChange {
  if (state === "reading") return unreadable(GIVEN_UP_READING)
  return { state: "done", summary: { ...summary, problem: GIVEN_UP_REPORTING } }
}

const GIVEN_UP_READING = `This file could not be read in ${UPLOAD_ATTEMPTS_MAX} attempts. Check it for damaged rows, or split it, then upload it again.`
const GIVEN_UP_REPORTING = `Only part of this file was reported: ${UPLOAD_ATTEMPTS_MAX} attempts failed. Upload it again: nothing counts twice.`
