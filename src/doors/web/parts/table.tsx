import type { ComponentChildren } from "preact"
import { sliceOf } from "../paging.ts"
import { type CsvValue, csv, longCsv } from "../write-csv.ts"

/** A column of a table and of its CSV file. Without `cell` the page shows the value; without `value` the file leaves it out. */
export interface Column<Row> {
  readonly title: string
  readonly cell?: (row: Row) => ComponentChildren
  readonly value?: (row: Row) => CsvValue
  /** Numbers are aligned to the right, so that they can be compared. */
  readonly numeric?: boolean
}

interface TableProps<Row> {
  /** What the table shows, for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string | number
  readonly rowClass?: (row: Row) => string | undefined
}

/** A table that scrolls sideways on a narrow screen rather than breaking the page. */
export function Table<Row>({ caption, columns, rows, rowKey, rowClass }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="table" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, numeric }) => (
              <th key={title} scope="col" class={numeric ? "number" : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} class={rowClass?.(row)}>
              {columns.map(({ title, cell, value, numeric }) => (
                <td key={title} class={numeric ? "number" : undefined}>
                  {(cell ?? value)?.(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface PagedTableProps<Row> extends TableProps<Row> {
  readonly url: URL
  /** Shown in place of a table without rows. */
  readonly empty?: ComponentChildren
  /** What is listed, where a page has several lists. */
  readonly what?: string
  readonly perPage?: number
  readonly name?: string
}

/** The rows of the page that the address names, with links to the pages before and after it. */
export function PagedTable<Row>({ url, rows, empty, what, perPage, name, ...table }: PagedTableProps<Row>) {
  const { shown, previous, next } = sliceOf(url, rows, perPage, name)
  const suffix = what === undefined ? "" : ` ${what}`
  return (
    <>
      {rows.length === 0 && empty !== undefined ? empty : <Table {...table} rows={shown} />}
      <Pager previous={previous} next={next} previousLabel={`Previous${suffix}`} nextLabel={`More${suffix}`} />
    </>
  )
}

type PagerProps = Readonly<{ previous: string | null; next: string | null; previousLabel?: string; nextLabel?: string }>

export function Pager({ previous, next, previousLabel = "Newer", nextLabel = "Older" }: PagerProps) {
  if (previous === null && next === null) return null
  return (
    <nav class="pager" aria-label="Pages">
      {previous !== null && (
        <a class="button" href={previous} rel="prev">
          {previousLabel}
        </a>
      )}
      {next !== null && (
        <a class="button" href={next} rel="next">
          {nextLabel}
        </a>
      )}
    </nav>
  )
}

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
