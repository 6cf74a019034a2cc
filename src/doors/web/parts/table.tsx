import type { ComponentChildren } from "preact"

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** Numbers stand to the right, so that they can be compared. */
  readonly numeric?: boolean
}

interface TableProps<Row> {
  /** What the table shows, for those who do not see it. */
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
        <caption class="unseen">{caption}</caption>
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
              {columns.map(({ title, cell, numeric }) => (
                <td key={title} class={numeric ? "number" : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface PagerProps {
  readonly previous: string | null
  readonly next: string | null
  readonly previousLabel?: string
  readonly nextLabel?: string
}

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
