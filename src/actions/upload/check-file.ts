import { readPackageId } from "../../domain/campaign/package-line.ts"
import { type Receipt, receiptAt } from "../../domain/delivery/delivery.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import { EXTERNAL_ID, LINE_NAME } from "../../domain/upload/columns.ts"
import { reasonIn } from "../../domain/upload/file-report.ts"
import { contradiction, type FoundClaim, repeatedDay, SUM_ROW, unknownLine } from "../../domain/upload/judge-row.ts"
import { type RowRefusal, UNKNOWN } from "../../domain/upload/row-reader.ts"
import { rowsOf, type Upload } from "../../domain/upload/upload.ts"
import { nextTurn } from "../../next-turn.ts"
import type { SoldLineWithTotal } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import { summedMetrics, summedTotals } from "./add-up-rows.ts"
import {
  type CheckedRow,
  checkedByApi,
  judgedTotal,
  ROWS_AT_ONCE_MAX,
  refusedRows,
  type UploadedFile,
} from "./checked-row.ts"
import { type PreparedRow, preparedRows, type Table } from "./open-file.ts"

export type CheckedFile = Awaited<ReturnType<typeof checkFile>>

/** Checks a file by the rules of the API, as they were when it was uploaded: whenever it is reported, it means the same. */
export async function checkFile(context: ReportContext, file: UploadedFile) {
  const prepared = await preparedRows(file)
  const checked = await checkerOf(file.upload)(context, file, prepared)
  const accepted: CheckedRow[] = []
  // By their numbers. Each is refused once.
  const refused: (RowRefusal | undefined)[] = []
  for (const row of checked) {
    await nextTurn()
    if (row.refusal === null) accepted.push(row)
    else for (const number of row.rows) refused[number] = row.refusal
  }
  // Names in the file, and the lines that somebody chose for them.
  const chosen = new Map<string, string>()
  for (const { line, name } of prepared) {
    await nextTurn()
    if (line !== undefined && name !== null && isOtherName(name, line)) chosen.set(name, line.name)
  }
  return { accepted, refused, chosen }
}

const isOtherName = (name: string, { name: own, externalId, packageId }: SoldLineWithTotal) =>
  name !== externalId && name.trim().toLowerCase() !== own.trim().toLowerCase() && readPackageId(name) !== packageId

/** Says what becomes of rows: of those that are refused by themselves, and of all others together. */
function checkerOf({ kind, choices }: Upload) {
  if (rowsOf(choices) === "cumulative") return wholeRows
  return kind === "delivery" ? summedTotals : summedMetrics
}

/** Rows that are a total, a code or the figures of a day each. */
async function wholeRows(context: ReportContext, { upload, zone }: UploadedFile, prepared: readonly PreparedRow[]) {
  const receipt = receiptAt(upload.uploadedAt, zone)
  // By definition, our own columns have whole totals and days, of which the later one counts. A code has only one line.
  const isAlone = upload.choices.isOurs || upload.kind === "affiliate_codes"
  const said = new Map<string, FoundClaim>()
  const refused = new Map<string, RowRefusal>()

  /** What the export of another system says twice, in different words: these are parts of something unknown. */
  function compare(row: CheckedRow): void {
    const { subject, moment, says } = claimOf(row)
    const found = { row: row.rows[0] ?? 0, says }
    const before = said.get(moment)
    if (before === undefined) said.set(moment, found)
    else if (before.says !== says && !refused.has(subject)) refused.set(subject, contradictionOf(row, [before, found]))
  }

  const checked: CheckedRow[] = []
  for (const rows of inParts(prepared, ROWS_AT_ONCE_MAX)) {
    await nextTurn()
    const judged = rows.map((row) => judgedRow(upload, row, receipt))
    checked.push(...(upload.kind === "delivery" ? judged : await checkedByApi(context, upload, judged)))
  }
  if (isAlone) return checked
  for (const row of checked) {
    await nextTurn()
    if (row.refusal === null) compare(row)
  }
  if (refused.size === 0) return checked
  return checked.map((row) => {
    const refusal = row.refusal === null ? refused.get(claimOf(row).subject) : undefined
    return refusal === undefined ? row : { ...row, refusal }
  })
}

/** What a row says, of what, and when. The line, or the day of a code, is refused as a whole. */
function claimOf({ line, total, element: { code, date, ...figures } }: CheckedRow) {
  if (line === undefined || total === null) {
    const subject = `${code} ${date}`
    return { subject, moment: subject, says: JSON.stringify(figures) }
  }
  const says = total.quantity.toLocaleString("en")
  return { subject: String(line.lineId), moment: `${line.lineId} ${total.asOf}`, says }
}

const contradictionOf = ({ line, element: { code, date } }: CheckedRow, found: readonly [FoundClaim, FoundClaim]) =>
  line === undefined ? repeatedDay(String(code), String(date), found) : contradiction(line.name, found)

function judgedRow({ kind, choices }: Upload, row: PreparedRow, receipt: Receipt): CheckedRow {
  const { number, read, name, line, namesakes, sum } = row
  const rows = [number]
  if (sum !== null) return refusedRows(rows, sum)
  if (!read.ok) return refusedRows(rows, read.refusal)
  if (read.about?.isExternal && line === undefined) return refusedRows(rows, unknownLine(name ?? "", namesakes))
  const id = kind === "delivery" ? "package_id" : "packageId"
  const element = line === undefined ? read.element : { ...read.element, [id]: line.packageId }
  if (kind !== "delivery") return { rows, element, line, total: null, refusal: null }
  return judgedTotal({ rows, element, line }, name ?? "", receipt, choices.sent)
}

const ADDED = ["row", "reason", "message"]

export type RejectedRows = ReturnType<typeof rejectedRows>

/** The rows that are rejected, each as it came, and why in extra columns, which are ignored when the corrected file is sent. */
export function rejectedRows(upload: Upload, { header, rows }: Table, refused: readonly (RowRefusal | undefined)[]) {
  // A corrected file that is rejected again already has our columns. What a person said that a column means is theirs.
  const isOurs = (name: string, i: number) => ADDED.includes(name) && !upload.choices.columns?.[i]
  const kept = header.flatMap((name, i) => (isOurs(name, i) ? [] : [i]))
  const rejected = rows.flatMap(({ number, cells }) => {
    const refusal = refused[number]
    if (refusal === undefined || isIgnored(upload, refusal)) return []
    const why = [refusal.title, refusal.text].filter(Boolean).join(". ")
    return [[...kept.map((i) => cells[i] ?? ""), number, reasonIn(upload, refusal.reason), why]]
  })
  return { header: [...kept.map((i) => header[i] ?? ""), ...ADDED], rows: rejected }
}

/**
 * Whether a row does not count: it is a sum, or of others. An ad server has lines that are sold elsewhere; our own feeds, which programs send,
 * name nothing else. People see what is ignored, except rows that name no line at all.
 */
export function isIgnored({ choices: { sent, isOurs, columns } }: Upload, { key }: RowRefusal): boolean {
  if (key === SUM_ROW) return true
  if (sent === null) return key.startsWith(UNKNOWN) && key !== UNKNOWN
  const isFeed = isOurs && !columns?.some((meaning) => meaning === EXTERNAL_ID || meaning === LINE_NAME)
  return key.startsWith(UNKNOWN) && !isFeed
}
