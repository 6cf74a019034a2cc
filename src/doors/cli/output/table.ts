import { formatMinute, formatMoment, type Moment } from "../../../domain/time/moment.ts"
import type { CommonOptions } from "../context.ts"
import { type Io, printJson } from "../io.ts"
import { type Colour, coloured, oneLine, padded, shortened } from "./text.ts"

export interface Column<Row> {
  readonly title: string
  /** What JSON has, under the title in small letters unless `json` names it otherwise. */
  readonly value?: (row: Row) => unknown
  readonly json?: string
  /** What people read, unless it is the value in words. */
  readonly text?: (row: Row) => string
  /** Figures stand under each other. */
  readonly isFigure?: boolean
  /** May be shortened where the terminal is too narrow. IDs and figures are not: they would be useless. */
  readonly shrinks?: boolean
  /** May be left out where the terminal is too narrow, the column with the highest number first. */
  readonly optional?: number
  readonly colour?: (row: Row) => Colour | undefined
}

type Rest<Row> = Omit<Column<Row>, "title" | "value">

/** A moment: exact in JSON, to the minute for people. */
export function timeColumn<Row>(title: string, at: (row: Row) => Moment | null, rest: Rest<Row> = {}): Column<Row> {
  const minute = (moment: Moment | null) => (moment === null ? "-" : formatMinute(moment))
  return { title, value: (row) => momentOrNull(at(row)), text: (row) => minute(at(row)), ...rest }
}

export const momentOrNull = (moment: Moment | null) => (moment === null ? null : formatMoment(moment))

/** True or false in JSON, a word for people. */
export function flagColumn<Row>(
  title: string,
  holds: (row: Row) => boolean,
  [yes, no]: readonly [string, string],
  rest: Rest<Row>,
): Column<Row> {
  return { title, value: holds, text: (row) => (holds(row) ? yes : no), ...rest }
}

export interface Surface {
  /** Columns of the terminal; null where the output is no terminal, and everything is printed in full. */
  readonly width: number | null
  readonly hasColours: boolean
}

const GAP = 2
// A column is left out before others are shortened to less than this, and nothing is shortened to less than that.
const READABLE = 20
const SHRUNK_MIN = 10
const NOTHING = ["", "-"]

/** Rows under a header, made to fit the terminal, and the titles of the columns that did not fit. */
export function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[], surface: Surface) {
  const measured = columns.map((column) => measure(column, rows))
  const { width } = surface
  if (width === null) return { text: draw(measured, surface), leftOut: [] }
  const telling = measured.filter(({ column, cells }) => column.optional === undefined || cells.some(says))
  const chosen = fitting(telling, width)
  const leftOut = telling.filter((column) => !chosen.includes(column)).map(({ column }) => column.title)
  return { text: draw(shrunk(chosen, width), surface), leftOut }
}

interface Measured {
  readonly column: Pick<Column<never>, "title" | "isFigure" | "shrinks" | "optional">
  readonly cells: readonly string[]
  readonly colours: readonly (Colour | undefined)[]
  readonly width: number
}

function measure<Row>(column: Column<Row>, rows: readonly Row[]): Measured {
  const cells = rows.map((row) => oneLine(cellText(column, row)))
  const width = cells.reduce((widest, cell) => Math.max(widest, Bun.stringWidth(cell)), column.title.length)
  return { column, cells, colours: rows.map((row) => column.colour?.(row)), width }
}

export const cellText = <Row>({ text, value }: Column<Row>, row: Row): string => text?.(row) ?? inWords(value?.(row))

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ") || "-"
  return typeof value === "number" ? value.toLocaleString("en") : String(value ?? "-")
}

const says = (cell: string) => !NOTHING.includes(cell)

const leastOf = ({ column, width }: Measured, least: number) =>
  column.shrinks ? Math.min(width, Math.max(least, column.title.length)) : width

const sumOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + GAP, -GAP)

