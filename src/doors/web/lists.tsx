import type { ComponentChildren } from "preact"
import { inParts } from "../../domain/lists/in-parts.ts"
import { type ListPage, type ListQuery, type ListRules, listPage } from "../../domain/lists/list-query.ts"
import { capitalized } from "../../domain/text/short-text.ts"
import { readPeriod, type TypedPeriod } from "../../domain/time/typed-day.ts"
import type { Route, Router } from "./guards.ts"
import { ButtonLink, CsvLink, Empty, Submit } from "./parts/blocks.tsx"
import { Options } from "./parts/form/choices.tsx"
import { SearchInput, Segments } from "./parts/form/filters.tsx"
import { HiddenInputs } from "./parts/form/form.tsx"
import { formatNumber } from "./parts/format.tsx"
import { type Column, listCsv, offsetOf, Pages, Table, withQuery } from "./parts/table.tsx"
import { goTo, headedPage } from "./respond.tsx"
import type { Visit } from "./visit.ts"

interface ListViewProps<Row, Searched = Row> {
  readonly url: URL
  readonly list: ListPage<Row> & { readonly start?: string }
  readonly rules: ListRules<Searched>
  /** What is listed, such as "campaigns". */
  readonly what: string
  /** What a search looks at, such as "campaigns and buyers". */
  readonly searched: string
  /** The states to choose from, by the words on the page. */
  readonly states?: Readonly<Record<string, string>>
  readonly columns: readonly Column<Row>[]
  /** Parts of the query that a search keeps. */
  readonly carried?: readonly string[]
  /** The address of the list as CSV, where it is not that of the page; null where the page has a link elsewhere. */
  readonly csv?: string | null
  /** Shown without search while there are no more than these. */
  readonly few?: number
  readonly table?: Pick<Parameters<typeof Table<Row>>[0], "totals" | "dense">
  /** Shown in place of everything while there is nothing to list. */
  readonly empty?: ComponentChildren
}

interface ActionColumn<Row> {
  readonly label: string
  readonly kind?: "quiet" | "quiet danger"
  readonly nameOf: (row: Row) => string
  /** Null for a row with which nothing can be done. */
  readonly href: (row: Row) => string | null
}

/** The last column: what can be done with the row. */
export function actionColumn<Row>({ label, kind = "quiet", nameOf, href }: ActionColumn<Row>): Column<Row> {
  const cell = (row: Row) => {
    const address = href(row)
    return address && <ButtonLink small kind={kind} href={address} label={label} about={`${label}: ${nameOf(row)}`} />
  }
  return { title: "Actions", narrow: "actions", cell }
}

/** A list: search, states, a table sorted by its columns, and the numbers of its pages. */
export function ListView<Row, Searched = Row>(props: ListViewProps<Row, Searched>) {
  const { url, list, rules, what, columns, empty, few = 0, table = { dense: true } } = props
  if (list.all === 0 && empty !== undefined) return empty
  const { sort, descending } = list.query
  const first = new URL(withQuery(url, list.start ?? START, null), url)
  // What the list keeps in any case, without search and state.
  const kept = new URLSearchParams(carriedIn(url, props.carried ?? []))
  const sorted = columns.map(({ sortBy, ...column }) => {
    if (sortBy === undefined) return column
    const now = sort === sortBy ? (descending ? "descending" : "ascending") : null
    return { ...column, sort: { href: withQuery(first, "sort", nextSort(rules, list.query, sortBy)), now } as const }
  })
  return [
    (list.all > few || list.query.text !== "") && <Filters {...props} first={first} />,
    list.rows.length === 0 ? (
      <Empty title={`No ${what} match`} text="Search for something else, or show all.">
        <ButtonLink href={`${url.pathname}${kept.size === 0 ? "" : `?${kept}`}`} label="Show all" />
      </Empty>
    ) : (
      <Table caption={capitalized(what)} columns={sorted} rows={list.rows} {...table} />
    ),
    <Pages url={url} name={list.start ?? START} perPage={list.query.limit} count={list.matching} what={what} />,
  ]
}

