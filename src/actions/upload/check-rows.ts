import type { AffiliateReport } from "../../domain/affiliate/affiliate-report.ts"
import type { PackageId } from "../../domain/campaign/package-line.ts"
import { readPackageId } from "../../domain/campaign/package-line.ts"
import type { CsvRow } from "../../domain/csv/csv-splitter.ts"
import { type DeliveryTotal, type Receipt, receiptAt } from "../../domain/delivery/delivery.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { isRefusal, judgeRow, unknownLine } from "../../domain/upload/judge-row.ts"
import { type RowRefusal, rowReader } from "../../domain/upload/row-reader.ts"
import type { Upload, UploadKind } from "../../domain/upload/upload.ts"
import type { SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import { recordAffiliateCodes } from "../delivery/record-affiliate-codes.ts"
import { recordAffiliateMetrics } from "../delivery/record-affiliate-metrics.ts"
import type { Reporter, ReportOptions } from "../delivery/report-delivery.ts"

/** A row of a file, as far as it was understood. */
export interface CheckedRow extends CsvRow {
  /** Null for a row that would be stored. */
  readonly refusal: RowRefusal | null
  /** As the API takes it. */
  readonly element: Readonly<Record<string, unknown>>
  readonly line: SoldLineWithTotal | undefined
  /** Of a delivery total that would be stored. */
  readonly total: DeliveryTotal | null
}

export type RowChecker = (rows: readonly CsvRow[]) => Promise<CheckedRow[]>

// Unknown ids are forgotten now and then, so that a file full of them takes no memory.
const UNKNOWN_KEPT_MAX = 20_000

/** Checks the rows of a file by the rules of the API, as they would be at `now`. Writes nothing. */
export function rowChecker(context: ReportContext, upload: Upload, zone: TimeZone, now: Moment): RowChecker {
  const { kind, choices } = upload
  const receipt = receiptAt(now, zone)
  const read = rowReader(kind, choices, zone)
  const lines = lineFinder(context.store, upload.organizationId)
  return async (rows) => {
    const prepared = rows.map((row) => ({ ...row, read: read(row.cells) }))
    const named = prepared.map(({ read }) => (read.ok ? nameOf(kind, read) : null))
    const found = await lines(named)
    const checked = prepared.map(({ number, cells, read }, i): CheckedRow => {
      const row = { number, cells, line: undefined, total: null }
      if (!read.ok) return { ...row, refusal: read.refusal, element: {} }
      const name = named[i]
      const line = found[i]
      if (name == null) return { ...row, refusal: null, element: read.element }
      if (read.externalId !== null && line === undefined) {
        return { ...row, refusal: unknownLine(name.text), element: read.element }
      }
      const element = line === undefined ? read.element : { ...read.element, [idField(kind)]: line.packageId }
      return kind === "delivery"
        ? judged({ ...row, element, line }, name.text, receipt)
        : { ...row, refusal: null, element, line }
    })
    return kind === "delivery"
      ? checked
      : withRefusals(checked, await recordRows(context, upload, checked, { dryRun: true }))
  }
}

const idField = (kind: UploadKind) => (kind === "delivery" ? "package_id" : "packageId")

interface LineName {
  readonly text: string
  readonly isExternal: boolean
}

function nameOf(
  kind: UploadKind,
  { element, externalId }: { readonly element: Record<string, unknown>; readonly externalId: string | null },
): LineName | null {
  if (kind === "affiliate_metrics") return null
  if (externalId !== null) return { text: externalId, isExternal: true }
  return { text: String(element[idField(kind)] ?? ""), isExternal: false }
}

function judged(row: Omit<CheckedRow, "refusal">, name: string, receipt: Receipt): CheckedRow {
  const outcome = judgeRow(row.element, row.line, name, receipt)
  return isRefusal(outcome) ? { ...row, refusal: outcome } : { ...row, refusal: null, total: outcome }
}

/** Finds lines by package id or by the seller's own ids, each once. */
function lineFinder({ packageLines }: StoreReads, sellerId: number) {
  const known = new Map<string, SoldLineWithTotal>()
  let unknown = new Set<string>()
  const keyOf = ({ text, isExternal }: LineName) => `${isExternal ? "e" : "p"}${text}`

  async function look(
    names: readonly LineName[],
    find: (ids: readonly string[]) => Promise<(SoldLineWithTotal | undefined)[]>,
  ) {
    const lines = names.length === 0 ? [] : await find(names.map(({ text }) => text))
    for (const [i, name] of names.entries()) {
      const line = lines[i]
      if (line === undefined) unknown.add(keyOf(name))
      else known.set(keyOf(name), line)
    }
  }

  return async (names: readonly (LineName | null)[]): Promise<(SoldLineWithTotal | undefined)[]> => {
    if (unknown.size > UNKNOWN_KEPT_MAX) unknown = new Set()
    const wanted = new Map<string, LineName>()
    for (const name of names) {
      if (name !== null && !known.has(keyOf(name)) && !unknown.has(keyOf(name))) wanted.set(keyOf(name), name)
    }
    const all = [...wanted.values()]
    await look(
      all.filter(({ isExternal }) => isExternal),
      (ids) => packageLines.findByExternalIds(sellerId, ids),
    )
    const byPackage = all.filter(({ isExternal, text }) => !isExternal && readPackageId(text) !== undefined)
    await look(byPackage, (ids) =>
      packageLines.findSold(
        sellerId,
        ids.map((id) => readPackageId(id) as PackageId),
      ),
    )
    return names.map((name) => (name === null ? undefined : known.get(keyOf(name))))
  }
}

/** Stores affiliate rows that are not refused, or only checks them. */
export function recordRows(
  context: ReportContext,
  upload: Upload,
  rows: readonly CheckedRow[],
  options: ReportOptions,
): Promise<AffiliateReport> {
  const elements = rows.filter(({ refusal }) => refusal === null).map(({ element }) => element)
  const record = upload.kind === "affiliate_codes" ? recordAffiliateCodes : recordAffiliateMetrics
  return record(context, reporterOf(upload), elements, options)
}

/** The rows, with what the API said about those that were sent to it. */
export function withRefusals(rows: readonly CheckedRow[], { errors }: AffiliateReport): CheckedRow[] {
  const messages = new Map(errors.map(({ index, message }) => [index, message]))
  let next = 0
  return rows.map((row) => {
    if (row.refusal !== null) return row
    const message = messages.get(next++)
    if (message === undefined) return row
    const example = String(row.element["code"] ?? "")
    return { ...row, refusal: { key: message, title: message, text: "", example, decide: null } }
  })
}

export function reporterOf({ organizationId, uploadedBy, fileName }: Upload): Reporter {
  return { organizationId, source: { kind: "file", reference: String(uploadedBy ?? ""), detail: fileName } }
}