/** The columns that fit, each as narrow as it may be. */
function fitting(columns: readonly Measured[], width: number): readonly Measured[] {
  if (sumOf(columns.map((column) => leastOf(column, READABLE))) <= width) return columns
  const optional = columns.filter(({ column }) => column.optional !== undefined)
  const [last] = optional.toSorted((a, b) => (b.column.optional ?? 0) - (a.column.optional ?? 0))
  const others = columns.filter((column) => column !== last)
  return last === undefined ? columns : fitting(others, width)
}

/** Takes what is too much from whichever column is the widest at the time. */
function shrunk(columns: readonly Measured[], width: number): readonly Measured[] {
  const widths = columns.map((column) => column.width)
  for (let excess = sumOf(widths) - width; excess > 0; excess--) {
    const room = widths.map((entry, i) => (entry > leastOf(columns[i] as Measured, SHRUNK_MIN) ? entry : 0))
    const widest = room.indexOf(Math.max(...room))
    if (room[widest] === 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return columns.map((column, i) => ({ ...column, width: widths[i] ?? column.width }))
}

function draw(columns: readonly Measured[], { hasColours }: Surface): string {
  const line = (cellOf: (column: Measured) => readonly [text: string, colour?: Colour | undefined]) => {
    const cells = columns.map((measured, i) => {
      const { column, width } = measured
      const [whole, colour] = cellOf(measured)
      const text = shortened(whole, width)
      const isLast = i === columns.length - 1
      const space = padded(text, isLast && !column.isFigure ? 0 : width, column.isFigure)
      return space.replace(text, () => coloured(text, colour, hasColours))
    })
    return cells.join(" ".repeat(GAP)).trimEnd()
  }
  const header = line(({ column }) => [column.title, "dim"])
  const rows = (columns[0]?.cells ?? []).map((_, row) => line(({ cells, colours }) => [cells[row] ?? "", colours[row]]))
  return `${[header, ...rows].join("\n")}\n`
}

export interface List<Row> {
  readonly columns: readonly Column<Row>[]
  /** What JSON has beyond the columns. */
  readonly more?: (row: Row) => object
  readonly empty: string
}

export function asJson<Row>({ columns, more }: List<Row>, row: Row): object {
  const named = columns.flatMap(({ title, json = title.toLowerCase().replaceAll(" ", "_"), value }) =>
    value === undefined ? [] : [[json, value(row)]],
  )
  return { ...Object.fromEntries(named), ...more?.(row) }
}

/** Prints rows as a table, or as a JSON array. Where there are none, it says so on standard error, so that scripts read nothing. */
export function printList<Row>(io: Io, { json }: CommonOptions, rows: readonly Row[], list: List<Row>): void {
  const values = () => rows.map((row) => asJson(list, row))
  if (json) printJson(io, values())
  else if (rows.length === 0) io.err(`${list.empty}\n`)
  else printTable(io, rows, list.columns)
}

export function printTable<Row>(io: Io, rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const { text, leftOut } = tableOf(columns, rows, { width: io.columns(), hasColours: io.outHasColours })
  io.outStyled(text)
  if (leftOut.length > 0) io.err(`Not shown, for lack of space: ${leftOut.join(", ")}. --json shows everything.\n`)
}

/** One thing: a name and a value on each line. Values that are null are left out. */
export function printDetails(
  io: Io,
  { json }: CommonOptions,
  value: unknown,
  details: readonly (readonly [name: string, value: string | null, colour?: Colour])[],
): void {
  if (json) {
    printJson(io, value)
    return
  }
  const rows = details.filter(([, text]) => text !== null)
  const width = rows.reduce((widest, [name]) => Math.max(widest, name.length), 0)
  const lines = rows.map(([name, text, colour]) => {
    const title = coloured(padded(`${name}:`, width + 1), "dim", io.outHasColours)
    return `${title}  ${coloured(oneLine(text ?? ""), colour, io.outHasColours)}\n`
  })
  io.outStyled(lines.join(""))
}
