import type { RowRefusal } from "./row-reader.ts"
import type { UploadProblem } from "./upload.ts"

// More than somebody would read; all of them are in the file of refused rows.
const PROBLEMS_MAX = 50
const RANGES_MAX = 12
// Of a file in which every row has its own problem, memory keeps only so many.
const KEYS_MAX = 10_000

interface Found extends Omit<UploadProblem, "rows" | "count"> {
  count: number
  readonly rows: [number, number][]
}

/** Refused rows, grouped by their reason. Memory does not grow with the file. */
export function problemList() {
  const byKey = new Map<string, Found>()
  let count = 0
  return {
    add(row: number, { key, ...refusal }: RowRefusal): void {
      count++
      const existing = byKey.get(key)
      const problem = existing ?? { ...refusal, count: 0, rows: [] }
      if (existing === undefined && byKey.size < KEYS_MAX) byKey.set(key, problem)
      problem.count++
      const last = problem.rows.at(-1)
      if (last !== undefined && last[1] === row - 1) last[1] = row
      else if (problem.rows.length < RANGES_MAX) problem.rows.push([row, row])
    },
    get count() {
      return count
    },
    get kinds() {
      return byKey.size
    },
    /** The most common first. */
    list: (): UploadProblem[] => [...byKey.values()].sort((a, b) => b.count - a.count).slice(0, PROBLEMS_MAX),
  }
}
