import type { ComponentChildren } from "preact"
import { cutText } from "../../../domain/text/short-text.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import { type CsvValue, longCsv } from "../write-csv.ts"
import { ButtonLink } from "./blocks.tsx"
import { Ago, formatNumber, Time } from "./format.tsx"

/** A column of a table and of its CSV file. Without `cell` the page shows the value, a number as people write it; without `value` the file leaves it out. */
export interface Column<Row> {
  readonly title: string
  readonly cell?: (row: Row) => ComponentChildren
  readonly value?: (row: Row) => CsvValue
  /** Where the name of a row leads, if anywhere. */
  readonly href?: (row: Row) => string | null | undefined
  /** More about it, below and quieter. */
  readonly note?: (row: Row) => ComponentChildren
  /** Numbers are aligned to the right, so that they can be compared. */
  readonly numeric?: boolean
  readonly nowrap?: boolean
  /**
   * How the cell looks in a narrow window. On a phone each row is a card: "corner" puts a badge into its upper corner, "wide" gives a cell the
   * whole width, "span" the same without its title, "desk" leaves it out. "no-tablet" leaves it out of tablets only, "roomy" also out
   * of most laptops, "large" out of phones and tablets. "actions" is the last row of a card.
   */
  readonly narrow?: "corner" | "wide" | "span" | "desk" | "no-tablet" | "roomy" | "large" | "actions"
  /** In a list, the name of the sort that a click on the title asks for. */
  readonly sortBy?: string
  /** The address that sorts by this column, and how it is sorted by it now. */
  readonly sort?: Readonly<{ href: string; now: "ascending" | "descending" | null; submits?: boolean }> | undefined
}

/** A moment: in words on the page, as a timestamp in the file. */
export const timeColumn = <Row,>(title: string, at: (row: Row) => Moment): Column<Row> => ({
  title,
  cell: (row) => <Time at={at(row)} />,
  value: (row) => formatMoment(at(row)),
})

/** How long ago; in the file as a timestamp. What has no moment yet was never. */
export const agoColumn = <Row,>(title: string, at: (row: Row) => Moment | null): Column<Row> => ({
  title,
  cell: (row) => {
    const moment = at(row)
    return moment === null ? <span class="soft">Never</span> : <Ago at={moment} />
  },
  value: (row) => momentOrNothing(at(row)),
})

const momentOrNothing = (at: Moment | null): string => (at === null ? "" : formatMoment(at))

interface TableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Whether it is the row that counts now. */
  readonly isCurrent?: (row: Row) => boolean
  /** Rows as low as possible: 25 of them on a laptop. */
  readonly dense?: boolean
  /** A heading above the rows of which it is the same, such as their day. */
  readonly groupOf?: (row: Row) => string
  /** The cells of a last row, by the title of their column. */
  readonly totals?: Readonly<Record<string, ComponentChildren>> | undefined
}

/** A table on paper; on a phone each row is a card. */
export const Table = <Row,>(props: TableProps<Row>) => (
  <div class="card flush">
    <BareTable {...props} />
  </div>
)

