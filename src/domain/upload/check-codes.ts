import { readCodeRow } from "../affiliate.ts"
import type { CheckedFile, FileEntry } from "./result.ts"
import { type FileLine, type FileToCheck, isLongerThan, type KnownCode, TOO_LONG } from "./rows.ts"
import { cellOf, type RejectedRow } from "./upload.ts"

/** What no code has. */
export const NO_LINE = { packageId: null, externalId: null, before: null, after: null, items: [] } as const

/**
 * Finds out which codes a file adds or moves, by the rules of the API. If a code comes twice, the later row applies.
 */
export function checkCodes({ rows, headings, reading, findLine, onlyLine, known }: FileToCheck): CheckedFile {
  const { columns } = reading
  const rejected: RejectedRow[] = []
  const skipped = new Map<string, number[]>()
  const entries = new Map<string, FileEntry>()
  for (const row of rows) {
    const reject = (message: string) => rejected.push({ row: row.number, reason: "invalid_row", message })
    const name = cellOf(row, columns.line)
    const line = onlyLine ?? findLine(name)
    if (isLongerThan(headings, row)) reject(TOO_LONG)
    else if (line === null && name !== "") skipped.getOrInsertComputed(name, () => []).push(row.number)
    else if (line === null) reject("This row has a code but no line. Fill in merged cells.")
    else {
      const slug = cellOf(row, columns.slug) || undefined
      const read = readCodeRow({ packageId: line.packageId, code: cellOf(row, columns.code), slug })
      if ("reason" in read) reject(read.message.replace(/^(code|slug) must/, "The $1 must"))
      else entries.set(read.code, codeEntry(read, line, known.get(read.code), (entries.get(read.code)?.rows ?? 0) + 1))
    }
  }
  const open = { days: null, numbers: null, isContradicted: false }
  const others = { sums: 0, empty: 0, open, looksLikeTotals: false, rowsWithoutCode: [] }
  return { entries: [...entries.values()], rejected, skipped, ...others }
}

function codeEntry(
  { code, slug = null }: { readonly code: string; readonly slug?: string | null | undefined },
  line: FileLine,
  known: KnownCode | undefined,
  rows: number,
): FileEntry {
  const isMoved = known !== undefined && known.lineId !== line.id
  const isUnchanged = known !== undefined && !isMoved && (slug === null || slug === known.slug)
  const verb = isMoved ? "Moves to" : "Code of"
  const text = `${known === undefined ? "New code of" : verb} ${line.name}`
  const effect = isUnchanged ? "unchanged" : "changes"
  const codes = [{ code, lineId: line.id, slug }]
  const flags = { question: null, isLower: false, isDoubtful: false }
  return { ...NO_LINE, key: code, name: code, rows, effect, text, ...flags, codes, days: [] }
}
