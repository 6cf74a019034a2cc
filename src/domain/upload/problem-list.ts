import type { RowRefusal } from "./row-reader.ts"
import type { UploadProblem } from "./upload.ts"

// More than somebody would read; all of them are in the file of refused rows.
const PROBLEMS_MAX = 50
const RANGES_MAX = 12

interface Found extends Omit<UploadProblem, "rows" | "count"> {
  count: number
  readonly rows: [number, number][]
}

/** Refused rows by their reasons, the most common first, and how many of them are refused or only ignored. */
export function problemsIn(refusals: readonly (RowRefusal | undefined)[], isIgnored: (refusal: RowRefusal) => boolean) {
  const byKey = new Map<string, Found>()
  let [refused, ignored] = [0, 0]
  for (const [row, refusal] of refusals.entries()) {
    if (refusal === undefined) continue
    const isOther = isIgnored(refusal)
    if (isOther) ignored++
    else refused++
    const { key, ...about } = refusal
    const problem = byKey.getOrInsertComputed(key, () => ({ ...about, isIgnored: isOther, count: 0, rows: [] }))
    problem.count++
    const last = problem.rows.at(-1)
    if (last !== undefined && last[1] === row - 1) last[1] = row
    else if (problem.rows.length < RANGES_MAX) problem.rows.push([row, row])
  }
  const problems: UploadProblem[] = [...byKey.values()].sort((a, b) => b.count - a.count).slice(0, PROBLEMS_MAX)
  return { problems, problemKinds: byKey.size, refused, ignored }
}
