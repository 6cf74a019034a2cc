import { judge, measuredAt, readItem, receiptAt } from "../../domain/delivery/delivery.ts"
import type { TotalQuestion } from "../../domain/delivery/total-questions.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import { MICROS_PER_SECOND } from "../../domain/time/moment.ts"
import { fileReport } from "../../domain/upload/file-report.ts"
import { goesDown } from "../../domain/upload/preview-lines.ts"
import { headingsKey } from "../../domain/upload/recognize-file.ts"
import type { PreviewedLine, Upload, UploadChange } from "../../domain/upload/upload.ts"
import { countsOf, EMPTY_SUMMARY, notCsv, PREVIEW_PAGE_LINES } from "../../domain/upload/upload.ts"
import { nextTurn } from "../../next-turn.ts"
import type { UploadPartKind } from "../../storage/port/store.ts"
import { type ReportContext, transact, transactBeside, writesOf } from "../context.ts"
import { noteFile } from "../delivery/note-feed-request.ts"
import { JUDGED_TIMES_MAX, TERMS_KEEP_CHANGING } from "../delivery/report-delivery.ts"
import { type CheckedFile, checkFile, type Progress } from "./check-file.ts"
import { type CheckedRow, receivedAtOf, recordRows, reporterOf } from "./checked-row.ts"
import { moveFile, noteProgress, remember, reportedLines, savePart } from "./file-state.ts"
import { type Preview, previewOf } from "./preview.ts"
import { fileStart, ROWS_AT_ONCE_MAX } from "./read-rows.ts"

const CHANGED =
  "Nothing was reported: another report has changed totals since the preview. Please check the lines again."
const DRY_RUN = "This file was only checked. None of it was stored."

/**
 * Stores the rows of a file that was decided about. Whoever does so again after a crash adds nothing: a repeated total is no new report,
 * and a repeated affiliate row writes what is there already.
 */
export async function reportFile(context: ReportContext, upload: Upload, isStopping: () => boolean): Promise<void> {
  const to = await reportRows(context, upload, heartbeat(context, upload, isStopping)).catch(notCsv)
  const by = { actor: "upload", at: context.clock(), action: null }
  const isDone = await transact(context, (tx) => moveFile(tx, upload.id, ["reporting"], to, by))
  const { sent } = upload.choices
  if (!isDone || sent === null || sent.dryRun) return
  const { accepted } = fileReport({ ...upload, ...to })
  noteFile(context, { organizationId: upload.organizationId, keyId: sent.keyId }, accepted)
}

/** What becomes of the file. */
async function reportRows(context: ReportContext, upload: Upload, progress: Progress): Promise<UploadChange> {
  const { sent, seen } = upload.choices
  const checked = await checkFile(context, upload, progress)
  const preview = await previewOf(context, upload, checked, progress)
  // What was decided may not be what the person wants any more.
  if (sent === null && preview.digest !== seen)
    return { state: "preview", summary: { ...EMPTY_SUMMARY, notice: CHANGED } }
  const lines = decided(preview)
  const { rows } = preview.upload
  const counts = countsOf(lines)
  const left = { leftOut: counts.asked.rows, linesLeftOut: leftOutLines(lines) }
  const summary = { ...preview.upload.summary, notice: "", ...counts, ...left }
  if (upload.kind === "delivery") await saveLines(context, upload, lines)
  if (sent?.dryRun) {
    const wouldReport = summary.update.rows + summary.unchanged.rows
    return { state: "done", rows, summary: { ...summary, notice: DRY_RUN, wouldReport } }
  }
  const reported = await recordAll(context, upload, checked, lines, progress)
  if (reported > 0) await rememberAll(context, upload)
  return { state: "done", rows, rowsDone: rows, summary: { ...summary, reported } }
}

const leftOutLines = (lines: readonly PreviewedLine[]) =>
  lines
    .filter(({ result }) => result === "asked")
    .slice(0, PREVIEW_PAGE_LINES)
    .map(({ ref, question, asked }) => ({ line: ref, current: higherIn(question), total: asked }))

/** What a lower total is compared with: what is stored, or an earlier row of the file. */
function higherIn(question: TotalQuestion | null): number {
  if (question?.kind === "lower") return question.current.quantity
  return question?.kind === "below_earlier" ? question.earlier.quantity : 0
}

// The sweep reopens a file that nobody has said anything about for longer.
const SAID_EVERY = MICROS_PER_SECOND

/** Says how far the work has got, and that somebody is at it. */
function heartbeat(context: ReportContext, { id }: Upload, isStopping: () => boolean): Progress {
  let saidAt = context.clock()
  return async (rowsDone) => {
    if (isStopping()) throw new Error("the server stops")
    const at = context.clock()
    if (at - saidAt < SAID_EVERY) return
    saidAt = at
    if (!(await transactBeside(context, (tx) => noteProgress(tx, id, rowsDone, at))))
      throw new Error("the file was reopened")
  }
}

