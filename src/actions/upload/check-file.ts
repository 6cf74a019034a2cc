import type { TimeZone } from "../../domain/time/time-zone.ts"
import { EXTERNAL_ID, LINE_NAME } from "../../domain/upload/columns.ts"
import { reasonIn } from "../../domain/upload/file-report.ts"
import { contradiction, repeatedDay, SUM_ROW } from "../../domain/upload/judge-row.ts"
import { type RowRefusal, UNKNOWN } from "../../domain/upload/row-reader.ts"
import { rowsOf, type Upload } from "../../domain/upload/upload.ts"
import type { ReportContext } from "../context.ts"
import {
  type CheckedGroup,
  type CheckedRow,
  checkedRow,
  type PreparedRow,
  rowChecker,
  rowPreparer,
} from "./check-rows.ts"
import { fileRows, fileStart, zoneOf } from "./read-rows.ts"
import { summedMetrics } from "./summed-metrics.ts"
import { summedTotals } from "./summed-totals.ts"

/** The rows of a file, checked, in groups. Where its rows are parts of totals, the totals come after the rows that cannot be read. */
export function checkedRows(context: ReportContext, upload: Upload, zone: TimeZone): AsyncGenerator<CheckedGroup> {
  if (rowsOf(upload.choices) === "cumulative") return plainRows(context, upload, zone)
  const sums = (upload.kind === "delivery" ? summedTotals : summedMetrics)(context, upload, zone)
  return summedRows(context, upload, zone, sums)
}

/** What parts of totals add up to. */
export interface Sums {
  /** Why a row is no part of any; null for one that is. */
  add(row: PreparedRow): RowRefusal | null
  /** What they come to, checked. Where it is refused, so are its parts: `refuse` is told which. */
  totals(refuse: (subject: string, why: RowRefusal) => void): AsyncGenerator<CheckedRow[]>
  /** What a part may be refused as. */
  subjectsOf(row: PreparedRow): string[]
}

async function* summedRows(context: ReportContext, upload: Upload, zone: TimeZone, sums: Sums) {
  const prepare = rowPreparer(context, upload, zone)
  const [told, refused] = [new Set<number>(), new Map<string, RowRefusal>()]
  const refusals = (rows: readonly PreparedRow[], why: (row: PreparedRow) => RowRefusal | null | undefined) =>
    rows.flatMap((row) => {
      const refusal = told.has(row.number) ? null : why(row)
      return refusal ? [checkedRow(row, {}, refusal)] : []
    })
  for await (const group of fileRows(context.store, upload)) {
    const rows = refusals(await prepare(group), sums.add)
    for (const { number } of rows) told.add(number)
    yield { rows, read: group.length }
  }
  for await (const rows of sums.totals((subject, why) => refused.set(subject, why))) yield { rows, read: 0 }
  if (refused.size === 0) return
  // Each row is refused once: a sum with all its parts, which nobody kept.
  const whyOf = (row: PreparedRow) => sums.subjectsOf(row).flatMap((subject) => refused.get(subject) ?? [])[0]
  for await (const group of fileRows(context.store, upload))
    yield { rows: refusals(await prepare(group), whyOf), read: 0 }
}

async function* plainRows(context: ReportContext, upload: Upload, zone: TimeZone): AsyncGenerator<CheckedGroup> {
  // By definition, our own columns have whole totals and days, of which the later one counts.
  const refused = upload.choices.isOurs ? NONE : await contradictions(context, upload, zone)
  for await (const group of readRows(context, upload, zone)) {
    const rows = group.map((row) => {
      const refusal = row.refusal === null ? refused.get(claimOf(row)?.subject ?? "") : undefined
      return refusal === undefined ? row : { ...row, total: null, refusal }
    })
    yield { rows, read: rows.length }
  }
}

async function* readRows(context: ReportContext, upload: Upload, zone: TimeZone): AsyncGenerator<CheckedRow[]> {
  const check = rowChecker(context, upload, zone)
  for await (const group of fileRows(context.store, upload)) yield await check(group)
}

const NONE: ReadonlyMap<string, RowRefusal> = new Map()

/** What a row says, of what, and when. */
interface Claim {
  readonly row: number
  /** The line, or the day of a code: that is refused as a whole. */
  readonly subject: string
  readonly moment: string
  readonly says: string
  against(other: Claim): RowRefusal
}

function claimOf({ number: row, line, total, element }: CheckedRow): Claim | null {
  if (line !== undefined && total !== null) {
    const [subject, says] = [String(line.lineId), total.quantity.toLocaleString("en")]
    const against = (other: Claim) => contradiction(line.name, [other, { row, says }])
    return { row, subject, moment: `${subject} ${total.asOf}`, says, against }
  }
  const { code, date, ...figures } = element
  if (typeof code !== "string" || typeof date !== "string") return null
  const subject = `${code} ${date}`
  const against = (other: Claim) => repeatedDay(code, date, [other.row, row])
  return { row, subject, moment: subject, says: JSON.stringify(figures), against }
}

/** What the export of another system says twice, in different words: these are parts of something, and nobody knows of what. */
async function contradictions(context: ReportContext, upload: Upload, zone: TimeZone) {
  const first = new Map<string, Claim>()
  const refused = new Map<string, RowRefusal>()
  for await (const group of readRows(context, upload, zone))
    for (const row of group) {
      const claim = row.refusal === null ? claimOf(row) : null
      if (claim === null) continue
      const before = first.get(claim.moment)
      if (before === undefined) first.set(claim.moment, claim)
      else if (before.says !== claim.says && !refused.has(claim.subject))
        refused.set(claim.subject, claim.against(before))
    }
  return refused
}

/**
 * Finds the refused rows again by reading the file once more: each as it came, and why. Null when the text of the file is no longer kept.
 */
export async function refusedRows(context: ReportContext, upload: Upload) {
  const start = await fileStart(context.store, upload.id, upload.choices.layout)
  if (start === null) return null
  const { header } = start
  const zone = await zoneOf(context.store, upload.organizationId)

  async function* rows() {
    for await (const group of checkedRows(context, upload, zone)) {
      yield group.rows.flatMap(({ number, cells, refusal }) => {
        if (refusal === null || isIgnored(upload, refusal)) return []
        const why = [refusal.title, refusal.text].filter(Boolean).join(". ")
        return [{ number, cells: header.map((_, i) => cells[i] ?? ""), reason: reasonIn(upload, refusal.reason), why }]
      })
    }
  }
  return { header, rows: rows() }
}

/** Whether a row does not count. An ad server has lines that are sold elsewhere; our own feeds name nothing else. */
export function isIgnored({ choices: { sent, isOurs, columns } }: Upload, { key }: RowRefusal): boolean {
  if (key === SUM_ROW) return true
  const isFeed = isOurs && !columns?.some((meaning) => meaning === EXTERNAL_ID || meaning === LINE_NAME)
  return key.startsWith(UNKNOWN) && sent !== null && !isFeed
}
