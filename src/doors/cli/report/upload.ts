import type { Progress } from "../progress.ts"
import type { RowOutcome, SentFeed } from "./feeds.ts"
import type { RejectedRows } from "./rejected.ts"
import { batchesOf, jsonOf, misreadNumber, type Row } from "./rows.ts"
import { notOurAnswer, PAUSES_SECONDS, patiently, pauseFor, refusal, request, type Server } from "./server.ts"

/** The progress of sending a file. */
export interface Upload {
  readonly tally: Tally
  readonly resume: ReturnType<typeof resumePoint>
  readonly rejected: RejectedRows
  readonly progress: Progress
  /** Rows sent without a response yet. */
  inFlight: number
}

export function beginUpload(firstRow: number, rejected: RejectedRows, progress: Progress): Upload {
  const tally = { rows: 0, accepted: 0, rejected: 0, effects: {}, reasons: {} }
  return { tally, resume: resumePoint(firstRow), rejected, progress, inFlight: 0 }
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

/** Tracks where to resume. Rows are answered in another order than the file has them. */
function resumePoint(firstRow: number) {
  const ahead = new Set<number>()
  let row = firstRow
  return {
    /** The first row without a response. */
    get row() {
      return row
    },
    answered(number: number): void {
      ahead.add(number)
      while (ahead.delete(row)) row++
    },
  }
}

/** Counts the outcomes of all rows so far. */
interface Tally {
  rows: number
  accepted: number
  rejected: number
  readonly effects: Record<string, number>
  readonly reasons: Record<string, number>
}

function count(tally: Tally, { reason, effect }: RowOutcome): void {
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

export interface Sender extends Server {
  readonly feed: SentFeed
  readonly header: readonly string[]
  readonly dryRun: boolean
  /** Called with the reason for a pause. */
  readonly onPause: (sentence: string) => void
}

/** Sends rows and returns the outcome of each. Failed requests are repeated, which is safe because figures are totals. */
async function sendRows(sender: Sender, rows: readonly Row[], attempt = 0): Promise<readonly RowOutcome[]> {
  const answer = await send(sender, rows)
  if (answer === "too large" && rows.length > 1) {
    const middle = Math.ceil(rows.length / 2)
    const first = await sendRows(sender, rows.slice(0, middle))
    return [...first, ...(await sendRows(sender, rows.slice(middle)))]
  }
  if (answer === "too large")
    return [{ reason: "too_large", message: "This row is larger than the largest request the server accepts." }]
  const outcomes = sender.feed.outcomes(answer, rows.length)
  if (outcomes === null) throw notOurAnswer(sender.url)
  return sendFailedAgain(sender, rows, outcomes, attempt)
}

/** Sends rows again, after a pause, that failed with an internal error. */
async function sendFailedAgain(
  sender: Sender,
  rows: readonly Row[],
  outcomes: readonly RowOutcome[],
  attempt: number,
): Promise<readonly RowOutcome[]> {
  const failed = rows.filter((_, i) => outcomes[i]?.reason === "internal_error")
  const pause = PAUSES_SECONDS[attempt]
  if (failed.length === 0 || pause === undefined) return outcomes
  await pauseFor(sender, pause, `The server could not store ${failed.length} rows.`, sender.onPause)
  const again = [...(await sendRows(sender, failed, attempt + 1))]
  return outcomes.map((outcome) => (outcome.reason === "internal_error" ? (again.shift() ?? outcome) : outcome))
}

async function send(sender: Sender, rows: readonly Row[]): Promise<unknown> {
  const { url, feed, header, dryRun, onPause } = sender
  const content = `{"${feed.field}":[${rows.map((row) => jsonOf(row, header, feed.csv)).join(",")}]}`
  const path = `${feed.path}${dryRun ? "?dry_run=true" : ""}`
  const response = await patiently(sender, () => request(sender, path, { type: "application/json", content }), onPause)
  if (response.ok) return response.json().catch(() => null)
  if (response.status === 413) return "too large"
  throw await refusal(url, feed.path, response)
}
