import { isatty } from "node:tty"
import { styleText } from "node:util"
import { maskKeys } from "../domain/api-key.ts"
import { codeOf, messageOf, UserError } from "../domain/errors.ts"
import { formatMoment, type Moment } from "../domain/time/moment.ts"
import type { Progress } from "../storage/copies/copy.ts"

const OUTPUT = 1
const ERRORS = 2

/** The reader of standard output is gone, as with `| head`. The command exits and prints nothing. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone"
}

// Without these listeners, a reader that is gone would end the process with a stack trace.
process.stdout.on("error", () => undefined)
process.stderr.on("error", () => undefined)

/** Writes data to standard output, and returns once all of it is written, however slow the reader is. */
export async function write(text: string | Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  process.stdout.write(text, (cause) => (cause ? reject(cause) : resolve()))
  try {
    await promise
  } catch (cause) {
    throw explained(cause)
  }
}

/** What an error of standard output means. */
export function explained(cause: unknown): unknown {
  const code = codeOf(cause)
  if (code === "EPIPE" || code === "ERR_STREAM_DESTROYED") return new ReaderGone("The output has no reader.", { cause })
  const words = code === "ENOSPC" ? "the disk is full" : messageOf(cause)
  return new UserError(`The output is incomplete: ${words}.`, { cause })
}

/** Writes a message for people to standard error. Keys are masked, because people type them in the wrong place. */
export function say(text: string, color?: Color): void {
  const safe = printable(maskKeys(text))
  process.stderr.write(`${color === undefined ? safe : colored(safe, color, ERRORS)}\n`)
}

/** Prints lines of text. */
export const printText = (text: string): Promise<void> => write(`${printable(text)}\n`)

/** Prints one JSON document. */
export const printJson = (value: unknown): Promise<void> => write(`${printable(JSON.stringify(value, null, 2))}\n`)

// Control characters but line breaks, invisible separators, marks that change the direction of text, and halves of pairs.
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{feff}]/gu

/** Escapes what could control a terminal as JSON does, so that a JSON document keeps its meaning. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** In one line, so that the text of a stranger can't break a table. */
const oneLine = (text: string): string => printable(text.replace(/\s+/g, " "))

type Color = "red" | "dim"

function colored(text: string, color: Color, stream: number): string {
  const hasColors = isatty(stream) && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb"
  return hasColors ? styleText(color, text, { validateStream: false }) : text
}

/** Whether standard error is a terminal, so that a person sees the messages. */
export const isErrorTerminal = (): boolean => isatty(ERRORS)
export const isOutputTerminal = (): boolean => isatty(OUTPUT)

/** Draws a line on the terminal that the next one replaces. An empty text clears it. */
function drawLine(text: string): void {
  if (isatty(ERRORS)) process.stderr.write(`\r\x1b[K${oneLine(text)}`)
}

/** A column of a table, and a field of its JSON. */
export interface Column<Row> {
  readonly title: string
  /** Its name in JSON: the title in small letters unless it's another one. Null leaves it out. */
  readonly json?: string | null
  /** The field that it shows, or how to find the value. */
  readonly value: (keyof Row & string) | ((row: Row) => unknown)
  /** What people read, if it isn't the value itself. Null leaves the column out of the table. */
  readonly text?: ((row: Row) => string) | null
  /** May be left out on a narrow terminal. */
  readonly isOptional?: true
  /** May be cut on a narrow terminal. IDs and numbers never are. */
  readonly isCut?: true
}

const valueIn = <Row>({ value }: Column<Row>, row: Row): unknown =>
  typeof value === "function" ? value(row) : row[value]

interface ListOptions {
  readonly json?: true | undefined
  /** The message for an empty list. */
  readonly empty: string
}

/** Prints rows as a table or as a JSON array, from the same columns. */
export async function printList<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { json, empty }: ListOptions,
): Promise<void> {
  if (json) return printJson(rows.map((row) => jsonOf(columns, row)))
  if (rows.length === 0) return say(empty)
  const width = isatty(OUTPUT) ? process.stdout.columns || WIDTH_UNKNOWN : Number.POSITIVE_INFINITY
  const { text, hidden } = tableOf(rows, columns, width)
  await write(text)
  if (hidden.length > 0) say(`Columns hidden to fit: ${hidden.join(", ")}. --json prints everything.`)
}

const WIDTH_UNKNOWN = 80

