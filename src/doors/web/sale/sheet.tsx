import type { ComponentChildren } from "preact"
import { COUNTED_BASES, PRICING_BASES } from "../../../domain/campaign/pricing-basis.ts"
import type { StatedLine, StatementBody, StatementState, Sum } from "../../../domain/sale/statement.ts"
import { ADDED_KINDS, measuredDays, statedBefore, totalsOf } from "../../../domain/sale/statement.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { dayInWords, dayOf, timeInWords } from "../../../domain/time/time-zone.ts"
import type { Statement } from "../../../storage/port/store.ts"
import { ButtonLink, Card, CsvAndPrint, Facts, Letterhead, type Look, LookBadge } from "../parts/blocks.tsx"
import {
  ALL_YEARS,
  dotted,
  formatDate,
  formatFlight,
  formatMoney,
  formatNumber,
  formatPercent,
} from "../parts/format.tsx"
import { BareTable, type Column } from "../parts/table.tsx"
import { money, SumLines } from "../parts/terms.tsx"
import { page } from "../respond.tsx"
import type { Visit } from "../visit.ts"
import { csv } from "../write-csv.ts"

// What a statement says, on paper, and in a file.

export const STATEMENT_LOOKS: Readonly<Record<StatementState, Look>> = {
  draft: ["off", "ring", "Draft"],
  frozen: ["good", "done", "Frozen"],
  paid: ["good", "done", "Paid"],
  cancelled: ["off", "dash", "Cancelled"],
}

/** "Delivered 34,000 of 40,000 (85%)". */
export function deliveredText({ basis, delivered, booked }: StatedLine): string {
  if (basis === "flat_rate") return delivered > 0 ? "Delivered" : "Not delivered"
  if (booked === null || booked === 0) return `Delivered ${formatNumber(delivered)}`
  // What falls short is never all of it.
  const share = delivered < booked ? Math.min(0.99, delivered / booked) : delivered / booked
  return `Delivered ${formatNumber(delivered)} of ${formatNumber(booked)} (${formatPercent(share)})`
}

/** A sheet is one table: lines, what was added by hand, what an earlier statement came to, and a total of each currency. */
type SheetRow = Sum & Readonly<{ kind: string; text: string; note: ComponentChildren; line?: StatedLine }>

export const lineRows = ({ lines }: Pick<StatementBody, "lines">, note: (line: StatedLine) => ComponentChildren) =>
  lines.map((line): SheetRow => {
    const { name: text, amount, currency } = line
    return { kind: "line", text, note: note(line), line, amount, currency }
  })

const rowsOf = (body: StatementBody): SheetRow[] => [
  ...lineRows(body, (line) =>
    dotted(`${PRICING_BASES[line.basis].label}. ${deliveredText(line)}`, ...dayText(body, line)),
  ),
  ...body.added.map(({ what, text, ...sum }) => ({ kind: what, text: ADDED_KINDS[what], note: text, ...sum })),
  ...statedBefore(body).map((sum) => ({
    kind: "corrected",
    text: `Less what was stated up to ${body.corrected?.number}`,
    note: "Stated before",
    ...sum,
  })),
  ...totalsOf(body).map((sum) => ({ kind: "total", text: "Total", note: sum.currency, ...sum })),
]

/** per 1,000, or per whatever the line is priced on. */
const rateUnit = ({ basis }: StatedLine) =>
  basis === "flat_rate" ? "for the whole flight" : `per ${formatNumber(COUNTED_BASES[basis].per)}`

const quantityOf = (of: "booked" | "delivered" | "counts") => (row: SheetRow) => {
  const value = row.line?.[of]
  return row.line && (row.line.basis === "flat_rate" || value == null ? "–" : formatNumber(value))
}

export const SHEET_COLUMNS: readonly Column<SheetRow>[] = [
  { title: "Line", cell: ({ text }) => <b>{text}</b>, note: ({ note }) => note || undefined },
  { title: "Booked", numeric: true, cell: quantityOf("booked") },
  { title: "Delivered", numeric: true, cell: quantityOf("delivered") },
  { title: "Billable", numeric: true, cell: quantityOf("counts") },
  {
    title: "Rate",
    numeric: true,
    cell: ({ line }) => line && (line.rate === null ? "–" : formatMoney(line.rate, line.currency)),
    note: ({ line }) => line && line.rate !== null && rateUnit(line),
  },
  {
    title: "Amount",
    numeric: true,
    cell: ({ kind, line, amount, currency }) =>
      line?.rate === null ? "–" : <span class={kind === "total" ? "figure mid" : ""}>{money(amount, currency)}</span>,
  },
]

