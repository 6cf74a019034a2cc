import { fstatSync, statSync } from "node:fs"
import { basename } from "node:path"
import { BUILT_IN } from "../../../domain/presets/built-in.ts"
import { MICROS_PER_MS, type Moment } from "../../../domain/time/moment.ts"
import { ownKind } from "../../../domain/upload/recognize-file.ts"
import { messageOf, UserError } from "../../../domain/user-error.ts"
import { namedFile, UsageError, wholeNumber } from "../arguments.ts"
import { type Chosen, command } from "../command.ts"
import type { CliContext } from "../context.ts"
import { Interrupted, printJson, unlessStopped } from "../io.ts"
import { progressOf } from "../progress.ts"
import { reportExport } from "../report/export-file.ts"
import { CODES, DELIVERY, METRICS, type SentFeed } from "../report/feeds.ts"
import type { RejectedRows } from "../report/rejected.ts"
import { readTable, type Source, withColumns } from "../report/rows.ts"
import { type Server, serverOf, serverOptions } from "../report/server.ts"
import { beginUpload, type Sender, sendAll, soFar, summary, type Upload } from "../report/upload.ts"
import { presetsCommand } from "./presets.ts"
import { watchCommand } from "./watch.ts"

const TIMEOUT_SECONDS = 30
const TIMEOUT_SECONDS_MAX = 3_600
// Row 1 is the header.
const FIRST_ROW = 2

const OPTIONS = {
  ...serverOptions(TIMEOUT_SECONDS),
  "--affiliate-codes": "the rows are affiliate codes; usually recognized",
  "--affiliate-metrics": "the rows are affiliate metrics; usually recognized",
  "--preset <NAME>": "read the file with this preset and no other: see adbooth report presets",
  "--allow-lower": "totals may go down, in an export of another system",
  "--dry-run": "check the rows without storing them",
  "--rejected <FILE.csv>": "where to write rejected rows (default: standard output)",
  "--from-row <N>": "skip the rows before this one; the header is row 1",
} as const

type ReportOptions = Chosen<unknown, typeof OPTIONS>

const ABOUT =
  "send delivery totals, affiliate codes or affiliate metrics from a CSV file to a server, which recognizes what the file is"
export const reportCommand = command("report <FILE.csv>", ABOUT, {
  summary: "send figures from a CSV file to a server",
  words: { "FILE.csv": "the file to send, with column names in its first row; - for standard input" },
  options: OPTIONS,
  json: "print the summary as JSON; rejected rows are then written only with --rejected",
  notes: [
    `A file is recognized by its columns: our own names (${DELIVERY.csv.columns.join(", ")} for totals), the export of a system that there is a preset for, your own line IDs (external_id), or columns that someone matched in the app. Sending a file twice is safe: figures are totals, so they do not count twice.`,
  ],
  examples: [
    ["report totals.csv", "to the server that ADBOOTH_URL names, with the key in ADBOOTH_KEY"],
    ["report google-ad-manager.csv --url https://ads.example.com"],
    ["report totals.csv --dry-run", "check the rows without storing them"],
    ["report totals.csv --rejected rejected.csv", "rows to correct and send again"],
    ["report totals.csv --from-row 5001", "continue where it stopped"],
  ],
  below: [presetsCommand, watchCommand],
  run: ({ cli, options }, file: string) => report(cli, file, options),
})

async function report(context: CliContext, file: string, options: ReportOptions): Promise<void> {
  const server = serverOf(context, options, TIMEOUT_SECONDS_MAX)
  const feed = feedOf(options)
  if (options.fromRow !== undefined) wholeNumber("--from-row", options.fromRow, FIRST_ROW)
  if (options.rejected !== undefined) namedFile("--rejected", options.rejected)
  const opened = await open(file, context)
  if (options.preset !== undefined) return reportWhole(context, server, opened, options)
  const { columns, bytes } = await withColumns(opened)
  const kind = ownKind(columns, BUILT_IN)
  const ours = feed ?? (kind && FEEDS[kind])
  if (ours === undefined && columns.length > 0) return reportWhole(context, server, { ...opened, bytes }, options)
  if (options.allowLower) throw new UsageError("--allow-lower is for files that the server reads as a whole.")
  await reportByRow(context, { ...opened, bytes }, { ...server, feed: ours ?? DELIVERY }, options)
}

