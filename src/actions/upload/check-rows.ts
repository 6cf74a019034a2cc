import { type AffiliateReport, refusalInWords } from "../../domain/affiliate/affiliate-report.ts"
import { type PackageId, readPackageId } from "../../domain/campaign/package-line.ts"
import { UNITS } from "../../domain/campaign/pricing-basis.ts"
import type { CsvRow } from "../../domain/csv/csv-reader.ts"
import { type DeliveryTotal, type Receipt, receiptAt } from "../../domain/delivery/delivery.ts"
import { formatMoment } from "../../domain/time/moment.ts"
import { dayOf, type TimeZone } from "../../domain/time/time-zone.ts"
import { LINE_NAME, type UploadKind, unusedIds } from "../../domain/upload/columns.ts"
import { isRefusal, judgeRow, sumIn, twoLines, unknownLine } from "../../domain/upload/judge-row.ts"
import type { LineOrCode, ReadRow, RowRefusal } from "../../domain/upload/row-reader.ts"
import { aboutOf, rowReader, UNKNOWN } from "../../domain/upload/row-reader.ts"
import type { SentFile, Upload } from "../../domain/upload/upload.ts"
import type { SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import { recordAffiliateCodes, recordAffiliateMetrics } from "../delivery/record-affiliates.ts"
import type { Reporter, ReportOptions } from "../delivery/report-delivery.ts"
import { fileStart } from "./read-rows.ts"

/** A row of a file, as far as it was understood. */
export interface CheckedRow extends CsvRow {
  /** Null for a row that would be stored. */
  readonly refusal: RowRefusal | null
  /** As the API takes it. */
  readonly element: Readonly<Record<string, unknown>>
  readonly line: SoldLineWithTotal | undefined
  /** Of a delivery total that would be stored. */
  readonly total: DeliveryTotal | null
  /** What somebody should know before it is stored. */
  readonly warning?: string
}

export interface CheckedGroup {
  readonly rows: readonly CheckedRow[]
  /** How many rows of the file were read for it. */
  readonly read: number
}

/** A row with its line, before any rule is applied. */
export interface PreparedRow extends CsvRow {
  readonly read: ReadRow
  /** What the file calls the line, or the code of a row that cannot be read; null for rows that name none. */
  readonly name: string | null
  readonly line: SoldLineWithTotal | undefined
  /** How many lines have this name; null where the file has IDs. */
  readonly namesakes: number | null
  /** Why it does not count: it is the sum of others. */
  readonly sum: RowRefusal | null
}

export function rowPreparer(
  { store }: ReportContext,
  { id, kind, choices, organizationId }: Pick<Upload, "id" | "kind" | "choices" | "organizationId">,
  zone: TimeZone,
): (rows: readonly CsvRow[]) => Promise<PreparedRow[]> {
  const read = rowReader(kind, choices, zone)
  const lines = lineFinder(store, organizationId, choices.columns?.includes(LINE_NAME) === true)
  const whole = choices.line ? { text: choices.line, isExternal: false } : null
  const hasSums = !choices.keepSums && (kind !== "affiliate_metrics" || !choices.isOurs)
  let idColumns: Promise<number[]> | undefined
  /** The line of the ID in each row, where the file is read by names. */
  const identified = async (rows: readonly CsvRow[]) => {
    idColumns ??= fileStart(store, id, choices.layout).then((start) =>
      unusedIds(kind, start?.header ?? [], choices.columns ?? []),
    )
    const columns = await idColumns
    const texts = rows.map(({ cells }) => columns.map((index) => (cells[index] ?? "").trim()).find(Boolean) ?? "")
    return lines(texts.map((text) => ({ text, isExternal: readPackageId(text) === undefined })))
  }
  return async (rows) => {
    const prepared = rows.map((row) => ({ ...row, read: read(row.cells) }))
    const named = prepared.map(({ read, cells }) => whole ?? (read.ok ? nameOf(kind, read) : aboutOf(choices, cells)))
    const found = await lines(named)
    const byId = choices.columns?.includes(LINE_NAME) ? await identified(rows) : []
    return prepared.map((row, i) => {
      const name = named[i]?.text ?? null
      const isNamed = whole === null && found[i]?.line !== undefined
      const sum = hasSums && !isNamed ? sumIn(row.cells, whole ? "" : (name ?? codeOf(row.read))) : null
      const line = found[i]?.line
      const other = byId[i]?.line
      if (line !== undefined && other !== undefined && other.lineId !== line.lineId) {
        const read = { ok: false, refusal: twoLines(line.name, other.name) } as const
        return { ...row, read, name: null, line: undefined, namesakes: null, sum: null }
      }
      const read = choices.isOurs || line === undefined ? row.read : ofItsBasis(row.read, line)
      return { ...row, read, name, line, namesakes: found[i]?.namesakes ?? null, sum }
    })
  }
}

/** An export may have a column for each basis: that of the line counts. */
function ofItsBasis(read: ReadRow, { pricingBasis }: SoldLineWithTotal): ReadRow {
  if (!read.ok || read.element[pricingBasis] === undefined) return read
  const { element } = read
  const others = UNITS.filter((unit) => unit !== pricingBasis)
  const counted = Object.fromEntries(Object.entries(element).filter(([name]) => !others.some((unit) => unit === name)))
  return { ...read, element: counted }
}

const codeOf = (read: ReadRow) => (read.ok ? String(read.element["code"] ?? "") : "")

/** Checks the rows of a file by the rules of the API, as they were when it was uploaded: whenever it is reported, it means the same. */
export function rowChecker(context: ReportContext, upload: Upload, zone: TimeZone) {
  const { kind } = upload
  const receipt = receiptAt(upload.uploadedAt, zone)
  const prepare = rowPreparer(context, upload, zone)
  return async (rows: readonly CsvRow[]): Promise<CheckedRow[]> => {
    const checked = (await prepare(rows)).map((prepared): CheckedRow => {
      const { number, cells, read, name, line, namesakes, sum } = prepared
      const row = { number, cells, line: undefined, total: null }
      if (sum !== null) return checkedRow(prepared, {}, sum)
      if (!read.ok) return checkedRow(prepared, {}, read.refusal)
      if (name === null) return { ...row, refusal: null, element: read.element }
      if (read.externalId !== null && line === undefined) {
        return { ...row, refusal: unknownLine(name, namesakes), element: read.element }
      }
      const element = line === undefined ? read.element : { ...read.element, [idField(kind)]: line.packageId }
      return kind === "delivery"
        ? judgedTotal({ ...row, element, line }, name, receipt, upload.choices.sent)
        : { ...row, refusal: null, element, line }
    })
    return kind === "delivery"
      ? checked
      : withRefusals(checked, await recordRows(context, upload, checked, { dryRun: true }))
  }
}

/** A row of which no more is known than what it says, or why it is refused. */
export function checkedRow({ number, cells }: CsvRow, element: CheckedRow["element"], refusal: CheckedRow["refusal"]) {
  return { number, cells, line: undefined, total: null, element, refusal }
}

const idField = (kind: UploadKind) => (kind === "delivery" ? "package_id" : "packageId")

function nameOf(
  kind: UploadKind,
  { element, externalId }: { readonly element: Record<string, unknown>; readonly externalId: string | null },
): LineOrCode | null {
  if (kind === "affiliate_metrics") return null
  if (externalId !== null) return { text: externalId, isExternal: true }
  return { text: String(element[idField(kind)] ?? ""), isExternal: false }
}

/** A total by the rules of the API. `sent` says when the file was made, where that is known. */
export function judgedTotal(row: Omit<CheckedRow, "refusal">, name: string, receipt: Receipt, sent: SentFile | null) {
  const element = sent === null ? row.element : { ...row.element, ...measuredBy(row.element["as_of"], sent, receipt) }
  const outcome = judgeRow(element, row.line, name, receipt)
  return isRefusal(outcome) ? { ...row, element, refusal: outcome } : { ...row, element, refusal: null, total: outcome }
}

/**
 * A figure without a day, or of the day on which the file was made, was measured when the file was made: so the file means the same
 * whenever it is sent, and a later file is newer.
 */
function measuredBy(asOf: unknown, { modifiedAt }: SentFile, { now, zone }: Receipt): { as_of?: string } {
  const madeAt = Math.min(modifiedAt, now)
  return asOf === undefined || asOf === dayOf(madeAt, zone) ? { as_of: formatMoment(madeAt) } : {}
}

/** Finds lines, each once: by package id, or by what the seller calls them. */
function lineFinder(store: StoreReads, sellerId: number, byName: boolean) {
  const found = new Map<string, SoldLineWithTotal | undefined>()
  let own: Promise<OwnNames> | undefined
  return async (wanted: readonly (LineOrCode | null)[]) => {
    if (wanted.some((name) => name?.isExternal)) own ??= ownNames(store, sellerId)
    const names = await own
    const named = wanted.map((name) => {
      if (name?.isExternal && names !== undefined) return names.meant(name.text, byName)
      return { packageId: name === null ? undefined : readPackageId(name.text), namesakes: null }
    })
    const ids = new Set(named.map(({ packageId = "" }) => packageId))
    const missing = [...ids].filter((id) => id !== "" && !found.has(id))
    const lines = missing.length === 0 ? [] : await store.packageLines.findSold(sellerId, missing)
    for (const [i, id] of missing.entries()) found.set(id, lines[i])
    return named.map(({ packageId = "", namesakes }) => ({ line: found.get(packageId), namesakes }))
  }
}

const plainName = (name: string) => name.trim().toLowerCase()

export type OwnNames = Awaited<ReturnType<typeof ownNames>>

/** Lines by the seller's own ids, by their names in whatever case, and by what somebody said that they are. */
export async function ownNames({ packageLines, uploads }: StoreReads, sellerId: number) {
  const lines = await packageLines.names(sellerId)
  const matched = await uploads.columns(sellerId, "line")
  const ids = new Map(lines.map(({ externalId, packageId }) => [externalId, packageId]))
  const names = Map.groupBy(lines, (line) => plainName(line.name))
  /** Those that are not archived, if there are any. */
  const namesakes = (text: string) => {
    const all = names.get(plainName(text)) ?? []
    const current = all.filter(({ archived }) => archived === 0)
    return current.length > 0 ? current : all
  }
  const byId = (text: string): PackageId | undefined => ids.get(text)
  const byName = (text: string): PackageId | undefined => {
    const [line, ...others] = namesakes(text)
    return others.length === 0 ? line?.packageId : undefined
  }
  return {
    byId,
    byName,
    /** What a row means, and how many lines have that name where it matters. */
    meant(text: string, isName: boolean) {
      const [first, second] = isName ? [byName, byId] : [byId, byName]
      const count = namesakes(text).length
      return {
        packageId: first(text) ?? second(text) ?? readPackageId(matched.get(text) ?? ""),
        namesakes: isName || count > 1 ? count : null,
      }
    },
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
  return record({ ...context, clock: () => upload.uploadedAt }, reporterOf(upload), elements, options)
}

/** The rows, with what the API said about those that were sent to it. */
export function withRefusals(rows: readonly CheckedRow[], { errors }: AffiliateReport): CheckedRow[] {
  const refusals = new Map(errors.map((error) => [error.index, error]))
  let next = 0
  return rows.map((row) => {
    if (row.refusal !== null) return row
    const error = refusals.get(next++)
    if (error === undefined) return row
    const { message, reason } = error
    const key = reason === "not_seller" ? UNKNOWN + message : message
    const example = String(row.element["code"] ?? "")
    return { ...row, refusal: { key, title: refusalInWords(message), text: "", example, decide: null, reason } }
  })
}

export function reporterOf({ organizationId, uploadedBy, fileName, choices: { sent } }: Upload): Reporter {
  if (sent !== null) return { organizationId, source: { kind: "key", reference: sent.keyId, detail: fileName } }
  return { organizationId, source: { kind: "file", reference: String(uploadedBy ?? ""), detail: fileName } }
}
