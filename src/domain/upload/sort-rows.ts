import type { CalendarDate } from "../time/moment.ts"
import type { FileToCheck } from "./check.ts"
import { type FileRow, isNameless, saysSum } from "./rows.ts"
import type { RejectedRow } from "./upload.ts"

type RowProblem = Omit<RejectedRow, "row">

/** What the rows of a file are about: the lines of a delivery file, or the codes of affiliate figures. */
export interface Subjects<Subject, Part> {
  readonly noun: "line" | "code"
  /** The reason for a row that can't be read, as the API names it. */
  readonly invalid: string
  find(row: FileRow): Subject | null
  read(row: FileRow, subject: Subject): Part | "empty" | RowProblem
  /** The key in `unread` of a row that could belong to this subject and day. Null stands for any of them. */
  scope(subject: Subject | null, day: CalendarDate | null): string
}

interface SortedRows<Subject, Part> {
  readonly bySubject: ReadonlyMap<Subject, readonly Part[]>
  /** The first row that can't be read, by what it could belong to. */
  readonly unread: ReadonlyMap<string, number>
  readonly rejected: readonly RejectedRow[]
  readonly skipped: ReadonlyMap<string, readonly number[]>
  readonly withoutName: readonly number[]
  /** Why the whole file may be wrong. */
  readonly doubt: string | null
  readonly sums: number
  readonly empty: number
}

export const TOO_LONG =
  "This row has more cells than the headings. A number with a comma needs quotation marks around it."

/** Goes through the rows of a file, and sorts their figures by line or code. */
export function sortRows<Subject, Part extends object>(
  { rows, headings, reading, onlyLine }: FileToCheck,
  subjects: Subjects<Subject, Part>,
): SortedRows<Subject, Part> {
  const { noun, invalid, scope } = subjects
  const bySubject = new Map<Subject, Part[]>()
  const unread = new Map<string, number>()
  const rejected: RejectedRow[] = []
  const skipped = new Map<string, number[]>()
  const withoutName: number[] = []
  const known = new Set(headings.filter((heading) => heading !== ""))
  let doubt: string | null = null
  let [sums, empty] = [0, 0]

  function reject({ number }: FileRow, problem: RowProblem, key: string): void {
    rejected.push({ row: number, ...problem })
    unread.getOrInsert(key, number)
  }

  for (const row of rows) {
    const { number, name, day = null, isSum, isLong, hasFigure } = row
    const subject = subjects.find(row)
    const isNamed = subject !== null || name !== ""
    if (hasHeadings(row, known))
      doubt ??= `Row ${number} has headings again. If two files were put together, days may be counted twice or columns mixed up.`
    else if (isSum && (isNameless(name) || onlyLine !== null || (subject === null && saysSum(name)))) sums++
    // Its cells may have moved, so neither its line nor its day is known.
    else if (isLong) reject(row, { reason: invalid, message: TOO_LONG }, scope(null, null))
    else if (!isNamed && !hasFigure) continue
    else if (!isNamed && reading.withoutName !== "skip") {
      // In a merged cell, it would be the line or code of the row above.
      const message = `This row has a figure but no ${noun}. Fill in merged cells.`
      reject(row, { reason: invalid, message }, scope(null, day))
      withoutName.push(number)
    } else if (subject === null) skipped.getOrInsertComputed(name || `No ${noun}`, () => []).push(number)
    else {
      const read = subjects.read(row, subject)
      if (read === "empty") empty++
      else if ("message" in read) reject(row, read, scope(subject, day))
      else bySubject.getOrInsertComputed(subject, () => []).push(read)
    }
  }
  return { bySubject, unread, rejected, skipped, withoutName, doubt, sums, empty }
}

/** Whether a row has headings, though perhaps in another order. */
function hasHeadings({ cells }: FileRow, known: ReadonlySet<string>): boolean {
  const count = cells.filter((cell) => known.has(cell.trim())).length
  return count > 1 && count * 2 > cells.filter((cell) => cell.trim() !== "").length
}
