import type { ComponentChildren } from "preact"
import { dayAfter, type Moment } from "../../../domain/time/moment.ts"
import { dayOf, startOfDay } from "../../../domain/time/time-zone.ts"
import type { PageRequest } from "../../../storage/port/store.ts"
import { fileOfPeriod, isReadable, periodOf } from "../lists.tsx"
import { everyPart, withQuery } from "../paging.ts"
import { ButtonLink, CsvLink, Empty, Submit } from "../parts/blocks.tsx"
import { FilterContext, FilterDate, SearchInput } from "../parts/form/filters.tsx"
import { formatLongDate } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { type Column, listCsv, Pager, Table } from "../parts/table.tsx"
import { forOperator } from "../route.ts"
import { type PersonVisit, readId, type Visit } from "../visit.ts"

const PAGE_ROWS = 25

type Entry = Readonly<{ id: number; at: Moment }>
type Shown = Pick<Parameters<typeof headedPage>[1], "title" | "intro" | "body">

/** A log that only grows, shown day by day. */
interface Log<Row extends Entry> {
  readonly path: string
  readonly title: string
  readonly intro: (visit: PersonVisit) => Shown["intro"] | Promise<Shown["intro"]>
  /** What is listed, and what a search looks at: "changes", "names and details". */
  readonly what: string
  readonly searched: string
  readonly emptyText: string
  readonly columns: (visit: PersonVisit, rows: readonly Row[]) => Promise<readonly Column<Row>[]>
  readonly file: string
  readonly fileColumns: readonly Column<Row>[]
  /** Other requests are served between the parts of a file. */
  readonly fileRowsAtOnce: number
  /** The page around it, where it has more than a heading. */
  readonly page?: (visit: PersonVisit, content: Shown) => Promise<Response>
  /** Filters beside the search and the two dates. */
  readonly filters: (visit: PersonVisit) => Promise<ComponentChildren>
  /** What the filters of the address leave, newest first. It may stop with fewer rows than asked for, before it has looked at everything. */
  readonly read: (visit: PersonVisit, page: PageRequest) => Promise<Part<Row>>
}

interface Part<Row> {
  readonly rows: readonly Row[]
  /** The row from which older ones are read; null at the end. */
  readonly before: number | null
}

/** The page of a log with its filters, and everything that matches as a file. */
export function logRoutes<Row extends Entry>(log: Log<Row>) {
  const { path, title, file, fileColumns, fileRowsAtOnce: limit } = log

  async function list(visit: PersonVisit): Promise<Response> {
    const page = { before: beforeOf(visit.url), limit: PAGE_ROWS }
    const isAsked = isReadable(periodOf(visit.url))
    const part: Part<Row> = isAsked ? await log.read(visit, page) : { rows: [], before: null }
    const columns = await log.columns(visit, part.rows)
    const body = <LogList log={log} visit={visit} filters={await log.filters(visit)} {...part} columns={columns} />
    const content = { title, intro: await log.intro(visit), body }
    return log.page?.(visit, content) ?? headedPage(visit, content)
  }

  async function* parts(visit: PersonVisit) {
    const read = (before: number | null) => log.read(visit, { before, limit })
    for await (const { rows } of everyPart("before", read)) yield rows
  }

  const csv = (visit: PersonVisit) => listCsv(file, fileColumns, parts(visit))
  const pageOf = () => path
  return [forOperator("GET", path, list), forOperator("GET", `${path}.csv`, fileOfPeriod(pageOf, csv))]
}

interface LogListProps<Row extends Entry> extends Part<Row> {
  readonly log: Log<Row>
  readonly visit: PersonVisit
  readonly columns: readonly Column<Row>[]
  readonly filters: ComponentChildren
}

function LogList<Row extends Entry>({ log, visit, filters, rows, before: older, columns }: LogListProps<Row>) {
  const { url, zone } = visit
  const { path: action, searched, title } = log
  const isFiltered = [...url.searchParams].some(([name, value]) => name !== "before" && value !== "")
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
              <Submit label="Show" />
            </span>
          </FilterContext>
          {isFiltered && <ButtonLink kind="quiet" href={action} label="Show all" />}
          {isReadable(period) && (
            <span class="push">
              <CsvLink href={`${action}.csv${url.search}`} />
            </span>
          )}
        </form>
      </search>
      {rows.length > 0 && (
        <Table
          caption={`${title}, latest first`}
          columns={columns}
          rows={rows}
          groupOf={({ at }) => formatLongDate(dayOf(at, zone))}
          dense
        />
      )}
      {rows.length === 0 && isReadable(period) && noRows(isFiltered, older !== null, log.what, log.emptyText)}
      <Pager
        previous={beforeOf(url) === null ? null : withQuery(url, "before", null)}
        next={older === null ? null : withQuery(url, "before", older)}
        previousLabel="Newest"
        nextLabel={rows.length < PAGE_ROWS ? "Look further back" : "Older"}
      />
    </>
  )
}

function noRows(isFiltered: boolean, hasOlder: boolean, what: string, emptyText: string) {
  if (!isFiltered) return <Empty title={`No ${what} yet`} text={emptyText} />
  if (!hasOlder) return <Empty title={`No matching ${what}`} text={`Choose “Show all” to see all ${what}.`} />
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
export function queryValue<Name extends string>(query: URLSearchParams, name: Name) {
  const value = (query.get(name) ?? "").trim()
  return (value === "" ? {} : { [name]: value }) as { readonly [key in Name]?: string }
}

/** The entry before which the page begins; null for the newest page. */
const beforeOf = ({ searchParams }: URL): number | null => readId(searchParams.get("before") ?? "")
