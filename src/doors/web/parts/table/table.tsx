import type { ComponentChildren } from "preact"
import type { CsvValue } from "../../write-csv.ts"

/** A column of a table and of its CSV file. Without `cell` the page shows the value; without `value` the file leaves it out. */
export interface Column<Row> {
  readonly title: string
  readonly cell?: (row: Row) => ComponentChildren
  readonly value?: (row: Row) => CsvValue
  /** Numbers are aligned to the right, so that they can be compared. */
  readonly numeric?: boolean
  /** Kept on one line. */
  readonly nowrap?: boolean
  /**
   * How the cell looks on a phone, where each row is a card: "corner" puts a badge into its upper corner, "wide" gives a cell the
   * whole width, "span" the same without its title, "desk" leaves it out. "roomy" leaves it out of narrow windows only, "large" out of
   * phones and tablets. "actions" is the last row of a card.
   */
  readonly phone?: "corner" | "wide" | "span" | "desk" | "roomy" | "large" | "actions"
  /** The address that sorts by this column, and how it is sorted by it now. */
  readonly sort?: { readonly href: string; readonly now: "ascending" | "descending" | null } | undefined
}

export interface TableProps<Row> {
  /** What the table shows, for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string | number
  /** The row that counts now. */
  readonly isCurrent?: (row: Row) => boolean
  /** Rows as low as possible: 25 of them on a laptop. */
  readonly dense?: boolean
  /** The cells of a last row, by the title of their column. */
  readonly totals?: Readonly<Record<string, ComponentChildren>> | undefined
}

/** A table on paper; on a phone each row is a card. */
export function Table<Row>(props: TableProps<Row>) {
  return (
    <div class="card flush">
      <BareTable {...props} />
    </div>
  )
}

/** The same, for a card that has more than the table. */
export function BareTable<Row>({ caption, columns, rows, rowKey, isCurrent, dense = false, totals }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="table" aria-label={caption} tabIndex={0}>
      <table class={dense ? "cards dense" : "cards"}>
        <caption class="vh">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.title} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} class={isCurrent?.(row) ? "row-current" : undefined}>
              {columns.map((column, index) => (
                <Cell key={column.title} column={column} isFirst={index === 0}>
                  {(column.cell ?? column.value)?.(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
        {totals !== undefined && (
          <tfoot>
            <tr>
              {columns.map((column, index) => (
                <Cell key={column.title} column={column} isFirst={index === 0}>
                  {totals[column.title]}
                </Cell>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}

/** Places that leave the cell, and the head of its column, out of some windows. */
const HIDDEN: ReadonlySet<string> = new Set(["desk", "roomy", "large"])

type AnyColumn = Pick<Column<never>, "title" | "numeric" | "nowrap" | "phone" | "sort">

function HeadCell({ column: { title, numeric, phone, sort } }: { readonly column: AnyColumn }) {
  const hidden = phone !== undefined && HIDDEN.has(phone) ? phone : ""
  const classes = [numeric ? "num" : "", hidden].filter(Boolean).join(" ")
  return (
    <th scope="col" class={classes || undefined} aria-sort={sort?.now ?? undefined}>
      {phone === "actions" ? <span class="vh">{title}</span> : sort ? <a href={sort.href}>{title}</a> : title}
    </th>
  )
}

interface CellProps {
  readonly column: AnyColumn
  /** The first cell names the row. */
  readonly isFirst: boolean
  readonly children: ComponentChildren
}

function Cell({ column: { title, numeric, nowrap, phone }, isFirst, children }: CellProps) {
  const place = phone === "actions" ? "span num row-actions" : phone
  const classes = [numeric ? "num" : "", nowrap ? "nowrap" : "", place ?? ""].filter(Boolean).join(" ") || undefined
  if (isFirst) {
    return (
      <th scope="row" class={classes}>
        {children}
      </th>
    )
  }
  const hasLabel = phone === undefined || phone === "wide" || HIDDEN.has(phone)
  return (
    <td class={classes} data-label={hasLabel ? title : undefined}>
      {children}
    </td>
  )
}
