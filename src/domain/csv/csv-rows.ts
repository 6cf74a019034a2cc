import { COUNTED_BASES, UNITS } from "../campaign/pricing-basis.ts"
import { parseJson } from "../schema/exact-json.ts"
import { CONVERSION_VALUE, type NumberField, readNumber, WHOLE } from "../text/typed-number.ts"

/** A kind of CSV file: its columns, and which of them are numbers. */
export interface CsvKind {
  readonly columns: readonly string[]
  readonly numbers: Readonly<Record<string, NumberField>>
  readonly needed: readonly string[]
}

export const DELIVERY_CSV: CsvKind = {
  columns: ["package_id", ...UNITS, "as_of"],
  numbers: Object.fromEntries(UNITS.map((unit) => [unit, COUNTED_BASES[unit].number])),
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
 * A row as a program would send it: without empty cells, numbers as numbers. An unreadable number stays a string, which is then
 * rejected; `numberProblem` says why.
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

/** Why `rowValue` left a number as a string; undefined when it is a number or absent. */
export function numberProblem({ numbers }: CsvKind, column: string, value: unknown): string | undefined {
  const field = numbers[column]
  const read = field !== undefined && typeof value === "string" ? readNumber(value, field) : undefined
  return read?.ok === false ? read.message : undefined
}
