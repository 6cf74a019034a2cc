import { exactNumber } from "../schema/json.ts"
import { readNumber } from "../text/typed-number.ts"
import { parseTimestamp } from "../time/moment.ts"
import { dayOf, type TimeZone } from "../time/time-zone.ts"
import { DATE_ORDERS, dayReader } from "../time/typed-day.ts"
import { EXTERNAL_ID, isDays, LINE_NAME, meaningOf, type UploadKind } from "./columns.ts"
import { rowsOf, type UploadChoices, type UploadProblem } from "./upload.ts"

/** Why a row is refused. Rows with the same key are shown together. */
export interface RowRefusal extends Omit<UploadProblem, "count" | "rows"> {
  readonly key: string
}

/** How the key of a refusal begins that is about a line or code which the organization does not have. */
export const UNKNOWN = "unknown "

/** The reason of rows that are malformed. */
export const INVALID = "invalid_item"

export function refusal(key: string, title: string, text: string, example: string, reason = INVALID): RowRefusal {
  return { key, title, text, example, decide: null, reason }
}

export const isRefusal = (outcome: unknown): outcome is RowRefusal =>
  typeof outcome === "object" && outcome !== null && "decide" in outcome

/** A row as the API takes it, without its line where that has a name, or the seller's own id; and what it is about, if that can be told. */
export type ReadRow = Readonly<{ about: LineOrCode | null } & ({ ok: true; element: Element } | Refused)>
type Refused = { ok: false; refusal: RowRefusal }
type Element = Record<string, unknown>

export function rowReader(
  kind: UploadKind,
  choices: UploadChoices,
  zone: TimeZone,
): (cells: readonly string[]) => ReadRow {
  const columns = choices.columns ?? []
  const counted = choices.preset?.counts
  const used = columns.flatMap((name, index) =>
    name === "" || isOutside(name) ? [] : [{ name, index, read: cellReader(kind, name, choices, zone) }],
  )
  const aboutOf = aboutReader(columns)
  return (cells) => {
    const about = aboutOf(cells)
    if (isLonger(cells, columns)) return { ok: false, about, refusal: tooLong(cells.length, columns.length) }
    const element: Element = counted === undefined ? {} : { [counted]: 1 }
    for (const { name, index, read } of used) {
      const text = (cells[index] ?? "").trim()
      if (text === "") continue
      const value = read(text)
      if (isRefusal(value)) return { ok: false, about, refusal: value }
      element[name] = value
    }
    return { ok: true, about, element }
  }
}

/** The columns of which one says what a row is about. */
export const LINE_OR_CODE: readonly string[] = [EXTERNAL_ID, LINE_NAME, "package_id", "packageId", "code"]

/** Reads what rows are about: their line or else their code; null where that cannot be told. */
export function aboutReader(columns: readonly string[]): (cells: readonly string[]) => LineOrCode | null {
  const line = columns.findIndex((meaning) => LINE_OR_CODE.includes(meaning) && meaning !== "code")
  const index = line < 0 ? columns.indexOf("code") : line
  const isExternal = isOutside(columns[index] ?? "")
  return (cells) => (index < 0 || isLonger(cells, columns) ? null : { text: (cells[index] ?? "").trim(), isExternal })
}

const isOutside = (meaning: string) => meaning === EXTERNAL_ID || meaning === LINE_NAME

export interface LineOrCode {
  readonly text: string
  /** Whether it is the seller's own ID of a line, or the name of one. */
  readonly isExternal: boolean
}

/** Empty cells at the end say nothing: some systems end each row with a separator. */
const isLonger = (cells: readonly string[], columns: readonly string[]): boolean =>
  cells.length > columns.length && cells.slice(columns.length).some((cell) => cell.trim() !== "")

function tooLong(cells: number, columns: number): RowRefusal {
  const text = `It has ${cells} cells, but the header has ${columns}. Figures with a comma need quotation marks around them.`
  return refusal("cells", "A row is longer than the header", text, "")
}

/** Reads a cell, or says why the row is refused. */
type CellReader = (text: string) => unknown

function cellReader(kind: UploadKind, name: string, choices: UploadChoices, zone: TimeZone): CellReader {
  const { label = name, number: field } = meaningOf(kind, name) ?? {}
  if (field !== undefined)
    return numberReader(label, choices, { ...field, ...(choices.numbers && { ambiguous: choices.numbers }) })
  if (!isDays(name)) return (text) => text
  const read = dayReader(zone, choices.dates)
  // Figures that are added up by day need the day of a time.
  const isDay = name === "date" || isAddedUpByDay(choices)
  return (text) => {
    const day = read(text)
    if (day.ok) return isDay ? dayIn(day.value, zone) : day.value
    const toProgram = choices.sent && day.isAmbiguous ? ` ${SAY_DATES}` : ""
    return refusedCell("day", "dates", label, text, { ...day, message: day.message + toProgram })
  }
}

// Nobody else is asked about a file that a program sent.
export const SAY_DATES = `Say which: ${DATE_ORDERS.map((order) => `dates=${order}`).join(" or ")} (adbooth report --dates ...).`

/** A cell that cannot be read, or in two ways, about which somebody can decide for the whole file. */
function refusedCell(
  what: string,
  decide: "dates" | "numbers",
  label: string,
  example: string,
  { message, isAmbiguous }: { readonly message: string; readonly isAmbiguous?: boolean },
): RowRefusal {
  const title = isAmbiguous ? `A ${what} can be read in two ways` : `A ${what} cannot be read`
  return { ...refusal(title, title, `${label}: ${message}`, example), decide: isAmbiguous ? decide : null }
}

const isAddedUpByDay = (choices: UploadChoices): boolean => ["daily", "events"].includes(rowsOf(choices))

function dayIn(value: string, zone: TimeZone): string {
  const moment = parseTimestamp(value)
  return moment === undefined ? value : dayOf(moment, zone)
}

const PLAIN_DIGITS = /^(?:0|[1-9]\d{0,14})$/

function numberReader(label: string, { sent }: UploadChoices, field: Parameters<typeof readNumber>[1]): CellReader {
  return (text) => {
    // Most figures are.
    if (PLAIN_DIGITS.test(text) && field.max > 999_999_999_999_999) return Number(text)
    const read = readNumber(text, field)
    if (read.ok) return exactNumber(read.digits)
    // A person chooses a reading for the whole file, and need not write anything again.
    const message = sent ? read.message : (read.readings ?? read.message)
    return refusedCell("figure", "numbers", label, text, { ...read, message })
  }
}
