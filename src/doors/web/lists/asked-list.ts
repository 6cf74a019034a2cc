import {
  type KeyedRow,
  keyedRows,
  type ListPage,
  type ListQuery,
  type ListRules,
  listPage,
  matchingRows,
  pageOf,
} from "../../../domain/lists/list-query.ts"
import { offsetOf } from "../paging.ts"
import { yieldToEventLoop } from "../yield-to-event-loop.ts"

// As many as a laptop shows without scrolling.
export const PER_PAGE = 25

/** The part of the query that says where a page begins. `from` is a date where a list has a time span. */
export const START = "start"

/** What the address asks of a list. What the list does not know is ignored. */
export function askedList<Row>({ searchParams }: URL, rules: ListRules<Row>, start: number): ListQuery {
  const wanted = searchParams.get("sort") ?? ""
  const sorts = Object.keys(rules.sorts)
  const sort = sorts.find((key) => key === wanted.replace(/^-/, ""))
  const state = Object.keys(rules.states).find((key) => key === searchParams.get("state")) ?? null
  return {
    text: (searchParams.get("q") ?? "").trim(),
    state,
    sort: sort ?? sorts[0] ?? "",
    descending: sort === undefined ? isLargestFirst(rules, sorts[0] ?? "") : wanted.startsWith("-"),
    offset: start,
    limit: PER_PAGE,
  }
}

const isLargestFirst = <Row>({ largestFirst = [] }: ListRules<Row>, sort: string) => largestFirst.includes(sort)

/** How the address names an order; null for the one that a list has anyway. */
export function sortName<Row>(rules: ListRules<Row>, sort: string, descending: boolean): string | null {
  const isUsual = sort === Object.keys(rules.sorts)[0] && descending === isLargestFirst(rules, sort)
  return isUsual ? null : `${descending ? "-" : ""}${sort}`
}

/** The order after a click on the title of a column: the other direction where the list is sorted by it already. */
export function nextSort<Row>(rules: ListRules<Row>, query: ListQuery, sort: string): string | null {
  return sortName(rules, sort, query.sort === sort ? !query.descending : isLargestFirst(rules, sort))
}

/** The page that the address asks for, of rows that are all at hand. */
export function askedPage<Row>(url: URL, rules: ListRules<Row>, rows: readonly Row[]): ListPage<Row> {
  return listPage(rows, rules, askedList(url, rules, offsetOf(url, START)))
}

const KEYED_AT_ONCE = 2_000

/** The same for thousands of rows: others are served meanwhile. */
export async function askedPageOfMany<Row>(
  url: URL,
  rules: ListRules<Row>,
  rows: readonly Row[],
): Promise<ListPage<Row>> {
  const query = askedList(url, rules, offsetOf(url, START))
  const { page, matching } = matchingRows(rows, rules, query)
  const keyed: KeyedRow<Row>[] = []
  for (let from = 0; from < matching.length; from += KEYED_AT_ONCE) {
    await yieldToEventLoop()
    keyed.push(...keyedRows(matching.slice(from, from + KEYED_AT_ONCE), rules, query))
  }
  return { ...page, rows: pageOf(keyed, query) }
}

/** Everything that matches, in the same order, for a download. */
export function askedRows<Row>(url: URL, rules: ListRules<Row>, rows: readonly Row[]): readonly Row[] {
  return listPage(rows, rules, { ...askedList(url, rules, 0), limit: rows.length }).rows
}
