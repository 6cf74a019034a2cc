// Promise: many rows are written in their order, with few statements.
// Held by test/storage/contract/deliveries.test.ts.
import type { Database, SQLQueryBindings, Statement } from "bun:sqlite"

/** Running a statement costs as much as writing a row, so one statement for many rows takes half the time. More gain nothing. */
export const ROWS_AT_ONCE = 128

/**
 * Writes rows in order with as few statements as possible: exactly so many with one, from the given array itself. `sql` gets the
 * placeholders of the rows, each as `row` says: a value that it names twice, "(?1, ?2, ?2)", is bound once.
 */
export function multiRowInsert(
  database: Database,
  columns: number,
  sql: (rows: string) => string,
  row = `(${Array.from({ length: columns }, (_, i) => `?${i + 1}`).join(", ")})`,
): (values: SQLQueryBindings[]) => void {
  const prepared = new Map<number, Statement>()
  const rowAt = (at: number) => row.replace(/\d+/g, (number) => `${Number(number) + at * columns}`)

  function statementFor(rows: number): Statement {
    const statement =
      prepared.get(rows) ?? database.prepare(sql(Array.from({ length: rows }, (_, at) => rowAt(at)).join(", ")))
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
