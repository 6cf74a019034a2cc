import { type AffiliateCode, readCodeRow } from "../affiliate.ts"
import type { CalendarDate } from "../time/moment.ts"
import { type FileLine, isLongerThan, type LineFinder, TOO_LONG } from "./rows.ts"
import { cellOf, type Reading, type RejectedRow, type Row, type SkippedRows } from "./upload.ts"

/** What the database knows about a code of the seller. */
export interface KnownCode {
  readonly id: number
  readonly lineId: number
  readonly slug: string | null
}

/** The figures of a code on one day. Undefined ones aren't in the file. */
export interface CodeDay {
  readonly codeId: number
  readonly lineId: number
  readonly date: CalendarDate
  readonly clicks: number | undefined
  readonly conversions: number | undefined
  readonly valueMicros: number | undefined
}

/** The effect of a file on a code. */
export interface CodePreview {
  readonly code: string
  readonly rows: number
  /** What happens, in words. */
  readonly text: string
  readonly question: string | null
  readonly isLower: boolean
  /** Whether its figures may be wrong, so that only a person can report them. */
  readonly isDoubtful: boolean
  /** The line that the code will point to. Null in a file of figures. */
  readonly line: FileLine | null
  readonly slug: string | null
  readonly days: readonly CodeDay[]
  readonly isUnchanged: boolean
}

export interface CheckedCodes {
  readonly codes: readonly CodePreview[]
  readonly rejected: readonly RejectedRow[]
  readonly skipped: SkippedRows
  readonly sums: number
  readonly empty: number
}

export interface CodesFile {
  readonly rows: readonly Row[]
  readonly headings: readonly string[]
  readonly reading: Reading
  readonly findLine: LineFinder
  readonly onlyLine: FileLine | null
  readonly known: ReadonlyMap<string, KnownCode>
}

const INVALID = "invalid_row"

/**
 * Finds out which codes a file adds or moves, by the rules of the API. If a code comes twice, the later row applies.
 */
export function checkCodes({ rows, headings, reading, findLine, onlyLine, known }: CodesFile): CheckedCodes {
  const { columns } = reading
  const rejected: RejectedRow[] = []
  const skipped = new Map<string, number[]>()
  const codes = new Map<string, CodePreview>()
  for (const row of rows) {
    const reject = (message: string) => rejected.push({ row: row.number, reason: INVALID, message })
    if (isLongerThan(headings, row)) {
      reject(TOO_LONG)
      continue
    }
    const name = cellOf(row, columns.line)
    const line = onlyLine ?? findLine(name)
    if (line === null && name !== "") {
      skipped.getOrInsertComputed(name, () => []).push(row.number)
      continue
    }
    if (line === null) {
      reject("This row has a code but no line. Fill in merged cells.")
      continue
    }
    const slug = cellOf(row, columns.slug) || undefined
    const read = readCodeRow({ packageId: line.packageId, code: cellOf(row, columns.code), slug })
    if ("reason" in read)
      reject(read.message.replace(/^code must/, "The code must").replace(/^slug must/, "The slug must"))
    else codes.set(read.code, codePreview(read, line, known.get(read.code), (codes.get(read.code)?.rows ?? 0) + 1))
  }
  return { codes: [...codes.values()], rejected, skipped, sums: 0, empty: 0 }
}

function codePreview(
  { code, slug = null }: Pick<AffiliateCode, "code"> & { readonly slug: string | undefined | null },
  line: FileLine,
  known: KnownCode | undefined,
  rows: number,
): CodePreview {
  const isMoved = known !== undefined && known.lineId !== line.id
  const isUnchanged = known !== undefined && !isMoved && (slug === null || slug === known.slug)
  const text =
    known === undefined ? `New code of ${line.name}` : isMoved ? `Moves to ${line.name}` : `Code of ${line.name}`
  return { code, rows, text, question: null, isLower: false, isDoubtful: false, line, slug, days: [], isUnchanged }
}
