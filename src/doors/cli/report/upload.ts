import { batchesOf } from "./batches.ts"
import type { Progress } from "./progress.ts"
import { misreadNumber, type Row } from "./read-rows.ts"
import type { RejectedRows } from "./rejected.ts"
import { type ResumePoint, resumePoint } from "./resume-point.ts"
import { type Sender, sendRows } from "./send.ts"
import { count, emptyTally, summary, type Tally } from "./tally.ts"

/** The progress of sending a file. */
export interface Upload {
  readonly tally: Tally
  readonly resume: ResumePoint
  readonly rejected: RejectedRows
  readonly progress: Progress
  /** Rows sent without a response yet. */
  inFlight: number
}

export function beginUpload(firstRow: number, rejected: RejectedRows, progress: Progress): Upload {
  return { tally: emptyTally(), resume: resumePoint(firstRow), rejected, progress, inFlight: 0 }
}

export async function sendAll(rows: AsyncIterable<Row>, sender: Sender, upload: Upload): Promise<void> {
  for await (const batch of batchesOf(rows, sender.feed.rows.max)) {
    upload.inFlight = batch.length
    const outcomes = await sendRows(sender, batch)
    upload.inFlight = 0
    let bytes = 0
    for (const [i, row] of batch.entries()) {
      const outcome = outcomes[i] ?? {}
      count(upload.tally, outcome)
      upload.resume.answered(row.number)
      bytes += row.bytes
      if (outcome.reason === undefined) continue
      const misread = misreadNumber(row, sender.header, sender.feed.csv)
      upload.rejected.add(sender.header, row, misread === undefined ? outcome : { ...outcome, message: misread })
    }
    upload.progress.answered(bytes, upload.tally)
  }
}

/** What was sent before it stopped, and how to continue. */
export function soFar({ tally, inFlight, resume }: Upload, dryRun: boolean): string {
  const [rows, them] = inFlight === 1 ? ["1 row was", "it"] : [`${inFlight.toLocaleString("en")} rows were`, "them"]
  const fate = dryRun ? "not checked." : `in flight: the server may or may not have stored ${them}.`
  const unknown = inFlight === 0 ? "" : `${rows} ${fate}\n`
  const advice = `Send the file again, or continue with --from-row ${resume.row}. Sending rows twice is safe: they do not count twice.`
  return `${summary(tally, dryRun)}${unknown}${advice}`
}
