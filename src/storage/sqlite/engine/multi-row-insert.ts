import type { Database, SQLQueryBindings, Statement } from "bun:sqlite"

// To run a statement costs as much as the row that it writes. A statement for many rows at a time halves that.
const ROWS_AT_A_TIME = [64, 8, 1]

/** Writes rows with as few statements as possible, in their order. `sql` names one row by the text that it is given. */
export function multiRowInsert(
  database: Database,
  columns: number,
  sql: (rows: string) => string,
): (values: SQLQueryBindings[]) => void {
  const row = `(${new Array(columns).fill("?").join(", ")})`
  const prepared = new Map<number, Statement>()

  function statementFor(rows: number): Statement {
    const known = prepared.get(rows) ?? database.prepare(sql(new Array(rows).fill(row).join(", ")))
    prepared.set(rows, known)
    return known
  }

  return (values) => {
    let written = 0
    for (const rows of ROWS_AT_A_TIME) {
      const size = rows * columns
      for (; values.length - written >= size; written += size) {
        statementFor(rows).run(values.slice(written, written + size) as never)
      }
    }
  }
}