/** 8 Nov 2026, 23:59 or, where lines were measured on several days, 6 Nov – 8 Nov 2026. */
export function measuredText(body: StatementBody): string {
  const days = measuredDays(body)
  if (days === null || body.asOf === null) return "–"
  return days.from === days.to ? timeInWords(body.asOf, body.zone) : formatFlight(days.from, days.to, ALL_YEARS)
}

/** On which day a line was measured, where that is not the same for all. */
function dayText(body: StatementBody, { asOf }: StatedLine): string[] {
  const days = measuredDays(body)
  if (asOf == null || days === null || days.from === days.to) return []
  return [`as of ${formatDate(dayOf(asOf, body.zone))}`]
}

const asLines = (text: string) => <span class="lines">{text}</span>

/** Only this prints, on one page. */
export function statementSheet({ body, number, frozenAt, state }: Statement, logo: string | null) {
  if (body === null) return null
  const { zone, period, reference } = body
  const made = frozenAt === null ? "" : dayInWords(dayOf(frozenAt, zone))
  return (
    <section class="card paper" aria-label={`Statement of delivery ${number}`}>
      <Letterhead logo={logo} name={body.from.split("\n")[0] ?? ""}>
        <p>
          <b>{state === "cancelled" ? "Cancelled statement of delivery" : "Statement of delivery"}</b>
          <small>
            No. {number} · {made}
          </small>
        </p>
      </Letterhead>
      <Facts
        facts={[
          { term: "From", value: asLines(body.from) },
          { term: "To", value: asLines(body.to) },
          {
            term: "Campaign",
            value: body.campaign,
            note: `${formatFlight(period.from, period.to, "-")}${reference === "" ? "" : ` · your reference ${reference}`}`,
          },
          { term: "Figures as of", value: measuredText(body), note: zone },
        ]}
      />
      <BareTable caption="What was delivered and what it comes to" columns={SHEET_COLUMNS} rows={rowsOf(body)} />
      <p class="hint">
        Billable is what was delivered, at most what was booked
        {body.lines.some(({ countsAll }) => countsAll) && " unless it was agreed otherwise"}. This is a statement of
        delivery, not an invoice; amounts are without tax.
      </p>
    </section>
  )
}

/** A page that is the sheet alone, for people without an account; with `?csv` its file. */
export function statementOutside(visit: Visit, statement: Statement, logo: string | null): Response {
  if (visit.url.searchParams.has("csv")) return statementCsv(statement)
  return page(visit, {
    title: `Statement ${statement.number}`,
    shape: "sheet",
    body: (
      <article class="stack">
        <h1 class="vh">Statement {statement.number}</h1>
        <div class="actions no-print">
          <CsvAndPrint href="?csv" />
        </div>
        {statementSheet(statement, logo)}
      </article>
    ),
  })
}

const HEADER = "number,kind,text,package_id,basis,booked,delivered,billable,rate,amount,currency,as_of".split(",")

/** The same as a file, one row for each line and one for each total. */
export function statementCsv({ number, body }: Statement): Response {
  if (body === null) throw new Error("a draft has no file")
  const rows = rowsOf(body).map(({ kind, text, note, line, amount, currency }) => {
    const { packageId = null, basis = null, booked = null, delivered = null, counts = null, rate = null } = line ?? {}
    const measured = line?.asOf === undefined ? body.asOf : line.asOf
    const asOf = measured === null ? null : formatMoment(measured)
    const said = Object.hasOwn(ADDED_KINDS, kind) ? String(note) : text
    return [number, kind, said, packageId, basis, booked, delivered, counts, rate, amount, currency, asOf]
  })
  return csv(`statement-${number}.csv`, HEADER, rows)
}

/** Statements of a campaign below its lines, with their addresses below `base`. */
export function statementsCard(statements: readonly Statement[], base: string, maySettle: boolean) {
  if (statements.length === 0 && !maySettle) return null
  const columns: Column<Statement>[] = [
    { title: "Number", value: ({ number }) => number ?? "Not frozen", href: ({ id }) => `${base}/${id}` },
    { title: "State", narrow: "corner", cell: ({ state }) => <LookBadge look={STATEMENT_LOOKS[state]} /> },
    {
      title: "Made",
      cell: ({ frozenAt, body }) => (frozenAt === null || body === null ? "–" : formatDate(dayOf(frozenAt, body.zone))),
    },
    { title: "Total", numeric: true, cell: ({ body }) => body && <SumLines sums={totalsOf(body)} /> },
  ]
  const settle = maySettle && (
    <ButtonLink small href={`${base}/new`} label={statements.length === 0 ? "Settle" : "New statement"} />
  )
  return (
    <Card flush title="Statements" actions={settle}>
      {statements.length === 0 ? (
        <p class="card-foot">What was delivered and what it comes to, frozen for the buyer.</p>
      ) : (
        <BareTable caption="Statements of this campaign" columns={columns} rows={statements} />
      )}
    </Card>
  )
}
