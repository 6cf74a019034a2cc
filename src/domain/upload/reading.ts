import { hash } from "node:crypto"
import { readTypedDay } from "../time/typed-day.ts"
import type { LineFinder } from "./line-finder.ts"
import { type Reading, type Role, type Row, UPLOAD_KINDS, type UploadKind } from "./upload.ts"

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

/** How a file with our own headings is read. Its figures are totals. Null for any other file. */
export function ourReading(headings: readonly string[]): Reading | null {
  for (const kind of UPLOAD_KINDS) {
    const columns = ourColumns(kind, headings)
    if (columns === null || missingRoles(kind, columns).length > 0) continue
    return { kind, columns, figures: kind === "delivery" ? "totals" : null, dayOrder: null, decimalMark: null }
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

/** The first column of each list of needed ones that has none. */
export const missingRoles = (kind: UploadKind, columns: Reading["columns"]): Role[] =>
  NEEDED[kind].filter((roles) => roles.every((role) => columns[role] === undefined)).flatMap((roles) => roles[0] ?? [])

export const ONE_COLUMN_PER_DAY =
  "This file has one column per day. Unpivot it first, so that each row has one line, one day and one number."

const DAY_COLUMNS_MIN = 3

/** Whether days are headings. Then no column has the totals, whatever is chosen. */
export const hasDayColumns = (headings: readonly string[]): boolean =>
  headings.filter((heading) => "asOf" in readTypedDay(heading, "day_first", "UTC")).length >= DAY_COLUMNS_MIN

/** Files with the same key are read in the same way. */
export const headingsKey = (headings: readonly string[]): string => hash("sha256", JSON.stringify(headings), "hex")

/** The only column that holds any of the seller's lines: no other choice could report a row. Null if it isn't the only one. */
export function onlyLineColumn(rows: readonly Row[], findLine: LineFinder): number | null {
  const found = new Set<number>()
  for (const { cells } of rows) {
    for (const [column, cell] of cells.entries())
      if (cell !== "" && !found.has(column) && findLine(cell.trim()) !== null) found.add(column)
    if (found.size > 1) return null
  }
  const [column = null] = found
  return column
}
