import { judge, measuredAt, readItem, receiptAt } from "../../domain/delivery/delivery.ts"
import type { TotalQuestion } from "../../domain/delivery/total-questions.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { goesDown } from "../../domain/upload/preview-lines.ts"
import { headingsKey } from "../../domain/upload/recognize-file.ts"
import type { PreviewedLine, SentFile, Sheet, Upload, UploadChoices } from "../../domain/upload/upload.ts"
import { countsOf, LINES_ON_A_PAGE } from "../../domain/upload/upload.ts"
import { nextTurn } from "../../next-turn.ts"
import type { Step, Tx } from "../../storage/steps/step.ts"
import { type ReportContext, transact, writesOf } from "../context.ts"
import { noteFile } from "../delivery/note-feed-request.ts"
import { JUDGED_TIMES_MAX, TERMS_KEEP_CHANGING } from "../delivery/report-delivery.ts"
import { type RejectedRows, rejectedRows } from "./check-file.ts"
import type { CheckedRow, UploadedFile } from "./checked-row.ts"
import { ROWS_AT_ONCE_MAX, receivedAtOf, recordRows, reporterOf } from "./checked-row.ts"
import { addFile, fixReceipt, moveFile, remember } from "./file-state.ts"
import { openFile } from "./open-file.ts"
import { type Preview, previewOf } from "./preview.ts"
import { readAnew } from "./read-anew.ts"
import { type ArrivingFile, newUpload } from "./receive.ts"

/**
 * Stores the rows of a file that somebody decided about, in batches. Doing so again after a crash adds nothing: a repeated total is no new
 * report, and a repeated affiliate row writes what is there already. "changed": it would do something else than was seen.
 */
export async function reportUpload(
  context: ReportContext,
  upload: Upload,
  decision: Pick<UploadChoices, "anyway" | "seen">,
  author: Change,
): Promise<"done" | "changed" | "moved on"> {
  const receivedAt = await transact(context, (tx) => fixReceipt(tx, upload.id, author.at))
  if (receivedAt === null) return "moved on"
  const decided = { ...upload, receivedAt, choices: { ...upload.choices, ...decision } }
  const file = await openFile(context.store, decided)
  const preview = file && (await previewOf(context, file))
  if (file === null || preview?.digest !== decision.seen) return "changed"
  const summary = await storeRows(context, preview)
  const to = { state: "done", rows: preview.upload.rows, choices: decided.choices, summary } as const
  const isDone = await transact(context, function* (tx) {
    if (summary.reported > 0) yield* rememberAll(tx, file, author.at)
    return yield* moveFile(tx, upload.id, "open", to, { ...author, action: "report upload" })
  })
  return isDone ? "done" : "moved on"
}

/** A file that a program sent, with what became of it; or why it is not read. */
export type SentOutcome = Readonly<
  { ok: true; upload: Upload; rejected: RejectedRows } | { ok: false; problem: string }
>

/**
 * Stores the rows of a file that a program sent, or only checks them. Everything about it is said in the answer, so that nothing is kept of
 * it but what it reported, to be withdrawn.
 */
export async function reportSent(
  context: ReportContext,
  file: ArrivingFile & { readonly sent: SentFile },
  sheet: Sheet,
): Promise<SentOutcome> {
  const reading = await readAnew(context, file, sheet)
  if (!reading.ok) return reading
  const { table, own, zone } = reading
  const added = { ...newUpload(file, reading, context.clock()), state: "done" } as const
  const preview = await previewOf(context, { upload: { ...added, id: 0, receivedAt: null }, table, own, zone })
  const rejected = rejectedRows(preview.upload, table, preview.refused)
  if (file.sent.dryRun) return { ok: true, upload: { ...preview.upload, summary: checkedOnly(preview) }, rejected }
  const id = await transact(context, (tx) => addFile(tx, added, []))
  if (id === null) throw new Error("a file of a program was not added")
  const upload = { ...preview.upload, id }
  const summary = await storeRows(context, { ...preview, upload })
  const by = { actor: "upload", at: context.clock(), action: null }
  await transact(context, (tx) => moveFile(tx, id, "done", { summary }, by))
  noteFile(context, { organizationId: upload.organizationId, keyId: file.sent.keyId }, summary.reported)
  return { ok: true, upload: { ...upload, summary }, rejected }
}

