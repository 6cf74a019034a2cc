import { hash } from "node:crypto"
import type { Errors } from "../errors.ts"
import { readTypedDay } from "../time/typed-day.ts"
import type { CheckedFile, FileToCheck } from "./check.ts"
import { inWords, NOTHING_READ, type Reading, type Role, type Row, UPLOAD_KINDS, type UploadKind } from "./upload.ts"

/**
 * The columns of each kind, and our own headings for them. If there are several headings, the first one is preferred.
 */
const OUR_HEADINGS: Readonly<Record<UploadKind, Partial<Record<Role, readonly string[]>>>> = {
  delivery: {
    line: ["package_id", "external_id", "line_name"],
    day: ["as_of"],
    impressions: ["impressions"],
    downloads: ["downloads"],
  },
  affiliate_codes: { line: ["packageId", "external_id"], code: ["code"], slug: ["slug"] },
  affiliate_metrics: {
    code: ["code"],
    day: ["date"],
    clicks: ["clicks"],
    conversions: ["conversions"],
    conversionValue: ["conversionValue"],
  },
}

/** The columns that each kind needs. Any column of a list will do. */
const NEEDED: Readonly<Record<UploadKind, readonly (readonly Role[])[]>> = {
  delivery: [["line"], ["impressions", "downloads"]],
  affiliate_codes: [["line"], ["code"]],
  affiliate_metrics: [["code"], ["day"], ["clicks", "conversions", "conversionValue"]],
}

export const rolesOf = (kind: UploadKind): readonly Role[] => Object.keys(OUR_HEADINGS[kind]) as Role[]

/**
 * How a file with our own headings is read. Its figures are totals, and each row needs its line or code. Any other column tells
 * rows of one day apart. Null for any other file.
 */
export function ourReading(headings: readonly string[]): Reading | null {
  for (const kind of UPLOAD_KINDS) {
    const columns = ourColumns(kind, headings)
    if (columns === null || missingRoles(kind, columns).length > 0) continue
    const figures = kind === "delivery" ? "totals" : null
    return { ...NOTHING_READ, kind, columns, figures, parts: otherColumns(headings, columns), withoutName: "stop" }
  }
  return null
}

/** The places of our headings. Null if one of them is there twice. */
function ourColumns(kind: UploadKind, headings: readonly string[]): Reading["columns"] | null {
  const columns: Partial<Record<Role, number>> = {}
  for (const [role, names] of Object.entries(OUR_HEADINGS[kind]) as [Role, readonly string[]][]) {
    const name = names.find((each) => headings.includes(each))
    if (name === undefined) continue
    if (headings.indexOf(name) !== headings.lastIndexOf(name)) return null
    columns[role] = headings.indexOf(name)
  }
  return columns
}

/** The columns that have nothing of what was chosen. */
export function otherColumns(headings: readonly string[], columns: Reading["columns"]): number[] {
  const chosen = new Set(Object.values(columns))
  return [...headings.keys()].filter((column) => !chosen.has(column))
}

/** The needed columns that are missing. If any of several will do, only the first of them. */
const missingRoles = (kind: UploadKind, columns: Reading["columns"]): Role[] =>
  NEEDED[kind].filter((roles) => roles.every((role) => columns[role] === undefined)).flatMap((roles) => roles[0] ?? [])

export const ONE_COLUMN_PER_DAY =
  "This file has one column per day. Unpivot it first, so that each row has one line, one day and one number."

const DAY_COLUMNS_MIN = 3

/** Whether days are headings. If so, no single column has the totals. */
export const hasDayColumns = (headings: readonly string[]): boolean =>
  headings.filter((heading) => "asOf" in readTypedDay(heading, "day_first", "UTC")).length >= DAY_COLUMNS_MIN

/** Files with the same key are read in the same way. Another separator usually means that days and numbers are written in another way. */
export const headingsKey = (headings: readonly string[], separator: string): string =>
  hash("sha256", JSON.stringify([separator, ...headings]), "hex")

/** The only column that holds any of the seller's lines or codes: no other choice could report a row. Null if it isn't the only one. */
export function onlyColumn(rows: readonly Row[], isKnown: (text: string) => boolean): number | null {
  const found = new Set<number>()
  for (const { cells } of rows) {
    for (const [column, cell] of cells.entries())
      if (cell !== "" && !found.has(column) && isKnown(cell.trim())) found.add(column)
    if (found.size > 1) return null
  }
  const [column = null] = found
  return column
}

const MISSING: Partial<Record<Role, string>> = {
  line: "Choose the column with your lines, or one line for all rows.",
  impressions: "Choose the column with the totals.",
  code: "Choose the column with the codes.",
  day: "Choose the column with the days.",
  clicks: "Choose at least one column with clicks, conversions or their value.",
}

/** Questions to answer before a file can be read, by field of the reading form. */
export function openQuestions(
  { reading, headings, onlyLine, isRemembered, open }: FileToCheck,
  { looksLikeTotals, withoutName, sameDay }: CheckedFile,
): Errors {
  const { kind, columns, figures } = reading
  const errors: Record<string, string> = {}
  for (const role of missingRoles(kind, columns))
    if (role !== "line" || onlyLine === null) errors[role] = MISSING[role] ?? "Choose a column."
  const roles = rolesOf(kind)
  for (const [i, role] of roles.entries()) {
    const other = roles.slice(0, i).find((each) => columns[each] !== undefined && columns[each] === columns[role])
    if (other !== undefined) errors[role] ??= `This column is already chosen above, as ${other}.`
  }
  if (open.days !== null) errors["dayOrder"] = `${open.days} Choose which number is the day.`
  if (open.numbers !== null) errors["decimalMark"] = `${open.numbers} Choose how decimals are written.`
  if (sameDay !== null) errors["parts"] = `${sameDay} Choose what tells such rows apart.`
  if (reading.withoutName === null && withoutName.length > 0) {
    const noun = kind === "delivery" ? "line" : "code"
    errors["withoutName"] = `${rowsInWords(withoutName)} a figure but no ${noun}. Choose what happens to such rows.`
  }
  // A file of codes has no figures.
  if (hasDayColumns(headings) && kind !== "affiliate_codes") return { ...errors, day: ONE_COLUMN_PER_DAY }
  if (kind !== "delivery") return errors
  if (figures === null) errors["figures"] = "Choose what the rows are. The table below shows both."
  if (figures === "daily" && columns.day === undefined) errors["day"] = "Daily figures need a column with the day."
  if (looksLikeTotals && isRemembered)
    errors["figures"] =
      "Earlier files had daily figures, but those in this one look like totals so far. Choose what the rows are."
  return errors
}

const rowsInWords = ([first, ...more]: readonly number[]): string =>
  more.length === 0 ? `Row ${first} has` : `Row ${first} and ${inWords(more.length)} more have`
