export interface ResumePoint {
  /** The first row that has no answer yet. */
  readonly row: number
  answered(row: number): void
}

/** From which row on a file has to be sent again. Rows are answered in another order than they stand in the file. */
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
