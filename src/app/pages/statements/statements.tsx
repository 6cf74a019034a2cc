import { type BuyerMonth, isToBill, monthEnd } from "../../../actions/sale/statements.ts"
import { amountOf } from "../../../domain/money.ts"
import { lastDayOf, monthBefore, type Sum, sumsOf } from "../../../domain/sale/statement.ts"
import type { CalendarDate } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { onlyBuys } from "../../../storage/organizations.ts"
import { type Statement, statementsBy, statementsFor } from "../../../storage/sales.ts"
import { csvFile } from "../../list.ts"
import { page } from "../../page.tsx"
import { Badge, ButtonLink, Card, CsvLink, Empty } from "../../parts/blocks.tsx"
import { ChoiceFilter, FilterBar } from "../../parts/filters.tsx"
import { formatDate, formatShortDate, sumsInWords } from "../../parts/format.tsx"
import { actionsColumn, type Column, Name, Table } from "../../parts/table.tsx"
import { homeOf, type MemberVisit } from "../../visit.ts"

export const statementsAddress = (visit: MemberVisit): string => `${homeOf(visit)}/statements`

export const statementAddress = (visit: MemberVisit, { id }: Pick<Statement, "id">): string =>
  `${statementsAddress(visit)}/${id}`

const MONTH = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" })
const monthInWords = (month: string): string => MONTH.format(new Date(`${month}-01`))

interface MonthEnd {
  /** "2026-10" */
  readonly month: string
  /** Its last day, or today while it isn't over. */
  readonly through: CalendarDate
  readonly rows: readonly BuyerMonth[]
}

/** Whether the address asks only for the buyers to bill, as Today does. */
const isNarrowed = ({ url }: MemberVisit): boolean => url.searchParams.get("only") === "to-bill"

/** The month in the address. Without one it's the month before, because people bill it in this one. */
async function readMonth(visit: MemberVisit): Promise<MonthEnd> {
  const { read, organization, url, now, timeZone } = visit
  const asked = url.searchParams.get("month") ?? ""
  const today = dayOf(now, timeZone)
  const isPast = /^\d{4}-(0[1-9]|1[0-2])$/.test(asked) && asked <= today.slice(0, 7)
  const month = isPast ? asked : monthBefore(today.slice(0, 7))
  const isOver = lastDayOf(month) < today
  const through = isOver ? lastDayOf(month) : today
  const rows = await monthEnd(read, organization.id, through)
  return { month, through, rows: isNarrowed(visit) ? rows.filter(isToBill) : rows }
}

/** The amounts of a month for each buyer, and all statements. A buyer sees the statements that it received. */
export async function statementsPage(visit: MemberVisit): Promise<Response> {
  const { read, organization } = visit
  const isBuyer = await onlyBuys(read, organization.id)
  const made = await statementsBy(read, organization.id)
  const received = await statementsFor(read, organization.id)
  return page(visit, {
    title: "Statements",
    intro: isBuyer
      ? undefined
      : "A statement says what a buyer owes for everything delivered through a day. It isn’t an invoice.",
    body: (
      <>
        {!isBuyer && buyersOfMonth(visit, await readMonth(visit))}
        {made.length > 0 && (
          <Card title="All statements" isFlush>
            <Table caption="Statements" columns={statementColumns(visit, true)} rows={made} />
          </Card>
        )}
        {received.length > 0 && (
          <Card title="Received statements" isFlush>
            <Table caption="Received statements" columns={statementColumns(visit, false)} rows={received} />
          </Card>
        )}
        {isBuyer && received.length === 0 && (
          <Empty title="No statements yet" text="Statements from your sellers are listed here." />
        )}
      </>
    ),
  })
}

function buyersOfMonth(visit: MemberVisit, { month, through, rows }: MonthEnd) {
  const openSums = sumsOf(rows.flatMap(({ open }) => open))
  return (
    <>
      {monthChoice(visit, month)}
      <Card
        title={`Delivered through ${formatDate(through)}`}
        actions={rows.length > 0 && <CsvLink href={`${statementsAddress(visit)}.csv${visit.url.search}`} />}
        isFlush
      >
        {rows.length === 0 ? (
          <Empty title="Nothing to bill" text="No total of a priced line was measured by then." />
        ) : (
          <Table
            caption="Buyers"
            columns={monthColumns(visit, through)}
            rows={rows}
            totals={{ Open: sumsInWords(openSums) }}
          />
        )}
      </Card>
      {isNarrowed(visit) && <a href={`${statementsAddress(visit)}?month=${month}`}>Show all buyers</a>}
    </>
  )
}

