import type { ComponentChildren } from "preact"
import { dayAfter, type Moment } from "../../../domain/time/moment.ts"
import { dayOf, startOfDay } from "../../../domain/time/time-zone.ts"
import type { PageRequest } from "../../../storage/port/store.ts"
import { forOperator } from "../guards.ts"
import { fileOfPeriod, isReadable, periodOf } from "../lists.tsx"
import { ButtonLink, CsvLink, Empty, Submit } from "../parts/blocks.tsx"
import { FilterContext, FilterDate, SearchInput } from "../parts/form/filters.tsx"
import { formatLongDate } from "../parts/format.tsx"
import { type Column, everyPart, listCsv, Pager, Table, withQuery } from "../parts/table.tsx"
import { headedPage } from "../respond.tsx"
import { type PersonVisit, readId } from "../visit.ts"

const PAGE_ROWS = 25

type Entry = Readonly<{ id: number; at: Moment }>
type Shown = Pick<Parameters<typeof headedPage>[1], "title" | "intro" | "body">

/** The rows, and from which older ones are read; null at the end. */
type Part<Row> = Readonly<{ rows: readonly Row[]; before: number | null }>

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

/** The page of a log with its filters, and everything that matches as a file. */
export function logRoutes<Row extends Entry>(log: Log<Row>) {
  const { path, title, file, fileColumns, fileRowsAtOnce: limit } = log

  async function list(visit: PersonVisit): Promise<Response> {
    const { url, zone } = visit
    const [start, period] = [beforeOf(url), periodOf(url)]
    const part = isReadable(period) ? await log.read(visit, { before: start, limit: PAGE_ROWS }) : null
    const { rows = [], before: older = null } = part ?? {}
    const isFiltered = [...url.searchParams].some(([name, value]) => name !== "before" && value !== "")
    const body = [
      <search class="filters no-print">
        <form action={path}>
          <SearchInput name="text" what={log.searched} value={url.searchParams.get("text") ?? ""} />
          {await log.filters(visit)}
          <FilterContext url={url} errors={period.errors}>
            <span class="actions">
              <FilterDate name="from" label="From" />
              <FilterDate name="to" label="To" />
              <Submit label="Show" />
            </span>
          </FilterContext>
          {isFiltered && <ButtonLink kind="quiet" href={path} label="Show all" />}
          {part && (
            <span class="push">
              <CsvLink href={`${path}.csv${url.search}`} />
            </span>
          )}
        </form>
      </search>,
      rows.length > 0 && (
        <Table
          caption={`${title}, latest first`}
          columns={await log.columns(visit, rows)}
          rows={rows}
          groupOf={({ at }) => formatLongDate(dayOf(at, zone))}
          dense
        />
      ),
      part?.rows.length === 0 && noRows(log, isFiltered, older !== null),
      <Pager
        previous={start === null ? null : withQuery(url, "before", null)}
        next={older === null ? null : withQuery(url, "before", older)}
        previousLabel="Newest"
        nextLabel={rows.length < PAGE_ROWS ? "Look further back" : "Older"}
      />,
    ]
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

function noRows({ what, emptyText }: Pick<Log<Entry>, "what" | "emptyText">, isFiltered: boolean, hasOlder: boolean) {
  if (!isFiltered) return <Empty title={`No ${what} yet`} text={emptyText} />
  if (!hasOlder) return <Empty title={`No matching ${what}`} text={`Choose “Show all” to see all ${what}.`} />
  return <Empty title={`No matching ${what} so far`} text={`Older ${what} have not been searched yet.`} />
}

/** The time between the two days of a filter, both included. */
export function timeSpanOf({ url, zone }: PersonVisit) {
  const { from, to } = periodOf(url)
  return {
    ...(from !== null && { from: startOfDay(from, zone) }),
    ...(to !== null && { until: startOfDay(dayAfter(to), zone) }),
  }
}

/** Those of these values of the query that are not empty. */
export function queryValues<Name extends string>({ searchParams }: URL, ...names: Name[]) {
  const values = names.map((name) => [name, (searchParams.get(name) ?? "").trim()] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== "")) as { readonly [key in Name]?: string }
}

/** The entry before which the page begins; null for the newest page. */
const beforeOf = ({ searchParams }: URL): number | null => readId(searchParams.get("before") ?? "")
