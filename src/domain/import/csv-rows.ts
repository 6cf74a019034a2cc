import { parseJson } from "../schema/exact-json.ts"
import { CONVERSION_VALUE, DECIMAL, type NumberField, readNumber, WHOLE } from "../text/typed-number.ts"

/** A kind of file: which columns it has, and which of them hold what numbers. */
export interface CsvKind {
  readonly columns: readonly string[]
  readonly numbers: Readonly<Record<string, NumberField>>
  /** Columns without which a file cannot be of this kind. */
  readonly needed: readonly string[]
}

export const DELIVERY_CSV: CsvKind = {
  columns: ["package_id", "impressions", "downloads", "as_of"],
  numbers: { impressions: WHOLE, downloads: DECIMAL },
  needed: ["package_id"],
}

export const AFFILIATE_CODES_CSV: CsvKind = {
  columns: ["packageId", "code", "slug"],
  numbers: {},
  needed: ["packageId", "code"],
}

export const AFFILIATE_METRICS_CSV: CsvKind = {
  columns: ["code", "date", "clicks", "conversions", "conversionValue"],
  numbers: { clicks: WHOLE, conversions: WHOLE, conversionValue: CONVERSION_VALUE },
  needed: ["code", "date"],
}

/**
 * What stands between the cells, told by the start of a file: a comma, a semicolon or a tab. The first of them decides, because
 * no column's name has one; a figure may: where a comma stands before decimals, semicolons stand between cells.
 */
export function delimiterOf(start: string): string {
  return /[,;\t]/.exec(start)?.[0] ?? ","
}

/** The columns that a header lacks. Unknown columns are ignored, as unknown fields are. */
export function missingColumns(kind: CsvKind, header: readonly string[]): string[] {
  return kind.needed.filter((column) => !header.includes(column))
}

/**
 * A row of a file as a program would have sent it: empty cells left out, numbers as numbers. What cannot be read as a number
 * stays a text, which every rule refuses; `numberProblem` says why.
 */
export function rowValue(kind: CsvKind, cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields = kind.columns.map((column): [string, unknown] => {
    const text = (cells[column] ?? "").trim()
    const field = kind.numbers[column]
    return [column, field === undefined || text === "" ? text : numberOrText(text, field)]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== ""))
}

function numberOrText(text: string, field: NumberField): unknown {
  const read = readNumber(text, field)
  return read.ok ? parseJson(read.digits) : text
}

/** Why a value of `rowValue` in a column for numbers is still a text, in a sentence; undefined when it is a number or absent. */
export function numberProblem({ numbers }: CsvKind, column: string, value: unknown): string | undefined {
  const field = numbers[column]
  const read = field !== undefined && typeof value === "string" ? readNumber(value, field) : undefined
  return read?.ok === false ? read.message : undefined
}

/** Why the first number of a row cannot be read, with its column; undefined when all of them can. */
export function rowProblem(kind: CsvKind, row: Readonly<Record<string, unknown>>): string | undefined {
  for (const column of Object.keys(kind.numbers)) {
    const problem = numberProblem(kind, column, row[column])
    if (problem !== undefined) return `${column}: ${problem}`
  }
  return undefined
}