/** The parts of a query with these names that there are. */
export const carriedIn = ({ searchParams }: URL, names: readonly string[]): Record<string, string> =>
  Object.fromEntries([...searchParams].filter(([name, value]) => names.includes(name) && value !== ""))

function Filters<Row, Searched>(props: ListViewProps<Row, Searched> & { readonly first: URL }) {
  const { url, list, states = {}, searched, carried = [], csv = `${url.pathname}.csv${url.search}`, first } = props
  const { query, counts, matches } = list
  const segments = Object.entries({ "": "All", ...states }).map(([state, label]) => {
    const count = state === "" ? matches : counts?.[state]
    const href = withQuery(first, "state", state || null)
    const isCurrent = state === (query.state ?? "")
    return { href, label, count: count === undefined ? undefined : formatNumber(count), isCurrent }
  })
  return (
    <search class="filters no-print">
      <form action={url.pathname}>
        <SearchInput name="q" what={searched} value={query.text} />
        <HiddenInputs values={carriedIn(url, query.state === null ? carried : [...carried, "state"])} />
        <SortChoice {...props} />
        {segments.length > 1 && <Segments label="State" segments={segments} />}
        <Submit kind="unscripted" label="Show" />
        {csv !== null && (
          <span class="push">
            <CsvLink href={csv} />
          </span>
        )}
      </form>
    </search>
  )
}

/** On phones, where tables have no head to click at. Everywhere else it is what makes a search keep the order. */
function SortChoice<Row, Searched>({ list: { query }, rules, columns }: ListViewProps<Row, Searched>) {
  const now = sortName(rules, query.sort, query.descending) ?? ""
  const choices = columns.flatMap(({ sortBy, title }) =>
    sortBy === undefined
      ? []
      : [false, true].map((descending) => ({
          value: sortName(rules, sortBy, descending) ?? "",
          label: `${title} ${descending ? "↓" : "↑"}`,
        })),
  )
  return (
    <select class="phone" name="sort" aria-label="Sort by" data-go>
      <Options choices={choices} chosen={now} />
    </select>
  )
}

// As many as a laptop shows without scrolling.
const PER_PAGE = 25

/** The part of the query that says where a page begins. `from` is a date where a list has a time span. */
const START = "start"

/** What the address asks of a list. What the list does not know is ignored. */
function askedList<Row>({ searchParams }: URL, rules: ListRules<Row>, offset: number, limit = PER_PAGE): ListQuery {
  const wanted = searchParams.get("sort") ?? ""
  const sorts = Object.keys(rules.sorts)
  const sort = sorts.find((key) => key === wanted.replace(/^-/, ""))
  const state = Object.keys(rules.states).find((key) => key === searchParams.get("state")) ?? null
  return {
    text: (searchParams.get("q") ?? "").trim(),
    state,
    sort: sort ?? sorts[0] ?? "",
    descending: sort === undefined ? isLargestFirst(rules, sorts[0] ?? "") : wanted.startsWith("-"),
    offset,
    limit,
  }
}

const isLargestFirst = <Row,>({ largestFirst = [] }: ListRules<Row>, sort: string): boolean =>
  largestFirst.includes(sort)

/** How the address names an order; null for the one that a list has anyway. */
function sortName<Row>(rules: ListRules<Row>, sort: string, descending: boolean): string | null {
  const isUsual = sort === Object.keys(rules.sorts)[0] && descending === isLargestFirst(rules, sort)
  return isUsual ? null : `${descending ? "-" : ""}${sort}`
}

/** The order after a click on the title of a column: the other direction where the list is sorted by it already. */
const nextSort = <Row,>(rules: ListRules<Row>, query: ListQuery, sort: string): string | null =>
  sortName(rules, sort, query.sort === sort ? !query.descending : isLargestFirst(rules, sort))

/** The page that the address asks for, of rows that are all at hand. */
export const askedPage = <Row,>(
  url: URL,
  rules: ListRules<Row>,
  rows: readonly Row[],
  { start = START, perPage = PER_PAGE } = {},
) => ({ ...listPage(rows, rules, askedList(url, rules, offsetOf(url, start), perPage)), start })