/** Says that a file waits for its turn. */
export const sayWaiting = (context: ReportContext, { id, rowsDone }: Upload): Promise<boolean> =>
  transactBeside(context, (tx) => noteProgress(tx, id, rowsDone, context.clock()))

/** Lines that were asked about and are reported count as all others do; the rest stays "asked". Nobody is asked about a program's file. */
function decided({ upload, lines }: Preview): PreviewedLine[] {
  const { sent, anyway } = upload.choices
  const confirmed = new Set(anyway === "all" ? [] : anyway)
  const isConfirmed = ({ id, question }: PreviewedLine) =>
    sent === null ? anyway === "all" || confirmed.has(id) : sent.allowLower || question === null || !goesDown(question)
  return lines.map((line) => (line.result === "asked" && isConfirmed(line) ? { ...line, result: "update" } : line))
}

/** What becomes of each line, for people; and which lines it is about, with those of an attempt that was interrupted. */
async function saveLines(context: ReportContext, upload: Upload, lines: readonly PreviewedLine[]): Promise<void> {
  const save = (kind: UploadPartKind, position: number, content: unknown) =>
    transactBeside(context, (tx) => savePart(tx, upload.id, kind, position, JSON.stringify(content), context.clock()))
  for (const [page, some] of [...inParts(lines, PREVIEW_PAGE_LINES)].entries()) await save("preview", page, some)
  const changed = lines.filter(({ result }) => result !== "unchanged").map(({ id }) => id)
  await save("lines", 0, [...new Set([...((await reportedLines(context, upload)) ?? []), ...changed])])
}

async function recordAll(
  context: ReportContext,
  upload: Upload,
  { accepted, read }: CheckedFile,
  lines: readonly PreviewedLine[],
  progress: Progress,
): Promise<number> {
  const leftOut = new Set(lines.filter(({ result }) => result === "asked").map(({ id }) => id))
  const record = upload.kind === "delivery" ? recordTotals : recordAffiliates
  let [done, reported] = [0, 0]
  for (const rows of inParts(accepted, ROWS_AT_ONCE_MAX)) {
    const wanted = rows.filter(({ line }) => line === undefined || !leftOut.has(line.lineId))
    if (wanted.length > 0) reported += await record(context, upload, wanted)
    done += rows.length
    await progress(Math.floor((done / accepted.length) * read))
    await nextTurn()
  }
  return reported
}

/** How it was read, and which lines somebody chose for names in it. */
async function rememberAll(context: ReportContext, { id, organizationId, kind, choices }: Upload): Promise<void> {
  const { header = [] } = (await fileStart(context.store, id, choices)) ?? {}
  const { columns, figures, numbers, dates, matches } = choices
  const reading = { kind, columns: columns ?? [], figures, numbers, dates, at: context.clock() }
  await transactBeside(context, function* (tx) {
    if (choices.remember) yield* remember(tx, organizationId, "reading", headingsKey(header), JSON.stringify(reading))
    for (const [name, line] of Object.entries(matches)) yield* remember(tx, organizationId, "line", name, line)
  })
}

/** Checked once more with the lines as they are at the commit, as every report is. */
async function recordTotals(context: ReportContext, upload: Upload, rows: readonly CheckedRow[]): Promise<number> {
  const { organizationId, source } = reporterOf(upload)
  const items = rows.flatMap(({ element }) => readItem(element) ?? [])
  if (items.length === 0) return 0
  const receivedAt = receivedAtOf(upload)
  for (let attempt = 1; attempt <= JUDGED_TIMES_MAX; attempt++) {
    const terms = await context.store.deliveries.linesSold(
      organizationId,
      items.map(({ packageId }) => packageId),
    )
    // Judged and measured as in the preview, however long somebody took to decide.
    const receipt = receiptAt(upload.uploadedAt, terms.timeZone)
    const totals = items.flatMap((item, i) => {
      const line = terms.items[i]
      if (line === undefined || judge(item, line, receipt) !== undefined) return []
      return [{ lineId: line.lineId, quantity: item.quantity, asOf: measuredAt(item, receipt) }]
    })
    if (totals.length === 0) return 0
    const effects = await writesOf(context).deliveries.record(
      totals,
      { receivedAt, source, timeZone: terms.timeZone },
      terms.revision,
    )
    if (effects !== null) return totals.length
  }
  throw new Error(TERMS_KEEP_CHANGING)
}

async function recordAffiliates(context: ReportContext, upload: Upload, rows: readonly CheckedRow[]): Promise<number> {
  const { upserted, errors } = await recordRows(context, upload, rows, { dryRun: false })
  if (errors.some(({ reason }) => reason === "internal_error"))
    throw new Error("affiliate rows of a file were not saved")
  return upserted
}
