import type { Database, SQLQueryBindings, Statement } from "bun:sqlite"

// Running a statement costs as much as writing a row, so one statement for many rows takes half the time.
const ROWS_MAX = 64

/** Writes rows in order with as few statements as possible. `sql` gets the placeholders of the rows: "(?, ?), (?, ?)". */
export function multiRowInsert(
  database: Database,
  columns: number,
  sql: (rows: string) => string,
): (values: SQLQueryBindings[]) => void {
  const row = `(${new Array(columns).fill("?").join(", ")})`
  const prepared = new Map<number, Statement>()

  function statementFor(rows: number): Statement {
    const statement = prepared.get(rows) ?? database.prepare(sql(new Array(rows).fill(row).join(", ")))
    prepared.set(rows, statement)
    return statement
  }

  return (values) => {
    let written = 0
    for (let rows = ROWS_MAX; rows >= 1; rows /= 2) {
      const size = rows * columns
      for (; values.length - written >= size; written += size) {
        statementFor(rows).run(values.slice(written, written + size) as never)
      }
    }
  }
}
