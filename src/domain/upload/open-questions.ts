import type { Errors } from "../errors.ts"
import { missingRoles, ONE_COLUMN_PER_DAY } from "./reading.ts"
import type { Reading, Role } from "./upload.ts"

/** The facts about a file that raise questions. */
export interface ReadingFacts {
  /** Whether the file has one column per day. */
  readonly hasDayColumns: boolean
  /** Whether one line was chosen for all rows. */
  readonly hasOnlyLine: boolean
  /** The first day and the first number with two readings, in words. */
  readonly openDays: string | null
  readonly openNumbers: string | null
  /** Whether daily figures never fall, as totals never do. */
  readonly looksLikeTotals: boolean
  /** Whether the reading comes from an earlier file. */
  readonly isRemembered: boolean
}

const MISSING: Partial<Record<Role, string>> = {
  line: "Choose the column with your lines, or one line for all rows.",
  impressions: "Choose the column with the totals.",
  code: "Choose the column with the codes.",
  day: "Choose the column with the days.",
  clicks: "Choose at least one column with clicks, conversions or their value.",
}

/** Questions to answer before a file can be read, by field of the reading form. */
export function openQuestions(reading: Reading, facts: ReadingFacts): Errors {
  const { kind, columns, figures } = reading
  const errors: Record<string, string> = {}
  for (const role of missingRoles(kind, columns))
    if (role !== "line" || !facts.hasOnlyLine) errors[role] = MISSING[role] ?? "Choose a column."
  for (const [role, other] of sharedColumns(columns))
    errors[role] ??= `This column is already chosen above, as ${other}.`
  if (facts.openDays !== null) errors["dayOrder"] = `${facts.openDays} Choose which number is the day.`
  if (facts.openNumbers !== null) errors["decimalMark"] = `${facts.openNumbers} Choose how decimals are written.`
  // A file of codes has no figures.
  if (facts.hasDayColumns && kind !== "affiliate_codes") return { ...errors, day: ONE_COLUMN_PER_DAY }
  if (kind !== "delivery") return errors
  if (figures === null) errors["figures"] = "Choose what the rows are. The table below shows both."
  if (figures === "daily" && columns.day === undefined) errors["day"] = "Daily figures need a column with the day."
  if (facts.looksLikeTotals && facts.isRemembered)
    errors["figures"] =
      "Earlier files had daily figures, but most lines in this one only rise. Choose what the rows are."
  return errors
}

/** Roles whose column another role has as well. */
function sharedColumns(columns: Reading["columns"]): [Role, Role][] {
  const first = new Map<number, Role>()
  const shared: [Role, Role][] = []
  for (const [role, column] of Object.entries(columns) as [Role, number | undefined][]) {
    if (column === undefined) continue
    const other = first.getOrInsert(column, role)
    if (other !== role) shared.push([role, other])
  }
  return shared
}
