import { type CsvValue, csv, longCsv } from "../../write-csv.ts"
import type { Column } from "./table.tsx"

/** A table as a CSV file: the same columns, with plain values. */
export function listCsv<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): Response {
  const { titles, valuesOf } = plain(columns)
  return csv(`${name}.csv`, titles, rows.map(valuesOf))
}

/** The same for a long table: it is read and sent in parts. */
export function longListCsv<Row>(
  name: string,
  columns: readonly Column<Row>[],
  parts: AsyncIterable<readonly Row[]>,
): Response {
  const { titles, valuesOf } = plain(columns)
  async function* values() {
    for await (const part of parts) yield part.map(valuesOf)
  }
  return longCsv(`${name}.csv`, titles, values())
}

function plain<Row>(columns: readonly Column<Row>[]) {
  const kept = columns.flatMap(({ title, value }) => (value === undefined ? [] : [{ title, value }]))
  return {
    titles: kept.map(({ title }) => title),
    valuesOf: (row: Row): CsvValue[] => kept.map(({ value }) => value(row)),
  }
}
