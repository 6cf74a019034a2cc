// Promise: many rows are written in their order, with few statements.
// Held by test/storage/contract/deliveries.test.ts.
import type { Database, SQLQueryBindings, Statement } from "bun:sqlite"

/** Running a statement costs as much as writing a row, so one statement for many rows takes half the time. More gain nothing. */
export const ROWS_AT_ONCE = 128

/**
 * Writes rows in order with as few statements as possible: exactly so many with one, from the given array itself. `sql` gets the
 * placeholders of the rows.
 */
export function multiRowInsert(
  database: Database,
  columns: number,
  sql: (rows: string) => string,
): (values: SQLQueryBindings[]) => void {
  const prepared = new Map<number, Statement>()
  const row = `(${Array.from({ length: columns }, () => "?").join(", ")})`

  function statementFor(rows: number): Statement {
    const statement = prepared.get(rows) ?? database.prepare(sql(Array.from({ length: rows }, () => row).join(", ")))
    prepared.set(rows, statement)
    return statement
  }

  return (values) => {
    let written = 0
    for (let rows = ROWS_AT_ONCE; rows >= 1; rows /= 2) {
      const size = rows * columns
      for (; values.length - written >= size; written += size) {
        const some = values.length === size ? values : values.slice(written, written + size)
        statementFor(rows).run(some as never)
      }
    }
  }
}