/** Stores what is accepted, except lines that were asked about and not confirmed. What became of the file. */
async function storeRows(context: ReportContext, preview: Preview): Promise<Upload["summary"]> {
  const { upload, accepted } = preview
  const lines = decided(preview)
  const taken = lines.filter(({ result }) => result !== "asked")
  if (upload.kind === "delivery") await saveLines(context, upload, taken)
  const takenIds = new Set(taken.map(({ id }) => id))
  const wanted = accepted.filter(({ line }) => upload.kind !== "delivery" || (line && takenIds.has(line.lineId)))
  const record = upload.kind === "delivery" ? recordTotals : recordAffiliates
  let reported = 0
  for (const rows of inParts(wanted, ROWS_AT_ONCE_MAX)) {
    reported += await record(context, upload, rows)
    await nextTurn()
  }
  return { ...outcomeOf(upload, lines), notice: "", reported }
}

function outcomeOf({ summary }: Upload, lines: readonly PreviewedLine[]) {
  const counts = countsOf(lines)
  return { ...summary, ...counts, leftOut: counts.asked.rows, linesLeftOut: leftOutLines(lines) }
}

/** What would become of a file that is only checked. */
function checkedOnly(preview: Preview): Upload["summary"] {
  const summary = outcomeOf(preview.upload, decided(preview))
  return { ...summary, wouldReport: summary.update.rows + summary.unchanged.rows + summary.older.rows }
}

const leftOutLines = (lines: readonly PreviewedLine[]) =>
  lines
    .filter(({ result }) => result === "asked")
    .slice(0, LINES_ON_A_PAGE)
    .map(({ ref, question, asked }) => ({ line: ref, current: higherIn(question), total: asked }))

/** What a lower total is compared with: what is stored, or an earlier row of the file. */
function higherIn(question: TotalQuestion | null): number {
  if (question?.kind === "lower") return question.current.quantity
  return question?.kind === "below_earlier" ? question.earlier.quantity : 0
}

/** Lines that were asked about and are reported count as all others do; the rest stays "asked". Nobody is asked about a program's file. */
function decided({ upload, lines }: Preview): PreviewedLine[] {
  const { sent, anyway } = upload.choices
  const confirmed = new Set(anyway === "all" ? [] : anyway)
  const isConfirmed = ({ id, question }: PreviewedLine) =>
    sent === null ? anyway === "all" || confirmed.has(id) : sent.allowLower || question === null || !goesDown(question)
  // One that was measured before the current total changes only the history.
  const resultOf = ({ total, before }: PreviewedLine) => (total === before ? "older" : "update")
  return lines.map((line) =>
    line.result === "asked" && isConfirmed(line) ? { ...line, result: resultOf(line) } : line,
  )
}

/** The lines that a file reports, with those of an attempt that was interrupted: all of them are withdrawn with it. */
async function saveLines(context: ReportContext, upload: Upload, taken: readonly PreviewedLine[]): Promise<void> {
  const before = (await context.store.uploads.lines(upload.id)) ?? []
  const known = new Set(before.map(({ id }) => id))
  const added = taken.map(({ id, name, ref, before, total, result }) => ({ id, name, ref, before, total, result }))
  const lines = [...before, ...added.filter(({ id }) => !known.has(id))]
  const by = { actor: "upload", at: context.clock(), action: null }
  await transact(context, (tx) => moveFile(tx, upload.id, upload.state, { lines }, by))
}

/** How it was read, and which lines somebody chose for names in it. */
function* rememberAll(tx: Tx, { upload, table }: UploadedFile, at: Moment): Step<void> {
  const { organizationId, kind, choices } = upload
  const { columns, figures, numbers, dates, matches } = choices
  const reading = { kind, columns: columns ?? [], figures, numbers, dates, at }
  if (choices.remember)
    yield* remember(tx, organizationId, "reading", headingsKey(table.header), JSON.stringify(reading))
  for (const [name, line] of Object.entries(matches)) yield* remember(tx, organizationId, "line", name, line)
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