/** The same, for a card that has more than the table. */
export function BareTable<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, isCurrent, dense = false, groupOf, totals } = props
  const groups = rows.map((row) => groupOf?.(row))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="table" aria-label={caption} tabIndex={0}>
      <table class={`cards${dense ? " dense" : ""}${groupOf === undefined ? "" : " log"}`}>
        <caption class="vh">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => [
            groups[at] !== groups[at - 1] && (
              <tr class="day-row">
                <th scope="rowgroup" colSpan={columns.length}>
                  {groups[at]}
                </th>
              </tr>
            ),
            <tr class={isCurrent?.(row) ? "row-current" : undefined}>
              {columns.map((column, index) => (
                <Cell column={column} isFirst={index === 0}>
                  {contentOf(column, row)}
                </Cell>
              ))}
            </tr>,
          ])}
        </tbody>
        {totals !== undefined && (
          <tfoot>
            <tr>
              {columns.map((column, index) => (
                <Cell column={column} isFirst={index === 0}>
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

function contentOf<Row>({ cell, value, href, note }: Column<Row>, row: Row) {
  const shown = (cell ?? value)?.(row)
  const content = typeof shown === "number" ? formatNumber(shown) : shown
  const below = note?.(row)
  return [
    href === undefined ? content : <NameLink href={href(row)}>{content}</NameLink>,
    below != null && below !== false && <small>{below}</small>,
  ]
}

// A row is no place for a paragraph.
const NAME_CHARACTERS_MAX = 120

function NameLink({ href, children }: Readonly<{ href: string | null | undefined; children: ComponentChildren }>) {
  const isLong = typeof children === "string" && children.length > NAME_CHARACTERS_MAX
  const named = { class: "name", ...(isLong && { title: children }) }
  const name = isLong ? cutText(children, NAME_CHARACTERS_MAX) : children
  return href == null ? (
    <b {...named}>{name}</b>
  ) : (
    <a {...named} href={href}>
      {name}
    </a>
  )
}

/** Places that leave the cell, and the head of its column, out of some windows. */
const HIDDEN: ReadonlySet<string> = new Set(["desk", "no-tablet", "roomy", "large"])

type AnyColumn = Pick<Column<never>, "title" | "numeric" | "nowrap" | "narrow" | "sort">

function HeadCell({ column: { title, numeric, narrow, sort } }: { readonly column: AnyColumn }) {
  const hidden = narrow !== undefined && HIDDEN.has(narrow) ? narrow : ""
  const classes = [numeric ? "num" : "", hidden].filter(Boolean).join(" ")
  return (
    <th scope="col" class={classes || undefined} aria-sort={sort?.now ?? undefined}>
      {narrow === "actions" ? <span class="vh">{title}</span> : sort ? <Go {...sort}>{title}</Go> : title}
    </th>
  )
}

type GoProps = Readonly<{ href: string; rel?: string | undefined; submits?: boolean; children: ComponentChildren }>

/** A link to the same list otherwise. Inside a form it is a button: the form goes along, and nothing that was typed is lost. */
const Go = ({ href, rel, submits = false, children }: GoProps) =>
  submits ? (
    <button type="submit" formaction={href} name="go" value="yes">
      {children}
    </button>
  ) : (
    <a href={href} rel={rel}>
      {children}
    </a>
  )

type CellProps = Readonly<{ column: AnyColumn; isFirst: boolean; children: ComponentChildren }>

function Cell({ column: { title, numeric, nowrap, narrow }, isFirst, children }: CellProps) {
  const place = narrow === "actions" ? "span num row-actions" : narrow
  const classes = [numeric ? "num" : "", nowrap ? "nowrap" : "", place ?? ""].filter(Boolean).join(" ") || undefined
  if (isFirst) {
    return (
      <th scope="row" class={classes}>
        {children}
      </th>
    )
  }
  const hasLabel = narrow === undefined || narrow === "wide" || HIDDEN.has(narrow)
  return (
    <td class={classes} data-label={hasLabel ? title : undefined}>
      {children}
    </td>
  )
}

interface PagesProps {
  readonly url: URL
  readonly perPage: number
  readonly count: number
  readonly what: string
  /** The part of the query that says where the page begins. */
  readonly name?: string
  /** Inside a form, which then goes along, so that nothing that was typed is lost. */
  readonly submits?: boolean
}

/** "26–50 of 61 campaigns", and the numbers of the pages. Nothing where one page shows everything. */
export function Pages({ url, perPage, count, what, name = "from", submits = false }: PagesProps) {
  const offset = offsetOf(url, name)
  if (count <= perPage && offset === 0) return null
  const current = Math.floor(offset / perPage)
  const last = Math.max(Math.ceil(count / perPage) - 1, 0)
  const link = (page: number, text: string | number, rel?: string) => (
    <li>
      <Go href={withQuery(url, name, page === 0 ? null : page * perPage)} rel={rel} submits={submits}>
        {typeof text === "number" && <span class="vh">Page </span>}
        {text}
      </Go>
    </li>
  )
  return (
    <nav class="pages" aria-label={`Pages of ${what}`}>
      <span>
        {formatNumber(Math.min(offset + 1, count))}–{formatNumber(Math.min(offset + perPage, count))} of{" "}
        {formatNumber(count)} {what}
      </span>
      <ul class="no-print">
        {current > 0 && link(Math.min(current - 1, last), "Previous", "prev")}
        {shownPages(current, last).map((page) =>
          page === null || page === current ? (
            <li>
              <span aria-current={page === null ? undefined : "page"}>{page === null ? "…" : page + 1}</span>
            </li>
          ) : (
            link(page, page + 1)
          ),
        )}
        {current < last && link(current + 1, "Next", "next")}
      </ul>
    </nav>
  )
}

/** The first, the last and those around the current page; null for each gap. */
function shownPages(current: number, last: number): (number | null)[] {
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
      {previous !== null && <ButtonLink href={previous} rel="prev" label={previousLabel} />}
      {next !== null && <ButtonLink href={next} rel="next" label={nextLabel} />}
    </nav>
  )
}

type Rows<Row> = readonly Row[] | AsyncIterable<readonly Row[]>

/** A table as a CSV file: the same columns, with plain values. A long one is read and sent in parts. */
export function listCsv<Row>(name: string, columns: readonly Column<Row>[], rows: Rows<Row>) {
  const plain = columns.flatMap(({ title, value }) => (value === undefined ? [] : [{ title, value }]))
  async function* parts() {
    for await (const part of Symbol.asyncIterator in rows ? rows : [rows])
      yield part.map((row) => plain.map(({ value }) => value(row)))
  }
  const header = plain.map(({ title }) => title)
  return longCsv(`${name}.csv`, header, parts())
}

export const ROWS_PER_PAGE = 100

/** The number of the first entry that a list shows. */
export function offsetOf(url: URL, name = "from"): number {
  const from = url.searchParams.get(name) ?? ""
  return /^\d{1,6}$/.test(from) ? Number(from) : 0
}

/** The address of a page with one part of its query changed. */
export function withQuery(url: URL, name: string, value: string | number | null): string {
  const query = new URLSearchParams(url.searchParams)
  if (value === null) query.delete(name)
  else query.set(name, String(value))
  return query.size === 0 ? url.pathname : `${url.pathname}?${query}`
}

/** Every part of a long list that says itself where its next part begins. */
export async function* everyPart<Part extends object, Next extends keyof Part>(
  next: Next,
  read: (from: Part[Next] | null) => Promise<Part>,
): AsyncGenerator<Part> {
  let from: Part[Next] | null = null
  do {
    const part: Part = await read(from)
    yield part
    from = part[next]
  } while (from !== null)
}
