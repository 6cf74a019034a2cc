import type { ComponentChildren } from "preact"
import { isReadable, periodOf } from "../lists.tsx"
import { withQuery } from "../paging.ts"
import { ButtonLink, CsvLink } from "../parts/buttons.tsx"
import { Empty } from "../parts/feedback.tsx"
import { FilterContext, FilterDate, SearchInput } from "../parts/form/filters.tsx"
import { type Column, Pager, Table } from "../parts/table.tsx"
import { beforeOf } from "./time-span.ts"

interface LogListProps<Row> {
  readonly url: URL
  readonly action: string
  readonly filter: object
  /** What a search looks at, such as "arguments". */
  readonly searched: string
  /** Filters beside the search and the two dates. */
  readonly filters: ComponentChildren
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** How many rows a page has. A search may stop with fewer, before it has looked at everything. */
  readonly limit: number
  /** The entry from which older ones are read; null at the end. */
  readonly older: number | null
  /** What is listed, such as "changes". */
  readonly what: string
  /** Shown while the log is empty. */
  readonly emptyText: string
}

/** A log, newest first, with its filters. */
export function LogList<Row extends { readonly id: number }>(props: LogListProps<Row>) {
  const { url, action, filter, filters, searched, caption, columns, rows, limit, older } = props
  const isFiltered = Object.keys(filter).length > 0
  const period = periodOf(url)
  return (
    <>
      <search class="filters no-print">
        <form action={action}>
          <SearchInput name="text" what={searched} value={url.searchParams.get("text") ?? ""} />
          {filters}
          <FilterContext url={url} errors={period.errors}>
            <span class="actions">
              <FilterDate name="from" label="From" />
              <FilterDate name="to" label="To" />
            </span>
          </FilterContext>
          <button type="submit" class="button">
            Show
          </button>
          {isFiltered && <ButtonLink kind="quiet" href={action} label="Show all" />}
          {isReadable(period) && (
            <span class="push">
              <CsvLink href={`${action}.csv${url.search}`} />
            </span>
          )}
        </form>
      </search>
      {rows.length > 0 && <Table caption={caption} columns={columns} rows={rows} rowKey={({ id }) => id} dense />}
      {rows.length === 0 && isReadable(period) && <NoRows {...props} isFiltered={isFiltered} />}
      <Pager
        previous={beforeOf(url.searchParams) === null ? null : withQuery(url, "before", null)}
        next={older === null ? null : withQuery(url, "before", older)}
        previousLabel="Newest"
        nextLabel={rows.length < limit ? "Look further back" : "Older"}
      />
    </>
  )
}

function NoRows<Row>({ isFiltered, older, what, emptyText }: LogListProps<Row> & { readonly isFiltered: boolean }) {
  if (!isFiltered) return <Empty title={`No ${what} yet`} text={emptyText} />
  if (older === null) return <Empty title={`No matching ${what}`} text={`Choose “Show all” to see all ${what}.`} />
  return <Empty title={`No matching ${what} so far`} text={`Older ${what} have not been searched yet.`} />
}
