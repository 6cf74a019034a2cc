import { type CsvValue, csv } from "../csv.ts"
import type { Column } from "./table.tsx"

/** A column of a table that can be taken away as CSV; without `value` it is for the page alone. */
export interface ListColumn<Row> extends Column<Row> {
  readonly value?: (row: Row) => CsvValue
}

/** The table as a file: the same columns, with plain values. */
export function listCsv<Row>(name: string, columns: readonly ListColumn<Row>[], rows: readonly Row[]): Response {
  const kept = columns.flatMap(({ title, value }) => (value === undefined ? [] : [{ title, value }]))
  return csv(
    `${name}.csv`,
    kept.map(({ title }) => title),
    rows.map((row) => kept.map(({ value }) => value(row))),
  )
}
