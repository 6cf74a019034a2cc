import type { Command } from "commander"
import { Trouble } from "../../../domain/trouble.ts"
import type { CliContext, CommonOptions } from "../context.ts"
import { printJson } from "../io.ts"
import { batchesOf } from "../report/batches.ts"
import { CODES, DELIVERY, METRICS, type SentFeed } from "../report/feeds.ts"
import { type Progress, progressOf } from "../report/progress.ts"
import { misreadNumber, type Row, readTable, type Source, type Table } from "../report/read-rows.ts"
import { type RejectedRows, rejectedToFile, rejectedToOutput } from "../report/rejected.ts"
import { type Sender, sendRows } from "../report/send.ts"
import { count, emptyTally, summary, type Tally } from "../report/tally.ts"
import { UsageError } from "../usage-error.ts"

interface ReportOptions extends CommonOptions {
  readonly url: string
  readonly keyEnv: string
  readonly affiliateCodes?: boolean
  readonly affiliateMetrics?: boolean
  readonly dryRun?: boolean
  readonly rejected?: string
}

export function reportCommand(program: Command, context: CliContext): void {
  program
    .command("report")
    .description("send delivery totals, affiliate codes or affiliate metrics from a CSV file to a server")
    .argument("<FILE.csv>", "the file to send; its first row names the columns; - for standard input")
    .option("--url <URL>", "address of the server", "http://127.0.0.1:3000")
    .option("--key-env <NAME>", "environment variable that holds the API key", "ADBOOTH_KEY")
    .option("--affiliate-codes", "the rows are affiliate codes: packageId, code, slug")
    .option("--affiliate-metrics", "the rows are affiliate metrics: code, date, clicks, conversions, conversionValue")
    .option("--dry-run", "get the answers, but write nothing")
    .option("--rejected <FILE.csv>", "where rejected rows go; standard output unless given")
    .option("--json", "print the summary as one JSON document; rejected rows then go to --rejected only")
    .addHelpText("after", "\nColumns of delivery totals: package_id, impressions, downloads, as_of.")
    .action((file: string, options: ReportOptions) => report(context, file, options))
}

async function report(context: CliContext, file: string, options: ReportOptions): Promise<void> {
  const feed = feedOf(options)
  const key = keyOf(context, options.keyEnv)
  const url = addressOf(options.url)
  const { size, bytes } = await open(file, context)
  const progress = progressOf(context.io, size)
  const source: Source = { name: file === "-" ? "The input" : file, bytes, onBytes: progress.bytes }
  const dryRun = options.dryRun === true
  const tally = emptyTally()
  try {
    const table = await readTable(source, feed.csv, feed.uniqueColumn)
    await using rejected = rejectedRows(context, options, table.header)
    const sender: Sender = { url, key, feed, header: table.header, dryRun, wait: context.wait, onPause: progress.say }
    await sendAll(table, sender, { tally, rejected, progress })
  } catch (cause) {
    if (!(cause instanceof Trouble) || tally.rows === 0) throw cause
    throw new Trouble(`${cause.message}\nBefore that: ${summary(tally, dryRun)}Send the file again: repeating is safe.`)
  } finally {
    progress.stop()
  }
  if (options.json) printJson(context.io, { ...tally, dry_run: dryRun })
  if (tally.rejected > 0) throw new Trouble(summary(tally, dryRun).trimEnd())
  context.io.err(summary(tally, dryRun))
}

interface Watchers {
  readonly tally: Tally
  readonly rejected: RejectedRows
  readonly progress: Progress
}

async function sendAll({ rows }: Table, sender: Sender, { tally, rejected, progress }: Watchers): Promise<void> {
  for await (const batch of batchesOf(counted(rows, progress.row), sender.feed.rows.max)) {
    const outcomes = await sendRows(sender, batch)
    for (const [i, row] of batch.entries()) {
      const outcome = outcomes[i] ?? {}
      count(tally, outcome)
      if (outcome.reason === undefined) continue
      const misread = misreadNumber(row, sender.header, sender.feed.csv)
      rejected.add(row, misread === undefined ? outcome : { ...outcome, message: misread })
    }
    progress.sent(tally)
  }
}

async function* counted(rows: AsyncIterable<Row>, onRow: () => void): AsyncGenerator<Row> {
  for await (const row of rows) {
    onRow()
    yield row
  }
}

function rejectedRows({ io }: CliContext, { rejected, json }: ReportOptions, header: readonly string[]): RejectedRows {
  return rejected === undefined ? rejectedToOutput(header, io, json === true) : rejectedToFile(header, rejected)
}

function feedOf({ affiliateCodes, affiliateMetrics }: ReportOptions): SentFeed {
  if (affiliateCodes && affiliateMetrics)
    throw new UsageError("A file is either --affiliate-codes or --affiliate-metrics.")
  if (affiliateCodes) return CODES
  return affiliateMetrics ? METRICS : DELIVERY
}

function keyOf({ environment }: CliContext, name: string): string {
  const key = environment[name]?.trim()
  if (key) return key
  throw new UsageError(`The environment variable ${name} holds no API key. Set it, or name another one with --key-env.`)
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--url must be an address such as https://ads.example.com; it is "${text}".`)
  }
  return url.href.replace(/\/+$/, "")
}

async function open(file: string, { io }: CliContext): Promise<{ size: number | null; bytes: Source["bytes"] }> {
  if (file === "-") return { size: null, bytes: io.inputStream() }
  const opened = Bun.file(file)
  try {
    const { size } = await opened.stat()
    return { size, bytes: opened.stream() }
  } catch (cause) {
    throw new Trouble(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  }
}
