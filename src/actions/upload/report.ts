import { judge, measuredAt, readItem, receiptAt } from "../../domain/delivery/delivery.ts"
import { inParts } from "../../domain/event-loop.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { figuresKey } from "../../domain/upload/recognize-file.ts"
import type { PreviewedLine, Upload } from "../../domain/upload/upload.ts"
import { type Context, type ReportContext, transactBeside, writesOf } from "../context.ts"
import { JUDGED_TIMES_MAX, TERMS_KEEP_CHANGING } from "../delivery/report-delivery.ts"
import { checkedRows } from "./check-file.ts"
import { type CheckedRow, recordRows, reporterOf } from "./check-rows.ts"
import { rememberColumns, type UploadJob } from "./file-state.ts"
import { fileStart, ROWS_AT_ONCE_MAX, zoneOf } from "./read-rows.ts"

const CHANGED =
  "Nothing was reported: another report has changed totals since the preview. Please check the lines again."

/**
 * Stores the rows of a file in order, group by group. After a crash it starts over, which adds nothing: a repeated total is no new
 * report, and a repeated affiliate row writes what is there already.
 */
export async function reportRows(context: ReportContext, job: UploadJob): Promise<void> {
  const { upload, pause } = job
  const receivedAt = upload.receivedAt ?? context.clock()
  const { leftOut, lines } = await readDecided(context, upload, pause)
  if (!upload.summary.isStarted && (await haveChanged(context, job, lines))) {
    // Read again, because what was decided may not be what the person wants any more.
    const summary = { ...upload.summary, notice: CHANGED }
    return job.save({
      state: "reading",
      rowsDone: 0,
      choices: { ...upload.choices, anyway: [] },
      summary,
      receivedAt: null,
    })
  }
  // After a crash it starts over.
  const outcome = { ...upload.summary, isStarted: true, reported: 0, leftOut: 0 }
  if (!upload.summary.isStarted) await job.save({ summary: outcome })
  const zone = await zoneOf(context.store, upload.organizationId)
  // Judged and measured as in the preview, however long somebody took to decide.
  const now = upload.summary.readAt ?? receivedAt
  let rowsDone = 0
  for await (const { rows, read } of checkedRows(context, upload, { zone, now, pause })) {
    rowsDone += read
    const checked = rows.filter(({ refusal }) => refusal === null)
    const wanted = checked.filter(({ line }) => line === undefined || !leftOut.has(line.lineId))
    outcome.leftOut += checked.length - wanted.length
    for (const some of inParts(wanted, ROWS_AT_ONCE_MAX))
      outcome.reported += await (upload.kind === "delivery"
        ? recordTotals(context, job, some, { receivedAt, now })
        : recordAffiliates(context, job, some))
    await job.noteProgress(Math.max(rowsDone, upload.rowsDone), () => ({ summary: { ...outcome } }))
  }
  if (upload.choices.remember && outcome.reported > 0) await remember(context, upload)
  await job.save({ state: "done", rowsDone, summary: outcome })
}

/** What the columns mean and the figures are. A column without a name cannot be recognized again. */
async function remember(context: ReportContext, { id, organizationId, kind, choices }: Upload): Promise<void> {
  const { header = [] } = (await fileStart(context.store, id, choices.layout)) ?? {}
  const { columns, figures } = choices
  const named = header.flatMap((name, i): [string, string][] => (name === "" ? [] : [[name, columns?.[i] ?? ""]]))
  await transactBeside(context, function* (tx) {
    yield* rememberColumns(tx, organizationId, kind, new Map(named))
    if (figures !== null)
      yield* rememberColumns(tx, organizationId, "figures", new Map([[figuresKey(header, columns ?? []), figures]]))
  })
}

/** The lines of a preview as they were, and those that are not reported. */
export async function readDecided({ store }: Context, upload: Upload, pause: () => Promise<void>) {
  const { anyway } = upload.choices
  const confirmed = new Set(anyway === "all" ? [] : anyway)
  const lines: PreviewedLine[] = []
  for (let position = 0; ; position++) {
    const page = await store.uploads.part(upload.id, "preview", position)
    if (page === null) break
    lines.push(...(JSON.parse(page) as PreviewedLine[]))
    await pause()
  }
  const questions = lines.filter(({ id, result }) => result === "asked" && anyway !== "all" && !confirmed.has(id))
  return { lines, leftOut: new Set(questions.map(({ id }) => id)) }
}

const LINES_PER_READ = 50

/** Whether a line has another current total than the preview showed. */
async function haveChanged({ store }: ReportContext, { upload, pause }: UploadJob, lines: readonly PreviewedLine[]) {
  if (upload.kind !== "delivery") return false
  for (const some of inParts(lines, LINES_PER_READ)) {
    const current = await store.packageLines.findSold(
      upload.organizationId,
      some.map(({ packageId }) => packageId),
    )
    if (some.some(({ before }, i) => !isSame(current[i]?.total, before))) return true
    await pause()
  }
  return false
}

function isSame(current: PreviewedLine["before"] | undefined, before: PreviewedLine["before"]): boolean {
  return (
    (current?.asOf ?? null) === (before?.asOf ?? null) && (current?.quantity ?? null) === (before?.quantity ?? null)
  )
}

/** Checked once more with the lines as they are at the commit, as every report is. */
async function recordTotals(
  context: ReportContext,
  { upload }: UploadJob,
  rows: readonly CheckedRow[],
  { receivedAt, now }: { readonly receivedAt: Moment; readonly now: Moment },
): Promise<number> {
  const { organizationId, source } = reporterOf(upload)
  const items = rows.flatMap(({ element }) => readItem(element) ?? [])
  if (items.length === 0) return 0
  for (let attempt = 1; attempt <= JUDGED_TIMES_MAX; attempt++) {
    const terms = await context.store.deliveries.linesSold(
      organizationId,
      items.map(({ packageId }) => packageId),
    )
    const receipt = receiptAt(now, terms.timeZone)
    const totals = items.flatMap((item, i) => {
      const line = terms.items[i]
      if (line === undefined || judge(item, line, receipt) !== undefined) return []
      return [{ lineId: line.lineId, quantity: item.quantity, asOf: measuredAt(item, receipt) }]
    })
    const effects =
      totals.length === 0
        ? []
        : await writesOf(context).deliveries.record(totals, { receivedAt, source }, terms.revision)
    if (effects !== null) return totals.length
  }
  throw new Error(TERMS_KEEP_CHANGING)
}

async function recordAffiliates(
  context: ReportContext,
  { upload }: UploadJob,
  rows: readonly CheckedRow[],
): Promise<number> {
  const { upserted, errors } = await recordRows(context, upload, rows, { dryRun: false })
  if (errors.some(({ reason }) => reason === "internal_error"))
    throw new Error("affiliate rows of a file were not saved")
  return upserted
}
