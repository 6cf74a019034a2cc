import { UNITS } from "../../domain/campaign/pricing-basis.ts"
import { type CsvRow, csvRows } from "../../domain/csv/csv-reader.ts"
import { trimmed } from "../../domain/csv/find-table.ts"
import { UPLOAD_ROWS_MAX } from "../../domain/limits.ts"
import { rowFilter } from "../../domain/presets/recognize.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { isDays, LINE_NAME, unusedIds } from "../../domain/upload/columns.ts"
import { NAMES_NOTHING, sumIn, twoLines } from "../../domain/upload/judge-row.ts"
import { type LineOrCode, type ReadRow, type RowRefusal, rowReader } from "../../domain/upload/row-reader.ts"
import { TooManyRows, type Upload, type UploadChoices } from "../../domain/upload/upload.ts"
import { nextTurn } from "../../next-turn.ts"
import type { SoldLineWithTotal, StoreReads } from "../../storage/port/store.ts"
import { type MeantLine, type OwnLines, ownLines } from "./own-lines.ts"

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
    if (rows.length > UPLOAD_ROWS_MAX) throw new TooManyRows()
  }
  return { header, rows }
}

/** The text of a file, or of its sheet that somebody chose. Null when it is no longer kept. */
export const textIn = ({ uploads }: StoreReads, { id, choices }: Pick<Upload, "id" | "choices">) =>
  uploads.text(id, choices.sheet ?? 0)

/** A file whose table was read, and the lines that its rows may be of. All that is asked about it is answered from there. */
export interface OpenFile {
  readonly upload: FileToRead
  readonly table: Table
  readonly own: OwnLines
  readonly zone: TimeZone
}

export type FileToRead = Pick<Upload, "kind" | "choices" | "organizationId">

/** Null when its text is no longer kept. */
export async function openFile(store: StoreReads, upload: Upload): Promise<(OpenFile & { upload: Upload }) | null> {
  const text = await textIn(store, upload)
  if (text === null) return null
  const { organizationId, choices } = upload
  const table = await tableIn(text, choices)
  const remembered = await store.uploads.remembered(organizationId)
  const own = await ownLines(store, upload, remembered, choices.matches)
  return { upload, table, own, zone: await zoneOf(store, organizationId) }
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

/** The rows of a file with their lines. */
export async function preparedRows({ upload, table, own, zone }: OpenFile): Promise<PreparedRow[]> {
  const { kind, choices } = upload
  const columns = choices.columns ?? []
  const isByName = columns.includes(LINE_NAME)
  const idColumns = unusedIds(kind, table.header, columns)
  const dayIndex = columns.findIndex(isDays)
  const readCells = rowReader(kind, choices, zone)
  const whole = choices.line ? { text: choices.line, isExternal: false } : null
  const hasSums = !choices.keepSums && (kind !== "affiliate_metrics" || !choices.isOurs)

  const meantBy = (name: LineOrCode | null): MeantLine =>
    name?.isExternal ? own.named(name.text, isByName) : { line: own.byPackageId(name?.text ?? ""), namesakes: null }

  /** The line whose ID stands in a row of a file that is read by names. */
  function identified({ cells }: CsvRow): SoldLineWithTotal | undefined {
    const text = idColumns.map((index) => (cells[index] ?? "").trim()).find(Boolean)
    return text === undefined ? undefined : (own.byPackageId(text) ?? own.named(text, true).line)
  }

  function prepared(row: CsvRow): PreparedRow {
    const { number, cells } = row
    const read = readCells(cells)
    const name = whole ?? read.about
    const { line, namesakes } = meantBy(name)
    const unread = (refusal: RowRefusal): PreparedRow => ({
      ...{ number, read: { ok: false, about: null, refusal }, name: null, line: undefined, namesakes: null, sum: null },
    })
    const other = isByName && line !== undefined ? identified(row) : undefined
    if (line !== undefined && other !== undefined && other.lineId !== line.lineId)
      return unread(twoLines(line.name, other.name))
    const text = name?.text ?? null
    const isNamed = whole === null && line !== undefined
    // A row of a line may still say that it is the sum of its days.
    const said = isNamed ? [cells[dayIndex] ?? ""] : cells
    const sum = hasSums ? sumIn(said, isNamed || whole ? "" : (text ?? "")) : null
    if (text === "" && sum === null && isFigureOfADay(read)) return unread(NAMES_NOTHING)
    const isExact = choices.isOurs || line === undefined
    return { number, read: isExact ? read : ofItsBasis(read, line), name: text, line, namesakes, sum }
  }

  const rows: PreparedRow[] = []
  for (const row of table.rows) {
    rows.push(prepared(row))
    await nextTurn()
  }
  return rows
}

/** Whether a row has a day and something else: then it is no sum of others, which has no day. */
const isFigureOfADay = (read: ReadRow): boolean =>
  read.ok && Object.keys(read.element).some(isDays) && Object.keys(read.element).length > 1

/** An export may have a column for each basis: that of the line counts. */
function ofItsBasis(read: ReadRow, { pricingBasis }: SoldLineWithTotal): ReadRow {
  if (!read.ok || read.element[pricingBasis] === undefined) return read
  const others: readonly string[] = UNITS.filter((unit) => unit !== pricingBasis)
  const counted = Object.entries(read.element).filter(([name]) => !others.includes(name))
  return { ...read, element: Object.fromEntries(counted) }
}