/** The amounts that each buyer owes for the month, as a file. */
export async function monthFile(visit: MemberVisit): Promise<Response> {
  const { month, rows } = await readMonth(visit)
  const perCurrency = rows.flatMap((row) =>
    sumsOf([...row.delivered, ...row.open]).map(({ currency }) => ({ ...row, currency })),
  )
  return csvFile(`${visit.organization.slug}-${month}`, FILE_COLUMNS, perCurrency)
}

interface FileRow extends BuyerMonth {
  readonly currency: string
}

const amountIn = (sums: readonly Sum[], currency: string): string =>
  amountOf(sums.find((sum) => sum.currency === currency)?.coins ?? 0, currency)

const FILE_COLUMNS: readonly Column<FileRow>[] = [
  { title: "Buyer", csv: ({ buyer }) => buyer },
  { title: "Currency", csv: ({ currency }) => currency },
  { title: "Delivered", csv: ({ delivered, currency }) => amountIn(delivered, currency) },
  { title: "In statements", csv: ({ stated, currency }) => amountIn(stated, currency) },
  { title: "Open", csv: ({ open, currency }) => amountIn(open, currency) },
]

const MONTHS_SHOWN = 12

function monthChoice(visit: MemberVisit, month: string) {
  const months = [dayOf(visit.now, visit.timeZone).slice(0, 7)]
  while (months.length < MONTHS_SHOWN) months.push(monthBefore(months.at(-1) ?? ""))
  const choices = [...new Set([...months, month])].map((each) => [each, monthInWords(each)] as const)
  return (
    <FilterBar url={visit.url} fields={["month", "only"]}>
      <ChoiceFilter url={visit.url} name="month" label="Month" choices={choices} chosen={month} />
    </FilterBar>
  )
}

function monthColumns(visit: MemberVisit, through: CalendarDate): readonly Column<BuyerMonth>[] {
  const draft = ({ buyerId }: BuyerMonth) => `${statementsAddress(visit)}/new?buyer=${buyerId}&through=${through}`
  return [
    {
      title: "Buyer",
      cell: ({ buyer, isMeasured }) => (
        <>
          <b>{buyer}</b>
          {!isMeasured && <small>Some totals don’t cover {formatShortDate(through)} yet</small>}
        </>
      ),
    },
    { title: "Delivered", isNumber: true, cell: ({ delivered }) => sumsInWords(delivered) },
    { title: "In statements", isNumber: true, cell: ({ stated }) => sumsInWords(stated) },
    { title: "Open", isNumber: true, cell: ({ open }) => sumsInWords(open) },
    actionsColumn(
      (row) =>
        visit.role === "admin" &&
        row.open.length > 0 && (
          <ButtonLink href={draft(row)} label="Make statement" about={`Make statement: ${row.buyer}`} isSmall />
        ),
    ),
  ]
}

const STATES = {
  frozen: { tone: "warn", label: "Not paid" },
  paid: { tone: "good", label: "Paid" },
  cancelled: { tone: "off", label: "Canceled" },
} as const

export const StatementBadge = ({ state }: Pick<Statement, "state">) => <Badge {...STATES[state]} />

const statementColumns = (visit: MemberVisit, isSeller: boolean): readonly Column<Statement>[] => [
  {
    title: "Number",
    cell: (statement) => <Name href={statementAddress(visit, statement)}>{statement.number}</Name>,
  },
  { title: isSeller ? "Buyer" : "Seller", cell: ({ body }) => (isSeller ? body.buyer.name : body.seller.name) },
  { title: "Through", cell: ({ through }) => formatDate(through) },
  { title: "Amount", isNumber: true, cell: ({ body }) => sumsInWords(body.sums) },
  { title: "State", onPhone: "corner", cell: ({ state }) => <StatementBadge state={state} /> },
]
