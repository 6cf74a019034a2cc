import type { ComponentChildren } from "preact"
import { offsetOf, ROWS_PER_PAGE } from "../../paging.ts"
import { Pages } from "./pages.tsx"
import { Table, type TableProps } from "./table.tsx"

interface PagedTableProps<Row> extends TableProps<Row> {
  readonly url: URL
  /** Shown in place of a table without rows. */
  readonly empty?: ComponentChildren
  /** What is listed, such as "codes". */
  readonly what?: string
  readonly perPage?: number
  /** The part of the query that says where the page begins. */
  readonly name?: string
}

/** The rows of the page that the address names, with the numbers of all pages. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { url, rows, empty, what = "rows", perPage = ROWS_PER_PAGE, name = "start", ...table } = props
  const offset = offsetOf(url, name)
  return (
    <>
      {rows.length === 0 && empty !== undefined ? (
        empty
      ) : (
        <Table {...table} rows={rows.slice(offset, offset + perPage)} />
      )}
      <Pages url={url} name={name} perPage={perPage} count={rows.length} what={what} />
    </>
  )
}
