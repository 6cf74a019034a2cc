import { type PackageId, readPackageId } from "../../domain/campaign/package-line.ts"
import { UNITS } from "../../domain/campaign/pricing-basis.ts"
import { type CsvRow, csvRows, NotCsv } from "../../domain/csv/csv-reader.ts"
import { trimmed } from "../../domain/csv/find-table.ts"
import { UPLOAD_ROWS_MAX } from "../../domain/limits.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import { rowFilter } from "../../domain/presets/recognize.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { LINE_NAME, unusedIds } from "../../domain/upload/columns.ts"
import { sumIn, twoLines } from "../../domain/upload/judge-row.ts"
import { type LineOrCode, type ReadRow, type RowRefusal, rowReader } from "../../domain/upload/row-reader.ts"
import type { Upload, UploadChoices } from "../../domain/upload/upload.ts"
import { nextTurn } from "../../next-turn.ts"
import type { SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"

/** The table in a file: its headings, and the rows below them that count. */
export interface Table {
  readonly header: readonly string[]
  readonly rows: readonly CsvRow[]
}

/** Reads a text once. Throws where it is no CSV, or has more rows than a file may have. Others are served meanwhile. */
export async function tableIn(
  text: string,
  { layout, preset }: Pick<UploadChoices, "layout" | "preset">,
): Promise<Table> {
  const rows: CsvRow[] = []
  let header: readonly string[] = []
  let counts: ReturnType<typeof rowFilter> | undefined
  for (const row of csvRows(text, layout.delimiter)) {
    await nextTurn()
    if (row.number < layout.headerRow) continue
    if (counts === undefined) {
      header = trimmed(row)
      counts = rowFilter(header, preset?.skip ?? [])
    } else if (counts(row) && row.cells.some((cell) => cell.trim() !== "")) rows.push(row)
    if (rows.length > UPLOAD_ROWS_MAX) throw new NotCsv(TOO_MANY_ROWS)
  }
  return { header, rows }
}

const TOO_MANY_ROWS = `it has more than ${UPLOAD_ROWS_MAX.toLocaleString("en")} rows. Split it, and upload the parts one by one`

/** The text of a file, or of its sheet that somebody chose. Null when it is no longer kept. */
export const textIn = ({ uploads }: StoreReads, { id, choices }: Pick<Upload, "id" | "choices">) =>
  uploads.text(id, choices.sheet ?? 0)

/** A file whose table was read. All that is asked about it is answered from there. */
export interface OpenFile {
  readonly upload: FileToRead
  readonly table: Table
  readonly zone: TimeZone
}

export type FileToRead = Pick<Upload, "kind" | "choices" | "organizationId">

/** Null when its text is no longer kept. */
export async function openFile(store: StoreReads, upload: Upload): Promise<(OpenFile & { upload: Upload }) | null> {
  const text = await textIn(store, upload)
  if (text === null) return null
  return { upload, table: await tableIn(text, upload.choices), zone: await zoneOf(store, upload.organizationId) }
}

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

/** A row, and what it names: by its name or ID, and by another ID beside a name. */
type NamedRow = Readonly<{
  row: CsvRow
  read: ReadRow
  name: LineOrCode | null
  packageId: PackageId | undefined
  namesakes: number | null
  other: PackageId | undefined
}>

/** The rows of a file with their lines. */
export async function preparedRows(store: StoreReads, { upload, table, zone }: OpenFile): Promise<PreparedRow[]> {
  const { kind, choices, organizationId } = upload
  const columns = choices.columns ?? []
  const isByName = columns.includes(LINE_NAME)
  const idColumns = unusedIds(kind, table.header, columns)
  const readCells = rowReader(kind, choices, zone)
  const own = kind === "affiliate_metrics" ? null : await ownNames(store, organizationId, choices.matches)
  const whole = choices.line ? { text: choices.line, isExternal: false } : null
  const hasSums = !choices.keepSums && (kind !== "affiliate_metrics" || !choices.isOurs)

  /** What the ID in a row names, where the file is read by names. */
  function identified({ cells }: CsvRow): LineOrCode {
    const text = idColumns.map((index) => (cells[index] ?? "").trim()).find(Boolean) ?? ""
    return { text, isExternal: readPackageId(text) === undefined }
  }

  const meant = (name: LineOrCode | null) =>
    name?.isExternal && own !== null
      ? own.meant(name.text, isByName)
      : { packageId: readPackageId(name?.text ?? ""), namesakes: null }

  const named: NamedRow[] = []
  for (const row of table.rows) {
    const read = readCells(row.cells)
    const name = whole ?? read.about
    const other = isByName ? meant(identified(row)).packageId : undefined
    named.push({ row, read, name, ...(own === null ? { packageId: undefined, namesakes: null } : meant(name)), other })
    await nextTurn()
  }
  const lines = await linesBy(
    store,
    organizationId,
    new Set(named.flatMap(({ packageId, other }) => [packageId, other])),
  )
  const prepared: PreparedRow[] = []
  for (const row of named) {
    prepared.push(withLine(row))
    await nextTurn()
  }
  return prepared

  function withLine({
    row: { number, cells },
    read,
    name,
    packageId,
    namesakes,
    other: otherId,
  }: NamedRow): PreparedRow {
    const [line, other] = [lines.get(packageId), lines.get(otherId)]
    if (line !== undefined && other !== undefined && other.lineId !== line.lineId) {
      const refused = { ok: false, about: null, refusal: twoLines(line.name, other.name) } as const
      return { number, read: refused, name: null, line: undefined, namesakes: null, sum: null }
    }
    const text = name?.text ?? null
    const isNamed = whole === null && line !== undefined
    const sum = hasSums && !isNamed ? sumIn(cells, whole ? "" : (text ?? "")) : null
    const isExact = choices.isOurs || line === undefined
    return { number, read: isExact ? read : ofItsBasis(read, line), name: text, line, namesakes, sum }
  }
}

/** An export may have a column for each basis: that of the line counts. */
function ofItsBasis(read: ReadRow, { pricingBasis }: SoldLineWithTotal): ReadRow {
  if (!read.ok || read.element[pricingBasis] === undefined) return read
  const others: readonly string[] = UNITS.filter((unit) => unit !== pricingBasis)
  const counted = Object.entries(read.element).filter(([name]) => !others.includes(name))
  return { ...read, element: Object.fromEntries(counted) }
}

const LINES_AT_ONCE = 500

async function linesBy({ packageLines }: StoreReads, sellerId: number, ids: ReadonlySet<PackageId | undefined>) {
  const found = new Map<PackageId | undefined, SoldLineWithTotal>()
  const wanted = [...ids].filter((id) => id !== undefined)
  for (const some of inParts(wanted, LINES_AT_ONCE)) {
    const lines = await packageLines.findSold(sellerId, some)
    for (const [i, line] of lines.entries()) if (line !== undefined) found.set(some[i], line)
  }
  return found
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