async function reportByRow(
  context: CliContext,
  { file, size, ...source }: Opened,
  server: Omit<Wanted, "stop" | "dryRun">,
  options: ReportOptions,
): Promise<void> {
  const wanted = { ...server, dryRun: options.dryRun === true }
  const firstRow = Number(options.fromRow ?? FIRST_ROW)
  refuseToReplaceInput(file, options.rejected)
  using rejected = await rejectedRows(context, options)
  const stop = context.stopSignal()
  const progress = progressOf(context.io, size, context.clock)
  const upload = beginUpload(firstRow, rejected, progress)
  try {
    await unlessStopped(stop, sendFile(source, firstRow, { ...wanted, stop }, upload))
  } catch (cause) {
    if (options.json) printUnfinished(context, upload, wanted.dryRun)
    if (!(cause instanceof UserError) || upload.tally.rows === 0) throw cause
    rejected.keep()
    throw new UserError(`${cause.message}\nBefore that: ${soFar(upload, wanted.dryRun)}`, { cause })
  } finally {
    progress.stop()
  }
  rejected.keep()
  if (stop.aborted) {
    if (options.json) printUnfinished(context, upload, wanted.dryRun)
    throw new Interrupted(`Stopped. ${soFar(upload, wanted.dryRun)}`, Number(stop.reason))
  }
  const { tally } = upload
  if (options.json) printJson(context.io, { ...tally, dry_run: wanted.dryRun })
  if (tally.rejected > 0) throw new UserError(summary(tally, wanted.dryRun).trimEnd())
  context.io.err(summary(tally, wanted.dryRun))
}

const BY_ROW_ONLY = {
  affiliateCodes: "--affiliate-codes",
  affiliateMetrics: "--affiliate-metrics",
  rejected: "--rejected",
  fromRow: "--from-row",
} as const

/** The export of another system, or a file that names lines in another way: the server reads it as a whole. */
async function reportWhole(
  context: CliContext,
  server: Omit<Server, "stop">,
  { file, bytes, modifiedAt }: Opened,
  options: ReportOptions,
): Promise<void> {
  for (const [name, option] of Object.entries(BY_ROW_ONLY))
    if (options[name as keyof typeof BY_ROW_ONLY] !== undefined)
      throw new UsageError(
        `${option} is for files with our own column names: ${DELIVERY.csv.columns.join(", ")}. The server reads this file as a whole.`,
      )
  const content = await new Response(bytes).bytes()
  const sent = { name: file === "-" ? "standard-input.csv" : basename(file), bytes: content, modifiedAt }
  await reportExport(context, { ...server, stop: context.stopSignal() }, sent, options)
}

/** What was sent before it stopped, and the row to continue with. */
function printUnfinished({ io }: CliContext, { tally, resume }: Upload, dryRun: boolean): void {
  printJson(io, { ...tally, dry_run: dryRun, from_row: resume.row })
}

type Wanted = Omit<Sender, "header" | "onPause">

async function sendFile(source: Source, firstRow: number, wanted: Wanted, upload: Upload): Promise<void> {
  const { header, rows } = await readTable(source, wanted.feed.csv, wanted.feed.uniqueColumn, firstRow)
  await sendAll(rows, { ...wanted, header, onPause: upload.progress.say }, upload)
}

async function rejectedRows({ io }: CliContext, { rejected, json }: ReportOptions): Promise<RejectedRows> {
  const { rejectedDropped, rejectedToFile, rejectedToOutput } = await import("../report/rejected.ts")
  if (rejected !== undefined && rejected !== "-") return rejectedToFile(rejected)
  return json ? rejectedDropped() : rejectedToOutput(io)
}

/** Compares device and inode, because a file may have several names. */
function refuseToReplaceInput(file: string, rejected: string | undefined): void {
  const target = rejected === undefined ? undefined : statSync(rejected, { throwIfNoEntry: false })
  if (target === undefined) return
  const input = file === "-" ? fstatSync(0) : statSync(file)
  if (input.dev === target.dev && input.ino === target.ino)
    throw new UsageError(`--rejected is the file that is being sent: ${rejected}. Choose another.`)
}

const FEEDS = { delivery: DELIVERY, affiliate_codes: CODES, affiliate_metrics: METRICS }

/** What the options say that the rows are. */
function feedOf({ affiliateCodes, affiliateMetrics }: ReportOptions): SentFeed | undefined {
  if (affiliateCodes && affiliateMetrics) throw new UsageError("Use either --affiliate-codes or --affiliate-metrics.")
  if (affiliateCodes) return CODES
  return affiliateMetrics ? METRICS : undefined
}

interface Opened extends Source {
  readonly file: string
  /** Null where nobody knows. */
  readonly size: number | null
  readonly modifiedAt: Moment
}

async function open(file: string, { io, clock }: CliContext): Promise<Opened> {
  if (file === "-") return { file, name: "Standard input", size: null, modifiedAt: clock(), bytes: io.inputStream() }
  const opened = Bun.file(file)
  const stat = await opened.stat().catch((cause: unknown) => {
    throw new UserError(`${file} cannot be read: ${messageOf(cause)}.`, { cause })
  })
  if (stat.isDirectory())
    throw new UserError(
      `${file} is a folder. Name a file, or report every file in it: adbooth report watch ${file} --once`,
    )
  const modifiedAt = Math.floor(stat.mtimeMs) * MICROS_PER_MS
  return { file, name: file, size: stat.size, modifiedAt, bytes: opened.stream() }
}
