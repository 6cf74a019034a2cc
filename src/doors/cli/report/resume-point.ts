export interface ResumePoint {
  /** The first row without a response. */
  readonly row: number
  answered(row: number): void
}

/** Tracks where to resume. Rows are answered in another order than the file has them. */
export function resumePoint(firstRow: number): ResumePoint {
  const ahead = new Set<number>()
  let row = firstRow
  return {
    get row() {
      return row
    },
    answered(number) {
      ahead.add(number)
      while (ahead.delete(row)) row++
    },
  }
}
