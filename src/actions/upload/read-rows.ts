import { type PackageId, readPackageId } from "../../domain/campaign/package-line.ts"
import { UNITS } from "../../domain/campaign/pricing-basis.ts"
import { CSV_SLICE_CHARACTERS, type CsvRow, csvReader, firstRows, NotCsv } from "../../domain/csv/csv-reader.ts"
import { trimmed } from "../../domain/csv/find-table.ts"
import { UPLOAD_ROWS_MAX } from "../../domain/limits.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import { rowFilter } from "../../domain/presets/recognize.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { LINE_NAME, unusedIds } from "../../domain/upload/columns.ts"
import { sumIn, twoLines } from "../../domain/upload/judge-row.ts"
import { PART_CHARACTERS } from "../../domain/upload/received-text.ts"
import { type LineOrCode, type ReadRow, type RowRefusal, rowReader } from "../../domain/upload/row-reader.ts"
import type { Upload, UploadChoices } from "../../domain/upload/upload.ts"
import { nextTurn } from "../../next-turn.ts"
import type { SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"

export const ROWS_AT_ONCE_MAX = 250

/** The rows of an uploaded file that count, in groups, without the header. Others are served after each, and after text without rows. */
export async function* fileRows(
  { uploads }: StoreReads,
  { id, choices: { layout, preset } }: Pick<Upload, "id" | "choices">,
): AsyncGenerator<readonly CsvRow[]> {
  const reader = csvReader(layout.delimiter)
  // Known once the header was read.
  let counts: ReturnType<typeof rowFilter> | undefined

  function below(rows: readonly CsvRow[]): readonly CsvRow[] {
    if (reader.rowsRead > UPLOAD_ROWS_MAX + layout.headerRow) throw new NotCsv(TOO_MANY_ROWS)
    if (counts !== undefined) return rows.filter(counts)
    const index = rows.findIndex(({ number }) => number >= layout.headerRow)
    const header = rows[index]
    if (header === undefined) return []
    counts = rowFilter(trimmed(header), preset?.skip ?? [])
    return below(rows.slice(index + 1))
  }

  for (let position = 0; ; position++) {
    const part = await uploads.part(id, "file", position)
    if (part === null) break
    for (let from = 0; from < part.length; from += CSV_SLICE_CHARACTERS) {
      const rows = below(reader.add(part.slice(from, from + CSV_SLICE_CHARACTERS)))
      for (const some of inParts(rows, ROWS_AT_ONCE_MAX)) {
        yield some
        await nextTurn()
      }
      if (rows.length === 0) await nextTurn()
    }
  }
  const last = below(reader.end())
  if (last.length > 0) yield last
}

const TOO_MANY_ROWS = `it has more than ${UPLOAD_ROWS_MAX.toLocaleString("en")} rows, blank ones included. Split it, or remove the blank rows`

// Enough to see what the columns of a file are.
const START_ROWS_MAX = 200

export type FileStart = NonNullable<Awaited<ReturnType<typeof fileStart>>>

/** The header, the first rows below it and those above it; null for an empty file. */
export async function fileStart({ uploads }: StoreReads, id: number, { layout }: Pick<UploadChoices, "layout">) {
  const text = await uploads.part(id, "file", 0)
  if (text === null) return null
  const { delimiter, headerRow } = layout
  const start = firstRows(text, delimiter, headerRow + START_ROWS_MAX)
  const [header, ...rows] = start.filter(({ number }) => number >= headerRow)
  const above = start.filter(({ number }) => number < headerRow)
  // Perhaps a header that is cut off, or a row of blank ones without an end.
  if (rows.length === 0 && text.length >= PART_CHARACTERS - 1) throw new NotCsv(NO_TABLE)
  return header === undefined ? null : { header: trimmed(header), rows: rows.slice(0, START_ROWS_MAX), above }
}

const NO_TABLE = `there is no row with figures in its first ${PART_CHARACTERS.toLocaleString("en")} characters`

/** Days in a file are days of the organization that sells. */
export async function zoneOf({ deliveries }: StoreReads, organizationId: number): Promise<TimeZone> {
  return (await deliveries.linesSold(organizationId, [])).timeZone
}

/** A row with its line, before any rule is applied. */
export interface PreparedRow {
  readonly number: number
  readonly read: ReadRow
  /** What the file calls the line, or its code; null for rows of which that cannot be told. */
  readonly name: string | null
  readonly line: SoldLineWithTotal | undefined
  /** How many lines have this name; null where the file has IDs. */
  readonly namesakes: number | null
  /** Why it does not count: it is the sum of others. */
  readonly sum: RowRefusal | null
}

export type PreparedRows = AsyncIterable<readonly PreparedRow[]>

export type FileToRead = Pick<Upload, "id" | "kind" | "choices" | "organizationId">

/** The rows of a file with their lines, in groups. */
export async function* preparedRows(store: StoreReads, upload: FileToRead, zone: TimeZone) {
  const { id, kind, choices, organizationId } = upload
  const columns = choices.columns ?? []
  const isByName = columns.includes(LINE_NAME)
  const idColumns = isByName ? unusedIds(kind, (await fileStart(store, id, choices))?.header ?? [], columns) : []
  const readCells = rowReader(kind, choices, zone)
  const findLines = lineFinder(store, organizationId, isByName, choices.matches)
  const whole = choices.line ? { text: choices.line, isExternal: false } : null
  const hasSums = !choices.keepSums && (kind !== "affiliate_metrics" || !choices.isOurs)

  /** What the ID in a row names, where the file is read by names. */
  function identified({ cells }: CsvRow): LineOrCode {
    const text = idColumns.map((index) => (cells[index] ?? "").trim()).find(Boolean) ?? ""
    return { text, isExternal: readPackageId(text) === undefined }
  }

  for await (const rows of fileRows(store, upload)) {
    const reads = rows.map(({ cells }) => readCells(cells))
    const names = reads.map(({ about }) => whole ?? about)
    const found = kind === "affiliate_metrics" ? [] : await findLines(names)
    const others = isByName ? await findLines(rows.map(identified)) : []
    yield rows.map(({ number, cells }, i): PreparedRow => {
      const [read, name, { line, namesakes }] = [reads[i] as ReadRow, names[i]?.text ?? null, found[i] ?? UNKNOWN_LINE]
      const other = others[i]?.line
      if (line !== undefined && other !== undefined && other.lineId !== line.lineId) {
        const refused = { ok: false, about: null, refusal: twoLines(line.name, other.name) } as const
        return { ...UNKNOWN_LINE, number, read: refused, name: null, sum: null }
      }
      const isNamed = whole === null && line !== undefined
      const sum = hasSums && !isNamed ? sumIn(cells, whole ? "" : (name ?? "")) : null
      const isExact = choices.isOurs || line === undefined
      return { number, read: isExact ? read : ofItsBasis(read, line), name, line, namesakes, sum }
    })
  }
}

const UNKNOWN_LINE = { line: undefined, namesakes: null }

/** An export may have a column for each basis: that of the line counts. */
function ofItsBasis(read: ReadRow, { pricingBasis }: SoldLineWithTotal): ReadRow {
  if (!read.ok || read.element[pricingBasis] === undefined) return read
  const others: readonly string[] = UNITS.filter((unit) => unit !== pricingBasis)
  const counted = Object.entries(read.element).filter(([name]) => !others.includes(name))
  return { ...read, element: Object.fromEntries(counted) }
}

/** Finds lines, each once: by package id, or by what the seller calls them. */
function lineFinder(store: StoreReads, sellerId: number, isByName: boolean, matches: UploadChoices["matches"]) {
  const found = new Map<string, SoldLineWithTotal | undefined>()
  let own: ReturnType<typeof ownNames> | undefined
  return async (wanted: readonly (LineOrCode | null)[]) => {
    if (wanted.some((name) => name?.isExternal)) own ??= ownNames(store, sellerId, matches)
    const names = await own
    const named = wanted.map((name) => {
      if (name?.isExternal && names !== undefined) return names.meant(name.text, isByName)
      return { packageId: readPackageId(name?.text ?? ""), namesakes: null }
    })
    const ids = new Set(named.flatMap(({ packageId }) => packageId ?? []))
    const missing = [...ids].filter((id) => !found.has(id))
    const lines = missing.length === 0 ? [] : await store.packageLines.findSold(sellerId, missing)
    for (const [i, id] of missing.entries()) found.set(id, lines[i])
    return named.map(({ packageId = "", namesakes }) => ({ line: found.get(packageId), namesakes }))
  }
}

const plainName = (name: string) => name.trim().toLowerCase()

/** Lines by the seller's own ids, by their names in whatever case, and by what somebody said that they are. */
export async function ownNames(
  { packageLines, uploads }: StoreReads,
  sellerId: number,
  matches: UploadChoices["matches"] = {},
) {
  const lines = await packageLines.names(sellerId)
  const matched = new Map([...(await uploads.remembered(sellerId)).lines, ...Object.entries(matches)])
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
