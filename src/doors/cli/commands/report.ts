import { fstatSync, statSync } from "node:fs"
import { basename } from "node:path"
import { UPLOAD_BYTES_MAX, UPLOAD_MEBIBYTES } from "../../../domain/limits.ts"
import { MICROS_PER_MS } from "../../../domain/time/moment.ts"
import { DATE_ORDERS, isDateOrder } from "../../../domain/time/typed-day.ts"
import { apiColumns } from "../../../domain/upload/columns.ts"
import { FIGURES } from "../../../domain/upload/upload.ts"
import { UserError } from "../../../domain/user-error.ts"
import { inWords } from "../../../files/read-text.ts"
import { namedFile, UsageError } from "../arguments.ts"
import { type Chosen, command } from "../command.ts"
import type { CliContext } from "../context.ts"
import { Interrupted, printJson, ReaderGone } from "../io.ts"
import * as sending from "../report/send-file.ts"
import { readAtMost, SERVER_OPTIONS, type Server, serverOf } from "../report/server.ts"
import { fileInProgress } from "../write-fully.ts"

const OPTIONS = {
  ...SERVER_OPTIONS,
  "--affiliate-codes": "the rows are affiliate codes; usually recognized",
  "--affiliate-metrics": "the rows are affiliate metrics; usually recognized",
  "--figures <KIND>": "what the figures of another system are: totals (so far) or daily (each row is one day)",
  "--dates <ORDER>":
    "how days such as 03/04/2026 are written, where the file does not show it: day_first or month_first",
  "--sheet <NAME>": "the sheet that is meant of an Excel workbook with several",
  "--allow-lower": "totals may go down, in an export of another system",
  "--dry-run": "check the rows without storing them",
  "--rejected <FILE.csv>": "where to write rejected rows (default: standard output)",
} as const

type ReportOptions = Chosen<unknown, typeof OPTIONS>

const ABOUT =
  "send delivery totals, affiliate codes or affiliate metrics from a CSV file to a server, which recognizes what the file is"
export const reportCommand = command("report <FILE.csv>", ABOUT, {
  summary: "send figures from a CSV file to a server",
  words: { "FILE.csv": "the file to send, with column names above its rows; - for standard input" },
  options: OPTIONS,
  json: "print what happened as JSON; rejected rows are then written only with --rejected",
  notes: [
    `A file is recognized by its columns: our own names (${apiColumns("delivery").join(", ")} for totals), the export of a system that there is a preset for, your own line IDs (external_id), or columns that someone matched in the app. Sending a file twice is safe: figures are totals, so they do not count twice.`,
  ],
  examples: [
    ["report totals.csv", "to the server that ADBOOTH_URL names, with the key in ADBOOTH_KEY"],
    ["report google-ad-manager.csv --url https://ads.example.com"],
    ["report daily.csv --figures daily", "an export in which each row is one day"],
    ["report totals.csv --dry-run", "check the rows without storing them"],
    ["report totals.csv --rejected rejected.csv", "rows to correct and send again"],
  ],
  run: ({ cli, options }, file: string) => report(cli, file, options),
})

async function report(context: CliContext, file: string, options: ReportOptions): Promise<undefined> {
  const server = serverOf(context, options)
  const parameters = parametersOf(options)
  const { rejected } = options
  if (rejected !== undefined) namedFile("--rejected", rejected)
  const progress = sending.progressOf(context.io)
  try {
    const sent = { ...(await open(context, file, server.stop)), parameters }
    refuseToReplaceInput(file, rejected)
    await send(context, server, sent, options, progress)
  } catch (cause) {
    if (!server.stop.aborted) throw cause
    const advice = "Stopped. Send the file again: what was reported already does not count twice."
    throw new Interrupted(advice, Number(server.stop.reason))
  } finally {
    progress.stop()
  }
}

async function send(
  { io }: CliContext,
  server: Server,
  file: sending.FileToSend,
  { rejected, json }: ReportOptions,
  progress: sending.Progress,
): Promise<void> {
  // It has no secrets, so the umask decides who may read it.
  using target = rejected === undefined || rejected === "-" ? null : fileInProgress(rejected, 0o666)
  const { rejected_rows: rejectedRows, ...report } = await sending.sendFile(server, file, progress)
  // With --json, standard output has the one document and nothing else.
  if (report.rejected > 0 && (target !== null || !json)) {
    progress.stop()
    if (target === null) unlessUnread(() => io.out(rejectedRows))
    else target.write(rejectedRows)
  }
  target?.keep()
  progress.stop()
  if (json) printJson(io, report)
  const text = sending.reportText(report)
  if (!report.complete) throw new UserError(text)
  io.err(`${text}\n`)
}

/** Whether everything was reported is said also where nobody reads the rows. */
function unlessUnread(write: () => void): void {
  try {
    write()
  } catch (cause) {
    if (!(cause instanceof ReaderGone)) throw cause
  }
}

function parametersOf(options: ReportOptions): sending.FileToSend["parameters"] {
  const { affiliateCodes, affiliateMetrics, figures, dates, sheet, allowLower, dryRun } = options
  if (figures !== undefined && !FIGURES.includes(figures))
    throw new UsageError(`--figures must be ${FIGURES.join(" or ")}; it is "${figures}".`)
  if (dates !== undefined && !isDateOrder(dates))
    throw new UsageError(`--dates must be ${DATE_ORDERS.join(" or ")}; it is "${dates}".`)
  if (affiliateCodes && affiliateMetrics) throw new UsageError("Use either --affiliate-codes or --affiliate-metrics.")
  return {
    kind: affiliateCodes ? "affiliate_codes" : affiliateMetrics ? "affiliate_metrics" : undefined,
    figures,
    dates,
    sheet,
    allow_lower: allowLower ? "true" : undefined,
    dry_run: dryRun ? "true" : undefined,
  }
}

/** Compares device and inode, because a file may have several names. */
function refuseToReplaceInput(file: string, rejected: string | undefined): void {
  const target = rejected === undefined ? undefined : statSync(rejected, { throwIfNoEntry: false })
  if (target === undefined) return
  const input = file === "-" ? fstatSync(0) : statSync(file)
  if (input.dev === target.dev && input.ino === target.ino)
    throw new UsageError(`--rejected is the file that is being sent: ${rejected}. Choose another.`)
}

async function open({ io, clock }: CliContext, file: string, stop: AbortSignal) {
  if (file === "-") {
    const bytes = await contentOf(io.inputStream(), "Standard input", stop)
    return { name: "standard-input.csv", modifiedAt: clock(), bytes }
  }
  const opened = Bun.file(file)
  const stat = inWords(file, () => statSync(file))
  if (stat.isDirectory()) throw new UserError(`${file} is a folder. Name a file.`)
  const modifiedAt = Math.floor(stat.mtimeMs) * MICROS_PER_MS
  return { name: basename(file), modifiedAt, bytes: await contentOf(opened.stream(), file, stop) }
}

/** All of it: a server reads a file as a whole. */
async function contentOf(stream: ReadableStream<Uint8Array>, name: string, stop: AbortSignal): Promise<Uint8Array> {
  const bytes = await readAtMost(UPLOAD_BYTES_MAX, stream, stop)
  stop.throwIfAborted()
  if (bytes === null) throw new UserError(`${name} has more than ${UPLOAD_MEBIBYTES} MB. Split it.`)
  return bytes
}
