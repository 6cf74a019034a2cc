import { sentFields, typedNumber, typedWhole } from "./typed.ts"

/** A kind of file: which columns it has, which of them hold numbers, and which of these whole ones. */
export interface CsvKind {
  readonly columns: readonly string[]
  readonly numbers: readonly string[]
  readonly wholes: readonly string[]
  /** Columns without which a file cannot be of this kind. */
  readonly needed: readonly string[]
}

export const DELIVERY_CSV: CsvKind = {
  columns: ["package_id", "impressions", "downloads", "as_of"],
  numbers: ["impressions", "downloads"],
  wholes: ["impressions"],
  needed: ["package_id"],
}

export const AFFILIATE_CODES_CSV: CsvKind = {
  columns: ["packageId", "code", "slug"],
  numbers: [],
  wholes: [],
  needed: ["packageId", "code"],
}

export const AFFILIATE_METRICS_CSV: CsvKind = {
  columns: ["code", "date", "clicks", "conversions", "conversionValue"],
  numbers: ["clicks", "conversions", "conversionValue"],
  wholes: ["clicks", "conversions"],
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

/** A row of a file as a program would have sent it: empty cells left out, numbers as numbers. */
export function rowValue(kind: CsvKind, cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields = kind.columns.map((column): [string, unknown] => {
    const text = (cells[column] ?? "").trim()
    if (kind.wholes.includes(column)) return [column, typedWhole(text)]
    return [column, kind.numbers.includes(column) ? typedNumber(text) : text]
  })
  return sentFields(Object.fromEntries(fields))
}