/** A row as JSON. */
export function jsonOf<Row>(columns: readonly Column<Row>[], row: Row): Record<string, unknown> {
  const fields = columns.flatMap((column) => {
    const { title, json = title.toLowerCase().replaceAll(" ", "_") } = column
    return json === null ? [] : [[json, valueIn(column, row)] as const]
  })
  return Object.fromEntries(fields)
}

/** A row as one line of text, as it's printed while it's followed. */
export const lineOf = <Row>(columns: readonly Column<Row>[], row: Row): string =>
  columns
    .filter(({ text }) => text !== null)
    .map((column) => oneLine(cellText(column, row)))
    .join("  ")

function cellText<Row>(column: Column<Row>, row: Row): string {
  if (column.text) return column.text(row)
  const shown = valueIn(column, row)
  if (Array.isArray(shown)) return shown.join(", ")
  return typeof shown === "number" ? shown.toLocaleString("en") : String(shown ?? "-")
}

const GAP = 2
const CUT_MIN = 12

interface Measured {
  readonly title: string
  readonly cells: readonly string[]
  readonly isNumber: boolean
  readonly isOptional: boolean
  readonly isCut: boolean
  width: number
}

/** The lines of a table that fits into the width, and the columns that don't. */
function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width: number) {
  const shown = columns.filter(({ text }) => text !== null).map((column) => measure(column, rows))
  const hidden: string[] = []
  const excess = () => shown.reduce((sum, column) => sum + column.width + GAP, -GAP) - width
  const leastExcess = () => excess() - shown.reduce((sum, column) => sum + spareOf(column), 0)
  while (leastExcess() > 0) {
    const last = shown.findLastIndex(({ isOptional }) => isOptional)
    if (last < 0) break
    hidden.unshift(...shown.splice(last, 1).map(({ title }) => title))
  }
  for (const column of shown) column.width -= Math.max(0, Math.min(excess(), spareOf(column)))
  const title = line(shown, ({ title }) => colored(title, "dim", OUTPUT))
  const lines = rows.map((_, i) => line(shown, ({ cells }) => cells[i] ?? ""))
  return { text: [title, ...lines].join(""), hidden }
}

function measure<Row>(column: Column<Row>, rows: readonly Row[]): Measured {
  const cells = rows.map((row) => oneLine(cellText(column, row)))
  return {
    title: column.title,
    cells,
    isNumber: rows.some((row) => typeof valueIn(column, row) === "number"),
    isOptional: column.isOptional ?? false,
    isCut: column.isCut ?? false,
    width: Math.max(column.title.length, ...cells.map((cell) => Bun.stringWidth(cell))),
  }
}

const spareOf = ({ isCut, width }: Measured): number => (isCut ? Math.max(0, width - CUT_MIN) : 0)

function line(columns: readonly Measured[], cellOf: (column: Measured) => string): string {
  const cells = columns.map((column) => {
    const cell = cut(cellOf(column), column.width)
    const space = " ".repeat(Math.max(0, column.width - Bun.stringWidth(cell)))
    return column.isNumber ? space + cell : cell + space
  })
  return `${cells.join(" ".repeat(GAP)).trimEnd()}\n`
}

/** Shortened to a width, in which wide characters count twice. */
function cut(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text
  let start = ""
  for (const { segment } of new Intl.Segmenter("en").segment(text)) {
    if (Bun.stringWidth(start + segment) >= width) break
    start += segment
  }
  return `${start.trimEnd()}…`
}

/** A moment: exact in JSON, to the minute for people. */
export const timeColumn = <Row>(title: string, at: (row: Row) => Moment | null, none = "-"): Column<Row> => ({
  title,
  value: (row) => momentOrNull(at(row)),
  text: (row) => minuteOf(at(row)) ?? none,
})

export const momentOrNull = (moment: Moment | null): string | null => (moment === null ? null : formatMoment(moment))

/** "2026-11-18 23:29", in UTC. */
const minuteOf = (moment: Moment | null): string | null => momentOrNull(moment)?.slice(0, 16).replace("T", " ") ?? null

/** "deliveryDay" as "delivery day". */
const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const VERBS = { copy: "Copying", check: "Checking" } as const

/** Shows how far a copy is, in a line of the terminal that's replaced. */
export function showProgress(): { readonly show: Progress; readonly clear: () => void } {
  return {
    show: (step, table, rows) => drawLine(`${VERBS[step]} ${inWords(table)}: row ${rows.toLocaleString("en")}`),
    clear: () => drawLine(""),
  }
}
