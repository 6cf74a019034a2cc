import { fstatSync, statSync } from "node:fs"
import type { Command } from "commander"
import { messageOf, UserError } from "../../../domain/user-error.ts"
import { namedFile, UsageError, wholeNumber } from "../arguments.ts"
import type { CliContext, CommonOptions } from "../context.ts"
import { explained } from "../help.ts"
import { Interrupted, printJson, unlessStopped } from "../io.ts"
import { progressOf } from "../progress.ts"
import { reportExport } from "../report/export-file.ts"
import { CODES, DELIVERY, METRICS, type SentFeed } from "../report/feeds.ts"
import { type RejectedRows, rejectedDropped, rejectedToFile, rejectedToOutput } from "../report/rejected.ts"
import { readTable, type Source } from "../report/rows.ts"
import { type ServerOptions, serverOf, withServer } from "../report/server.ts"
import { beginUpload, type Sender, sendAll, soFar, summary, type Upload } from "../report/upload.ts"
import { addPresets } from "./presets.ts"

const TIMEOUT_SECONDS = 30
const TIMEOUT_SECONDS_MAX = 3_600
// Row 1 is the header.
const FIRST_ROW = 2

interface ReportOptions extends CommonOptions, ServerOptions {
  readonly affiliateCodes?: boolean
  readonly affiliateMetrics?: boolean
  readonly preset?: string
  readonly allowLower?: boolean
  readonly dryRun?: boolean
  readonly rejected?: string
  readonly fromRow: string
}

export function reportCommand(program: Command, context: CliContext): void {
  const command = withServer(program.command("report"), TIMEOUT_SECONDS)
    .summary("send figures from a CSV file to a server")
    .description("send delivery totals, affiliate codes or affiliate metrics from a CSV file to a server")
    .argument("<FILE.csv>", "the file to send, with column names in its first row; - for standard input")
    .option("--affiliate-codes", "the rows are affiliate codes: packageId, code, slug")
    .option("--affiliate-metrics", "the rows are affiliate metrics: code, date, clicks, conversions, conversionValue")
    .option("--preset <NAME>", "the file is an export of another system: a preset from adbooth report presets, or auto")
    .option("--allow-lower", "with --preset: totals may go down")
    .option("--dry-run", "check the rows without storing them")
    .option("--rejected <FILE.csv>", "where to write rejected rows (default: standard output)")
    .option("--from-row <N>", "skip the rows before this one; the header is row 1", String(FIRST_ROW))
    .option("--json", "print the summary as JSON; rejected rows are then written only with --rejected")
    .action((file: string, options: ReportOptions) => report(context, file, options))
  addPresets(command, context)
  explained(command, {
    notes: [
      "Columns of delivery totals: package_id, impressions, downloads, as_of. Sending a file twice is safe: figures are totals, so they do not count twice.",
    ],
    examples: [
      ["report totals.csv --url https://ads.example.com"],
      ["report totals.csv --dry-run", "check the rows without storing them"],
      ["report totals.csv --rejected rejected.csv", "rows to correct and send again"],
      ["report totals.csv --from-row 5001", "continue where it stopped"],
    ],
  })
}

async function report(context: CliContext, file: string, options: ReportOptions): Promise<void> {
  if (options.preset !== undefined) return reportWithPreset(context, file, { ...options, preset: options.preset })
  if (options.allowLower) throw new UsageError("--allow-lower goes with --preset.")
  const wanted = {
    feed: feedOf(options),
    ...serverOf(context, options, TIMEOUT_SECONDS_MAX),
    dryRun: options.dryRun === true,
  }
  const firstRow = wholeNumber("--from-row", options.fromRow, FIRST_ROW)
  if (options.rejected !== undefined) namedFile("--rejected", options.rejected)
  const { size, bytes } = await open(file, context)
  refuseToReplaceInput(file, options.rejected)
  using rejected = rejectedRows(context, options)
  const stop = context.stopSignal()
  const progress = progressOf(context.io, size, context.clock)
  const upload = beginUpload(firstRow, rejected, progress)
  const source: Source = { name: file === "-" ? "The input" : file, bytes }
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

const NOT_WITH_PRESET = ["affiliateCodes", "affiliateMetrics", "dryRun", "rejected"] as const

function reportWithPreset(
  context: CliContext,
  file: string,
  options: ReportOptions & { readonly preset: string },
): Promise<void> {
  if (file === "-" || NOT_WITH_PRESET.some((name) => options[name] !== undefined))
    throw new UsageError(
      "--preset sends a file as it is: without --affiliate-codes, --affiliate-metrics, --dry-run and --rejected, and not from standard input.",
    )
  const server = { ...serverOf(context, options, TIMEOUT_SECONDS_MAX), stop: context.stopSignal() }
  const { preset, allowLower = false, json = false } = options
  return reportExport(context, server, file, { preset, allowLower, json })
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

function rejectedRows({ io }: CliContext, { rejected, json }: ReportOptions): RejectedRows {
  if (rejected !== undefined && rejected !== "-") return rejectedToFile(rejected)
  return json ? rejectedDropped() : rejectedToOutput(io)
}

/** Compares device and inode, because a file may have several names. */
function refuseToReplaceInput(file: string, rejected: string | undefined): void {
  const target = rejected === undefined ? undefined : statSync(rejected, { throwIfNoEntry: false })
  if (target === undefined) return
  const input = file === "-" ? fstatSync(0) : statSync(file)
  if (input.dev === target.dev && input.ino === target.ino)
    throw new UsageError(`--rejected is the file that is being sent: ${rejected}. Choose another one.`)
}

function feedOf({ affiliateCodes, affiliateMetrics }: ReportOptions): SentFeed {
  if (affiliateCodes && affiliateMetrics) throw new UsageError("Use either --affiliate-codes or --affiliate-metrics.")
  if (affiliateCodes) return CODES
  return affiliateMetrics ? METRICS : DELIVERY
}

async function open(file: string, { io }: CliContext): Promise<{ size: number | null; bytes: Source["bytes"] }> {
  if (file === "-") return { size: null, bytes: io.inputStream() }
  const opened = Bun.file(file)
  try {
    const { size } = await opened.stat()
    return { size, bytes: opened.stream() }
  } catch (cause) {
    throw new UserError(`${file} cannot be read: ${messageOf(cause)}.`, { cause })
  }
}
