import type { ComponentChildren } from "preact"
import type { ListPage, ListRules } from "../../../domain/lists/list-query.ts"
import { withQuery } from "../paging.ts"
import { ButtonLink, CsvLink } from "../parts/button-link.tsx"
import { Empty } from "../parts/empty.tsx"
import { SearchInput, Segments } from "../parts/form/filters.tsx"
import { HiddenInputs } from "../parts/form/form.tsx"
import { Options } from "../parts/form/select.tsx"
import { formatNumber } from "../parts/format.tsx"
import { Pages } from "../parts/table/pages.tsx"
import { type Column, Table } from "../parts/table/table.tsx"
import { nextSort, PER_PAGE, START, sortName } from "./asked-list.ts"

export interface ListColumn<Row> extends Column<Row> {
  /** The name of the sort that a click on the title asks for. */
  readonly sortBy?: string
}

export interface ListViewProps<Row, Searched = Row> {
  readonly url: URL
  readonly list: ListPage<Row>
  readonly rules: ListRules<Searched>
  /** What is listed, such as "campaigns". */
  readonly what: string
  /** What a search looks at, such as "campaigns and buyers". */
  readonly searched: string
  /** The states to choose from, by the words on the page. */
  readonly states?: Readonly<Record<string, string>>
  readonly columns: readonly ListColumn<Row>[]
  readonly rowKey: (row: Row) => string | number
  readonly isCurrent?: (row: Row) => boolean
  /** Parts of the query that a search keeps. */
  readonly kept?: readonly string[]
  /** The address of the list as CSV. */
  readonly csv?: string
  /** Shown in place of everything while there is nothing to list. */
  readonly empty?: ComponentChildren
  /** The part of the query that says where a page begins. */
  readonly start?: string
}

/** A list: search, states, a table sorted by its columns, and the numbers of its pages. */
export function ListView<Row, Searched = Row>(props: ListViewProps<Row, Searched>) {
  const { url, list, rules, what, columns, rowKey, isCurrent, empty, start = START } = props
  if (list.all === 0 && empty !== undefined) return empty
  const { sort, descending } = list.query
  const first = new URL(withQuery(url, start, null), url)
  const sorted = columns.map(({ sortBy, ...column }) => {
    if (sortBy === undefined) return column
    const now = sort === sortBy ? (descending ? "descending" : "ascending") : null
    return { ...column, sort: { href: withQuery(first, "sort", nextSort(rules, list.query, sortBy)), now } as const }
  })
  return (
    <>
      <Filters {...props} first={first} />
      {list.rows.length === 0 ? (
        <Empty title={`No ${what} match`} text="Search for something else, or show all of them.">
          <ButtonLink href={shownAll(props)} label="Show all" />
        </Empty>
      ) : (
        <Table
          caption={capitalized(what)}
          columns={sorted}
          rows={list.rows}
          rowKey={rowKey}
          {...(isCurrent && { isCurrent })}
          dense
        />
      )}
      <Pages url={url} name={start} perPage={PER_PAGE} count={list.matching} what={what} />
    </>
  )
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The same list with what it keeps in any case, and without search and state. */
function shownAll<Row, Searched>({ url, kept = [] }: ListViewProps<Row, Searched>): string {
  const all = new URL(url.pathname, url)
  for (const name of kept) {
    const value = url.searchParams.get(name)
    if (value !== null) all.searchParams.set(name, value)
  }
  return all.pathname + all.search
}

function Filters<Row, Searched>(props: ListViewProps<Row, Searched> & { readonly first: URL }) {
  const { url, list, states = {}, searched, kept = [], csv, first } = props
  const { query, counts, found } = list
  const hidden = {
    ...Object.fromEntries(kept.map((name) => [name, url.searchParams.get(name) ?? ""])),
    state: query.state ?? "",
  }
  const segments = Object.entries({ "": "All", ...states }).map(([state, label]) => {
    const count = state === "" ? found : counts?.[state]
    return {
      href: withQuery(first, "state", state === "" ? null : state),
      label,
      count: count === undefined ? undefined : formatNumber(count),
      isCurrent: state === (query.state ?? ""),
    }
  })
  return (
    <search class="filters no-print">
      <form action={url.pathname}>
        <SearchInput name="q" what={searched} value={query.text} />
        <HiddenInputs values={Object.fromEntries(Object.entries(hidden).filter(([, value]) => value !== ""))} />
        <SortChoice {...props} />
        {segments.length > 1 && <Segments label="State" segments={segments} />}
        <button type="submit" class="button unscripted">
          Show
        </button>
        {csv !== undefined && (
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