/** Everything that matches, in the same order, for a download. */
export const askedRows = <Row,>(url: URL, rules: ListRules<Row>, rows: readonly Row[]): readonly Row[] =>
  listPage(rows, rules, { ...askedList(url, rules, 0), limit: rows.length }).rows

interface Listing<V extends Visit, Row extends Head, Head>
  extends Pick<ListViewProps<Row>, "what" | "searched" | "states" | "empty" | "table"> {
  readonly rules: ListRules<Head>
  readonly rows: (visit: V) => Promise<readonly Head[]>
  /** Where a row costs more than what the list is searched and sorted by, it is read whole only where it is shown. */
  readonly whole?: (visit: V, heads: readonly Head[]) => Promise<readonly Row[]>
  readonly columns: (visit: V) => readonly Column<Row>[] | Promise<readonly Column<Row>[]>
  /** The name of its file, where it has one, and the columns that only the file has. */
  readonly file?: (visit: V) => string
  readonly inFile?: readonly Column<Row>[]
}

// Other requests are served between the parts of a file.
const WHOLE_AT_ONCE = 100

/** A list on a page, and everything that matches as a file. */
export function listing<V extends Visit, Row extends Head, Head = Row>(list: Listing<V, Row, Head>) {
  const { rules, rows, whole = async (_, heads) => heads as readonly Row[], columns, file, ...view } = list
  async function* parts(visit: V, heads: readonly Head[]) {
    for (const some of inParts(heads, WHOLE_AT_ONCE)) yield await whole(visit, some)
  }
  async function listView(visit: V) {
    const page = askedPage(visit.url, rules, await rows(visit))
    const visible = { ...page, rows: await whole(visit, page.rows) }
    const csvOf = file === undefined ? { csv: null } : {}
    const shown = await columns(visit)
    return <ListView url={visit.url} list={visible} rules={rules} columns={shown} {...csvOf} {...view} />
  }
  async function csv(visit: V): Promise<Response> {
    const heads = askedRows(visit.url, rules, await rows(visit))
    return listCsv(file?.(visit) ?? "list", [...(await columns(visit)), ...(list.inFile ?? [])], parts(visit, heads))
  }
  return {
    view: listView,
    csv,
    /** A page that is the list below a heading, and its file. */
    routes: (route: Router<V>, path: string, head: Omit<Parameters<typeof headedPage>[1], "body">): Route[] => [
      route("GET", path, async (visit) => headedPage(visit, { ...head, body: await listView(visit) })),
      ...(file === undefined ? [] : [route("GET", `${path}.csv`, csv)]),
    ],
  }
}

/** Whole rows in the order of their heads. */
export async function inOrder<Row extends { readonly id: number }>(
  heads: readonly { readonly id: number }[],
  read: (ids: readonly number[]) => Promise<readonly Row[]>,
) {
  const byId = new Map((await read(heads.map(({ id }) => id))).map((row) => [row.id, row]))
  return heads.flatMap(({ id }) => byId.get(id) ?? [])
}

/** The days of a filter: "from" and "to" in the query, both included. With errors nothing is listed: the page shows them at their fields. */
export const periodOf = ({ searchParams }: URL, from = ""): TypedPeriod =>
  readPeriod(searchParams.get("from") ?? from, searchParams.get("to") ?? "")

export const isReadable = ({ errors }: TypedPeriod): boolean => Object.keys(errors).length === 0

/** A file cannot say what is wrong with a filter, so the page at `path` with the same filter does. */
export function fileOfPeriod<V extends Visit>(
  path: (visit: V) => string,
  file: (visit: V) => Response | Promise<Response>,
  period: (visit: V) => TypedPeriod = ({ url }) => periodOf(url),
) {
  return (visit: V) => (isReadable(period(visit)) ? file(visit) : goTo(visit, `${path(visit)}${visit.url.search}`))
}
