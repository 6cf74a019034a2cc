import { offsetOf, withQuery } from "../../paging.ts"
import { formatNumber } from "../format.tsx"

interface PagesProps {
  readonly url: URL
  readonly perPage: number
  readonly count: number
  /** What is counted, such as "campaigns". */
  readonly what: string
  /** The part of the query that says where the page begins. */
  readonly name?: string
}

/** "26–50 of 61 campaigns", and the numbers of the pages. Nothing where one page shows everything. */
export function Pages({ url, perPage, count, what, name = "from" }: PagesProps) {
  const offset = offsetOf(url, name)
  if (count <= perPage && offset === 0) return null
  const current = Math.floor(offset / perPage)
  const last = Math.max(Math.ceil(count / perPage) - 1, 0)
  const hrefOf = (page: number) => withQuery(url, name, page === 0 ? null : page * perPage)
  return (
    <nav class="pages" aria-label={`Pages of ${what}`}>
      <span>
        {formatNumber(Math.min(offset + 1, count))}–{formatNumber(Math.min(offset + perPage, count))} of{" "}
        {formatNumber(count)} {what}
      </span>
      <ul class="no-print">
        {current > 0 && (
          <li>
            <a href={hrefOf(Math.min(current - 1, last))} rel="prev">
              Previous
            </a>
          </li>
        )}
        {shownPages(current, last).map((page, i) =>
          page === null ? (
            <li key={`gap ${i}`}>
              <span>…</span>
            </li>
          ) : (
            <li key={page}>
              {page === current ? (
                <span aria-current="page">{page + 1}</span>
              ) : (
                <a href={hrefOf(page)}>
                  <span class="vh">Page </span>
                  {page + 1}
                </a>
              )}
            </li>
          ),
        )}
        {current < last && (
          <li>
            <a href={hrefOf(current + 1)} rel="next">
              Next
            </a>
          </li>
        )}
      </ul>
    </nav>
  )
}

/** The first, the last and those around the current page; null for each gap. */
export function shownPages(current: number, last: number): (number | null)[] {
  const near = Array.from({ length: last + 1 }, (_, page) => page).filter(
    (page) => page === 0 || page === last || Math.abs(page - current) <= 1,
  )
  return near.flatMap((page, i) => (page - (near[i - 1] ?? page) > 1 ? [null, page] : [page]))
}

type PagerProps = Readonly<{ previous: string | null; next: string | null; previousLabel?: string; nextLabel?: string }>

/** For lists whose length nobody counts. */
export function Pager({ previous, next, previousLabel = "Newer", nextLabel = "Older" }: PagerProps) {
  if (previous === null && next === null) return null
  return (
    <nav class="actions no-print" aria-label="Pages">
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
