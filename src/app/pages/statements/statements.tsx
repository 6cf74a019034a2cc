import { type BuyerMonth, isToBill, monthEnd } from "../../../actions/sale/statements.ts"
import { amountOf } from "../../../domain/money.ts"
import { lastDayOf, monthBefore, type Sum, sumsOf } from "../../../domain/sale/statement.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { onlyBuys } from "../../../storage/organizations.ts"
import { type Statement, statementsBy, statementsFor } from "../../../storage/sales.ts"
import { csvFile } from "../../list.ts"
import { page } from "../../page.tsx"
import { Badge, ButtonLink, Card, CsvLink, Empty } from "../../parts/blocks.tsx"
import { formatDate, formatShortDate, sumsInWords } from "../../parts/format.tsx"
import { type Column, Name, Table } from "../../parts/table.tsx"
import { homeOf, type MemberVisit } from "../../visit.ts"

export const statementsAddress = (visit: MemberVisit): string => `${homeOf(visit)}/statements`

export const statementAddress = (visit: MemberVisit, { id }: Pick<Statement, "id">): string =>
  `${statementsAddress(visit)}/${id}`

const MONTH = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" })
const monthInWords = (month: string): string => MONTH.format(new Date(`${month}-01`))

/** The month in the address. Before the last day of a month, people bill the one before. */
function monthOf({ url, now, timeZone }: MemberVisit): string {
  const asked = url.searchParams.get("month") ?? ""
  const today = dayOf(now, timeZone)
  const isPast = /^\d{4}-(0[1-9]|1[0-2])$/.test(asked) && asked <= today.slice(0, 7)
  return isPast ? asked : monthBefore(today.slice(0, 7))
}

/** The amounts of a month for each buyer, and all statements. A buyer sees the statements that it received. */
export async function statementsPage(visit: MemberVisit): Promise<Response> {
  const { context, organization } = visit
  const { read } = context.database
  if (await onlyBuys(read, organization.id)) return receivedPage(visit, await statementsFor(read, organization.id))
  const month = monthOf(visit)
  const rows = await monthRows(visit, month)
  const statements = await statementsBy(read, organization.id)
  const received = await statementsFor(read, organization.id)
  return page(visit, {
    title: "Statements",
    intro: "A statement says what a buyer owes for everything delivered through a day. It isn’t an invoice.",
    body: (
      <>
        <MonthChoice visit={visit} month={month} />
        <Card
          title={`Delivered through ${formatDate(throughOf(visit, month))}`}
          actions={rows.length > 0 && <CsvLink href={`${statementsAddress(visit)}.csv${visit.url.search}`} />}
          isFlush
        >
          {rows.length === 0 ? (
            <Empty title="Nothing to bill" text="No priced line delivered anything by then." />
          ) : (
            <Table
              caption="Buyers"
              columns={monthColumns(visit, month)}
              rows={rows}
              totals={{ Open: sumsInWords(openSums(rows)) }}
            />
          )}
        </Card>
        {isNarrowed(visit) && <a href={`${statementsAddress(visit)}?month=${month}`}>Show all buyers</a>}
        {statements.length > 0 && (
          <Card title="All statements" isFlush>
            <Table caption="Statements" columns={statementColumns(visit, true)} rows={statements} />
          </Card>
        )}
        {received.length > 0 && (
          <Card title="Received statements" isFlush>
            <Table caption="Received statements" columns={statementColumns(visit, false)} rows={received} />
          </Card>
        )}
      </>
    ),
  })
}

const receivedPage = (visit: MemberVisit, statements: readonly Statement[]): Response =>
  page(visit, {
    title: "Statements",
    body:
      statements.length === 0 ? (
        <Empty title="No statements yet" text="Statements from your sellers are listed here." />
      ) : (
        <Card label="Statements" isFlush>
          <Table caption="Statements" columns={statementColumns(visit, false)} rows={statements} />
        </Card>
      ),
  })

/** Whether the address asks only for the buyers to bill, as Today does. */
const isNarrowed = ({ url }: MemberVisit): boolean => url.searchParams.get("only") === "to-bill"

async function monthRows(visit: MemberVisit, month: string): Promise<BuyerMonth[]> {
  const rows = await monthEnd(visit.context.database.read, visit.organization.id, throughOf(visit, month))
  return isNarrowed(visit) ? rows.filter(isToBill) : rows
}

/** The amounts that each buyer owes for the month, as a file. */
export async function monthFile(visit: MemberVisit): Promise<Response> {
  const month = monthOf(visit)
  const rows = await monthRows(visit, month)
  const perCurrency = rows.flatMap((row) => currenciesOf(row).map((currency) => ({ ...row, currency })))
  return csvFile(`${visit.organization.slug}-${month}`, FILE_COLUMNS, perCurrency)
}

interface FileRow extends BuyerMonth {
  readonly currency: string
}

const currenciesOf = ({ delivered, open }: BuyerMonth): string[] =>
  sumsOf([...delivered, ...open]).map(({ currency }) => currency)

const amountIn = (sums: readonly Sum[], currency: string): string =>
  amountOf(sums.find((sum) => sum.currency === currency)?.coins ?? 0, currency)

const FILE_COLUMNS: readonly Column<FileRow>[] = [
  { title: "Buyer", csv: ({ buyer }) => buyer },
  { title: "Currency", csv: ({ currency }) => currency },
  { title: "Delivered", csv: ({ delivered, currency }) => amountIn(delivered, currency) },
  { title: "In statements", csv: ({ stated, currency }) => amountIn(stated, currency) },
  { title: "Open", csv: ({ open, currency }) => amountIn(open, currency) },
]

/** The last day of a month, or today while the month isn't over. */
function throughOf({ now, timeZone }: MemberVisit, month: string): string {
  const today = dayOf(now, timeZone)
  const isOver = lastDayOf(month) < today
  return isOver ? lastDayOf(month) : today
}

const openSums = (rows: readonly BuyerMonth[]): Sum[] => sumsOf(rows.flatMap(({ open }) => open))

const MONTHS_SHOWN = 12

function MonthChoice({ visit, month }: { readonly visit: MemberVisit; readonly month: string }) {
  const months = [dayOf(visit.now, visit.timeZone).slice(0, 7)]
  while (months.length < MONTHS_SHOWN) months.push(monthBefore(months.at(-1) ?? ""))
  return (
    <search class="filters no-print">
      <form action={statementsAddress(visit)}>
        <label class="with">
          Month
          <select name="month" data-apply>
            {[...new Set([...months, month])].map((each) => (
              <option value={each} selected={each === month}>
                {monthInWords(each)}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="button">
          Show
        </button>
      </form>
    </search>
  )
}

function monthColumns(visit: MemberVisit, month: string): readonly Column<BuyerMonth>[] {
  const through = throughOf(visit, month)
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
    {
      title: "Actions",
      onPhone: "actions",
      cell: (row) =>
        visit.role === "admin" &&
        row.open.length > 0 && (
          <ButtonLink href={draft(row)} label="Make statement" about={`Make statement: ${row.buyer}`} isSmall />
        ),
    },
  ]
}

const STATES = {
  frozen: { tone: "warn", label: "Not paid" },
  paid: { tone: "good", label: "Paid" },
  cancelled: { tone: "off", label: "Cancelled" },
} as const

export const StatementBadge = ({ state }: Pick<Statement, "state">) => (
  <Badge tone={STATES[state].tone} shape={state === "cancelled" ? "word" : "dot"}>
    {STATES[state].label}
  </Badge>
)

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
