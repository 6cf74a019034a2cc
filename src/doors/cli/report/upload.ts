import type { Progress } from "../progress.ts"
import type { RowOutcome } from "./feeds.ts"
import type { RejectedRows } from "./rejected.ts"
import { batchesOf, misreadNumber, type Row } from "./rows.ts"
import { type Sender, sendRows } from "./send.ts"

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

export interface ResumePoint {
  /** The first row without a response. */
  readonly row: number
  answered(row: number): void
}

/** Tracks where to resume. Rows are answered in another order than the file has them. */
export function resumePoint(firstRow: number): ResumePoint {
  const ahead = new Set<number>()
  let row = firstRow
  return {
    get row() {
      return row
    },
    answered(number) {
      ahead.add(number)
      while (ahead.delete(row)) row++
    },
  }
}

/** Counts the outcomes of all rows so far. */
export interface Tally {
  rows: number
  accepted: number
  rejected: number
  readonly effects: Record<string, number>
  readonly reasons: Record<string, number>
}

export function emptyTally(): Tally {
  return { rows: 0, accepted: 0, rejected: 0, effects: {}, reasons: {} }
}

export function count(tally: Tally, { reason, effect }: RowOutcome): void {
  tally.rows++
  if (reason === undefined) tally.accepted++
  else tally.rejected++
  if (reason !== undefined) tally.reasons[reason] = (tally.reasons[reason] ?? 0) + 1
  if (effect !== undefined) tally.effects[effect] = (tally.effects[effect] ?? 0) + 1
}

export function summary({ rows, accepted, rejected, effects, reasons }: Tally, dryRun: boolean): string {
  const parts = (counts: Readonly<Record<string, number>>) => {
    const named = Object.entries(counts).map(([name, number]) => `${number.toLocaleString("en")} ${name}`)
    return named.length === 0 ? "" : ` (${named.join(", ")})`
  }
  const number = (value: number) => value.toLocaleString("en")
  const lines = [
    `${number(rows)} ${rows === 1 ? "row" : "rows"}: ${number(accepted)} accepted${parts(effects)}, ${number(rejected)} rejected${parts(reasons)}.`,
    ...(dryRun ? ["Nothing was written: this was a dry run."] : []),
  ]
  return `${lines.join("\n")}\n`
}
