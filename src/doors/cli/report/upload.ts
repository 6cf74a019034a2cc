import { batchesOf } from "./batches.ts"
import type { Progress } from "./progress.ts"
import { misreadNumber, type Row } from "./read-rows.ts"
import type { RejectedRows } from "./rejected.ts"
import { type ResumePoint, resumePoint } from "./resume-point.ts"
import { type Sender, sendRows } from "./send.ts"
import { count, emptyTally, summary, type Tally } from "./tally.ts"

/** How far sending a file has come. */
export interface Upload {
  readonly tally: Tally
  readonly resume: ResumePoint
  readonly rejected: RejectedRows
  readonly progress: Progress
  /** Rows that were sent and have no answer yet. */
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

/** What was sent until it ended too early, and how to go on. */
export function soFar({ tally, inFlight, resume }: Upload, dryRun: boolean): string {
  const rows = inFlight === 1 ? "1 row was" : `${inFlight.toLocaleString("en")} rows were`
  const fate = dryRun ? "not checked." : "on the way: whether the server took them is not known."
  const unknown = inFlight === 0 ? "" : `${rows} ${fate}\n`
  const goOn = `Send the file again, or go on with --from-row ${resume.row}. Sending rows again is safe: what is there already does not change.`
  return `${summary(tally, dryRun)}${unknown}${goOn}`
}
