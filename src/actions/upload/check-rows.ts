import { type AffiliateReport, refusalInWords } from "../../domain/affiliate/affiliate-report.ts"
import { type PackageId, readPackageId } from "../../domain/campaign/package-line.ts"
import { UNITS } from "../../domain/campaign/pricing-basis.ts"
import type { CsvRow } from "../../domain/csv/csv-reader.ts"
import { type DeliveryTotal, type Receipt, receiptAt } from "../../domain/delivery/delivery.ts"
import { formatMoment } from "../../domain/time/moment.ts"
import { dayOf, type TimeZone } from "../../domain/time/time-zone.ts"
import { LINE_NAME, type UploadKind } from "../../domain/upload/columns.ts"
import { isRefusal, judgeRow, sumIn, unknownLine } from "../../domain/upload/judge-row.ts"
import {
  aboutOf,
  type LineOrCode,
  type ReadRow,
  type RowRefusal,
  rowReader,
  UNKNOWN,
} from "../../domain/upload/row-reader.ts"
import type { SentFile, Upload } from "../../domain/upload/upload.ts"
import type { SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import { recordAffiliateCodes, recordAffiliateMetrics } from "../delivery/record-affiliates.ts"
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
  /** What somebody should know before it is stored. */
  readonly warning?: string
}

export interface CheckedGroup {
  readonly rows: readonly CheckedRow[]
  /** How many rows of the file were read for it. */
  readonly read: number
}

// What was found is forgotten now and then, so that a file full of unknown ids takes no memory.
const CACHED_MAX = 20_000

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

/** Reads the cells of rows, and finds their lines. */
export function rowPreparer(
  { store }: ReportContext,
  { kind, choices, organizationId }: Pick<Upload, "kind" | "choices" | "organizationId">,
  zone: TimeZone,
): (rows: readonly CsvRow[]) => Promise<PreparedRow[]> {
  const read = rowReader(kind, choices, zone)
  const lines = lineFinder(store, organizationId, choices.columns?.includes(LINE_NAME) === true)
  const hasSums = !choices.keepSums && (kind !== "affiliate_metrics" || !choices.isOurs)
  return async (rows) => {
    const prepared = rows.map((row) => ({ ...row, read: read(row.cells) }))
    const named = prepared.map(({ read, cells }) => (read.ok ? nameOf(kind, read) : aboutOf(choices, cells)))
    const found = await lines(named)
    return prepared.map((row, i) => {
      const name = named[i]?.text ?? null
      const sum = hasSums && found[i]?.line === undefined ? sumIn(row.cells, name ?? codeOf(row.read)) : null
      const line = found[i]?.line
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
export function checkedRow(
  { number, cells }: CsvRow,
  element: CheckedRow["element"],
  refusal: CheckedRow["refusal"],
): CheckedRow {
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
export function judgedTotal(
  row: Omit<CheckedRow, "refusal">,
  name: string,
  receipt: Receipt,
  sent: SentFile | null,
): CheckedRow {
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

interface FoundLine {
  readonly line: SoldLineWithTotal | undefined
  readonly namesakes: number | null
}

const NOT_FOUND: FoundLine = { line: undefined, namesakes: null }

/** Finds lines, each once: by package id, or by the seller's own ids, by their names and by what somebody said that they are. */
function lineFinder(store: StoreReads, sellerId: number, byName: boolean) {
  const { packageLines } = store
  const names = nameFinder(packageLines, sellerId)
  let matched: Promise<ReadonlyMap<string, string>> | undefined
  let cached = new Map<string, FoundLine>()
  const keyOf = ({ text, isExternal }: LineOrCode) => `${isExternal ? "e" : "p"}${text}`

  /** The lines of those texts that no way before has found. */
  async function look(
    texts: readonly string[],
    ...ways: ((texts: readonly string[]) => Promise<(SoldLineWithTotal | undefined)[]>)[]
  ): Promise<ReadonlyMap<string, SoldLineWithTotal>> {
    const found = new Map<string, SoldLineWithTotal>()
    for (const way of ways) {
      const rest = texts.filter((text) => text !== "" && !found.has(text))
      const lines = rest.length === 0 ? [] : await way(rest)
      for (const [i, text] of rest.entries()) if (lines[i] !== undefined) found.set(text, lines[i])
    }
    return found
  }

  const byPackageId = (texts: readonly string[]) =>
    packageLines.findSold(
      sellerId,
      texts.map((text) => readPackageId(text) ?? ""),
    )
  const byExternalId = (texts: readonly string[]) => packageLines.findByExternalIds(sellerId, texts)
  async function byMatch(texts: readonly string[]) {
    matched ??= store.uploads.columns(sellerId, "line")
    const ids = await matched
    return byPackageId(texts.map((text) => ids.get(text) ?? ""))
  }

  return async (wanted: readonly (LineOrCode | null)[]): Promise<FoundLine[]> => {
    if (cached.size > CACHED_MAX) cached = new Map()
    const known = cached
    const missing = wanted.filter((name) => name !== null && !known.has(keyOf(name))) as LineOrCode[]
    const textsOf = (isExternal: boolean) => [
      ...new Set(missing.filter((name) => name.isExternal === isExternal).map(({ text }) => text)),
    ]
    const outside = textsOf(true)
    const ways = byName ? [names.find, byExternalId] : [byExternalId, names.find]
    const lines = { e: await look(outside, ...ways, byMatch), p: await look(textsOf(false), byPackageId) }
    const unknown = outside.filter((text) => !lines.e.has(text))
    const counts = unknown.length === 0 ? [] : await names.counts(unknown)
    const namesakes = new Map(unknown.map((text, i) => [text, counts[i] ?? 0]))
    for (const name of missing) {
      const count = name.isExternal ? (namesakes.get(name.text) ?? null) : null
      const line = lines[name.isExternal ? "e" : "p"].get(name.text)
      known.set(keyOf(name), { line, namesakes: byName || (count ?? 0) > 1 ? count : null })
    }
    return wanted.map((name) => (name === null ? NOT_FOUND : (known.get(keyOf(name)) ?? NOT_FOUND)))
  }
}

const plainName = (name: string) => name.trim().toLowerCase()

/** Finds lines by their names, in whatever case. Where several have the same name none is found, unless only one is not archived. */
export function nameFinder(packageLines: StoreReads["packageLines"], sellerId: number) {
  let loaded: Promise<ReadonlyMap<string, readonly PackageId[]>> | undefined
  async function idsByName() {
    const lines = await packageLines.listWithTotals(sellerId)
    const names = new Map<string, readonly PackageId[]>()
    for (const [name, all] of Map.groupBy(lines, (line) => plainName(line.name))) {
      const current = all.filter(({ archived }) => archived !== true)
      const ids = (current.length > 0 ? current : all).map(({ packageId }) => packageId)
      names.set(name, ids)
    }
    return names
  }
  async function idsOf(names: readonly string[]) {
    loaded ??= idsByName()
    const ids = await loaded
    return names.map((name) => ids.get(plainName(name)) ?? [])
  }
  return {
    async find(names: readonly string[]): Promise<(SoldLineWithTotal | undefined)[]> {
      const ids = await idsOf(names)
      return packageLines.findSold(
        sellerId,
        ids.map(([id = "", ...others]) => (others.length === 0 ? id : "")),
      )
    },
    /** How many lines have each of these names. */
    counts: async (names: readonly string[]) => (await idsOf(names)).map(({ length }) => length),
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
