import type { ComponentChildren } from "preact"
import { dayAfter, type Moment } from "../../../domain/time/moment.ts"
import { startOfDay } from "../../../domain/time/time-zone.ts"
import type { PageRequest } from "../../../storage/port/store.ts"
import { fileOfPeriod, isReadable, periodOf } from "../lists.tsx"
import { everyPart, withQuery } from "../paging.ts"
import { ButtonLink, CsvLink } from "../parts/buttons.tsx"
import { Empty } from "../parts/feedback.tsx"
import { FilterContext, FilterDate, SearchInput } from "../parts/form/filters.tsx"
import { headedPage } from "../parts/page.tsx"
import { type Column, listCsv, Pager, Table } from "../parts/table.tsx"
import { forOperator } from "../route.ts"
import { type PersonVisit, readId, type Visit } from "../visit.ts"

const PAGE_ROWS = 25

/** A log that only grows. */
interface Log<Row, Filter extends object> {
  readonly path: string
  readonly title: string
  readonly intro: (visit: PersonVisit) => Intro | Promise<Intro>
  /** What a search looks at, such as "arguments". */
  readonly searched: string
  readonly caption: string
  readonly columns: (visit: PersonVisit, rows: readonly Row[]) => Promise<readonly Column<Row>[]>
  readonly fileColumns: readonly Column<Row>[]
  /** A heading above the rows of which it is the same, such as their day. */
  readonly groupOf?: (row: Row, visit: PersonVisit) => string
  /** The page around it, where it has more than a heading. */
  readonly page?: (visit: PersonVisit, shown: LogPage) => Promise<Response>
  /** What is listed, such as "changes". */
  readonly what: string
  /** Shown while the log is empty. */
  readonly emptyText: string
  readonly file: string
  /** Other requests are served between the parts of a file. */
  readonly fileRowsAtOnce: number
  readonly filterOf: (visit: PersonVisit) => Filter | Promise<Filter>
  /** Filters beside the search and the two dates. */
  readonly filters: (visit: PersonVisit) => Promise<ComponentChildren>
  /** Newest first. A search may stop with fewer rows than asked for, before it has looked at everything. */
  readonly read: (visit: PersonVisit, filter: Filter, page: PageRequest) => Promise<Part<Row>>
}

type LogPage = Pick<Parameters<typeof headedPage>[1], "title" | "intro" | "body">

type Intro = Parameters<typeof headedPage>[1]["intro"]

interface Part<Row> {
  readonly rows: readonly Row[]
  /** The row from which older ones are read; null at the end. */
  readonly before: number | null
}

/** The page of a log with its filters, and everything that matches as a file. */
export function logRoutes<Row extends { readonly id: number }, Filter extends object>(log: Log<Row, Filter>) {
  const { path, title, file, fileColumns, fileRowsAtOnce, groupOf } = log

  async function list(visit: PersonVisit): Promise<Response> {
    const filter = await log.filterOf(visit)
    const before = beforeOf(visit.url.searchParams)
    const part: Part<Row> = isReadable(periodOf(visit.url))
      ? await log.read(visit, filter, { before, limit: PAGE_ROWS })
      : { rows: [], before: null }
    const columns = await log.columns(visit, part.rows)
    const filters = await log.filters(visit)
    const grouped = groupOf && { groupOf: (row: Row) => groupOf(row, visit) }
    const body = <LogList log={log} url={visit.url} filters={filters} part={part} columns={columns} {...grouped} />
    const shown = { title, intro: await log.intro(visit), body }
    return log.page?.(visit, shown) ?? headedPage(visit, shown)
  }

  async function* parts(visit: PersonVisit) {
    const filter = await log.filterOf(visit)
    const read = (before: number | null) => log.read(visit, filter, { before, limit: fileRowsAtOnce })
    for await (const { rows } of everyPart("before", read)) yield rows
  }

  return [
    forOperator("GET", path, list),
    forOperator(
      "GET",
      `${path}.csv`,
      fileOfPeriod(
        () => path,
        (visit) => listCsv(file, fileColumns, parts(visit)),
      ),
    ),
  ]
}

interface LogListProps<Row, Filter extends object> {
  readonly log: Log<Row, Filter>
  readonly url: URL
  readonly columns: readonly Column<Row>[]
  readonly groupOf?: (row: Row) => string
  readonly filters: ComponentChildren
  readonly part: Part<Row>
}

function LogList<Row extends { readonly id: number }, Filter extends object>(props: LogListProps<Row, Filter>) {
  const { log, url, filters, part, columns, groupOf } = props
  const { path: action, searched, caption } = log
  const { rows, before: older } = part
  const isFiltered = [...url.searchParams].some(([name, value]) => name !== "before" && value !== "")
  const grouped = groupOf && { groupOf }
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
      {rows.length > 0 && (
        <Table caption={caption} columns={columns} rows={rows} rowKey={({ id }) => id} {...grouped} dense />
      )}
      {rows.length === 0 && isReadable(period) && <NoRows {...log} older={older} isFiltered={isFiltered} />}
      <Pager
        previous={beforeOf(url.searchParams) === null ? null : withQuery(url, "before", null)}
        next={older === null ? null : withQuery(url, "before", older)}
        previousLabel="Newest"
        nextLabel={rows.length < PAGE_ROWS ? "Look further back" : "Older"}
      />
    </>
  )
}

type NoRowsProps = Readonly<{ what: string; emptyText: string; older: number | null; isFiltered: boolean }>

function NoRows({ isFiltered, older, what, emptyText }: NoRowsProps) {
  if (!isFiltered) return <Empty title={`No ${what} yet`} text={emptyText} />
  if (older === null) return <Empty title={`No matching ${what}`} text={`Choose “Show all” to see all ${what}.`} />
  return <Empty title={`No matching ${what} so far`} text={`Older ${what} have not been searched yet.`} />
}

type TimeSpan = Readonly<{ from?: Moment; until?: Moment }>

/** The time between the two days of a filter, both included. */
export function timeSpanOf({ url, zone }: Pick<Visit, "url" | "zone">): TimeSpan {
  const { from, to } = periodOf(url)
  return {
    ...(from !== null && { from: startOfDay(from, zone) }),
    ...(to !== null && { until: startOfDay(dayAfter(to), zone) }),
  }
}

/** A value of the query, or nothing when it is empty. */
export function given<Name extends string>(query: URLSearchParams, name: Name): { readonly [key in Name]?: string } {
  const value = (query.get(name) ?? "").trim()
  return (value === "" ? {} : { [name]: value }) as { readonly [key in Name]?: string }
}

/** The entry before which the page begins; null for the newest page. */
const beforeOf = (query: URLSearchParams): number | null => readId(query.get("before") ?? "")
