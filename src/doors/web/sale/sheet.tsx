import type { ComponentChildren } from "preact"
import { PRICING_BASES } from "../../../domain/campaign/pricing-basis.ts"
import { minus } from "../../../domain/sale/money.ts"
import {
  ADDED_KINDS,
  type StatedLine,
  type StatementBody,
  type StatementState,
  totalsOf,
} from "../../../domain/sale/statement.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { dayInWords, dayOf, timeInWords } from "../../../domain/time/time-zone.ts"
import type { Statement } from "../../../storage/port/store.ts"
import { CsvLink, Facts, Letterhead, type Look, PrintButton } from "../parts/blocks.tsx"
import { formatFlight, formatMoney, formatNumber, formatPercent } from "../parts/format.tsx"
import { BareTable, type Column } from "../parts/table.tsx"
import { money } from "../parts/terms.tsx"
import { page } from "../respond.ts"
import type { Visit } from "../visit.ts"
import { type CsvValue, csv } from "../write-csv.ts"

// What a statement says, on paper, in a file and to whoever may see it.

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
  return `Delivered ${formatNumber(delivered)} of ${formatNumber(booked)} (${formatPercent(delivered / booked)})`
}

const quantity = (line: StatedLine, value: number | null) =>
  line.basis === "flat_rate" || value === null ? "–" : formatNumber(value)

/** The columns of lines: on the draft with what can be chosen below each name, on paper with words. */
export function lineColumns(below: (line: StatedLine) => ComponentChildren): Column<StatedLine>[] {
  return [
    { title: "Line", cell: ({ name }) => <b>{name}</b>, note: below },
    { title: "Booked", numeric: true, cell: (line) => quantity(line, line.booked) },
    { title: "Delivered", numeric: true, cell: (line) => quantity(line, line.delivered) },
    { title: "Counts", numeric: true, cell: (line) => <b>{quantity(line, line.counts)}</b> },
    { title: "Rate", numeric: true, cell: ({ rate, currency }) => (rate === null ? "–" : formatMoney(rate, currency)) },
    {
      title: "Amount",
      numeric: true,
      cell: ({ rate, amount, currency }) => (rate === null ? "–" : money(amount, currency)),
    },
  ]
}

interface OtherRow {
  readonly text: string
  readonly note: string
  readonly amount: ComponentChildren
}

/** A sheet is one table: lines, what was added by hand, what an earlier statement came to, and a total of each currency. */
function otherRows(body: StatementBody): OtherRow[] {
  const { added, corrected } = body
  return [
    ...added.map(({ what, text, amount, currency }) => ({
      text: text === "" || what !== "other" ? ADDED_KINDS[what] : text,
      note: what === "other" ? "" : text,
      amount: money(amount, currency),
    })),
    ...(corrected?.sums ?? []).map(({ currency, amount }) => ({
      text: `Less statement ${corrected?.number}`,
      note: "Stated before",
      amount: money(minus("0", amount, currency), currency),
    })),
    ...totalsOf(body).map(({ currency, amount }) => ({
      text: "Total",
      note: currency,
      amount: <span class="figure mid">{money(amount, currency)}</span>,
    })),
  ]
}

const asLines = (text: string) => <span class="lines">{text}</span>

type SheetProps = Readonly<{ statement: Statement; logo: string | null }>

/** Only this prints, on one page. */
export function StatementSheet({ statement, logo }: SheetProps) {
  const { body, number, frozenAt, state } = statement
  if (body === null) return null
  const { zone, period, asOf, reference } = body
  const made = frozenAt === null ? "" : dayInWords(dayOf(frozenAt, zone))
  const columns: Column<OtherRow>[] = [
    { title: "Besides", cell: ({ text }) => <b>{text}</b>, note: ({ note }) => note || undefined },
    { title: "Amount", numeric: true, cell: ({ amount }) => amount },
  ]
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
          { term: "Figures as of", value: asOf === null ? "–" : timeInWords(asOf, zone), note: zone },
        ]}
      />
      <BareTable
        caption="What was delivered and what it comes to"
        columns={lineColumns((line) => `${PRICING_BASES[line.basis].label}. ${deliveredText(line)}`)}
        rows={body.lines}
        rowKey={({ packageId }) => packageId}
      />
      <BareTable
        caption="Besides, and in all"
        columns={columns}
        rows={otherRows(body)}
        rowKey={({ text, note }) => text + note}
      />
      <p class="hint">
        What counts is what was delivered, at most what was booked
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
          <CsvLink href="?csv" label="CSV" />
          <PrintButton />
        </div>
        <StatementSheet statement={statement} logo={logo} />
      </article>
    ),
  })
}

const HEADER = "number,kind,text,package_id,basis,booked,delivered,counts,rate,amount,currency,as_of".split(",")

/** The same as a file, one row for each line and one for each total. */
export function statementCsv({ number, body }: Statement): Response {
  if (body === null) throw new Error("a draft has no file")
  const asOf = body.asOf === null ? null : formatMoment(body.asOf)
  const blank = (kind: string, text: string, amount: string, currency: string): CsvValue[] => [
    ...[number, kind, text, null, null, null, null, null, null, amount, currency, asOf],
  ]
  const rows: CsvValue[][] = [
    ...body.lines.map((line): CsvValue[] => [
      ...[number, "line", line.name, line.packageId, line.basis, line.booked, line.delivered, line.counts, line.rate],
      ...[line.amount, line.currency, asOf],
    ]),
    ...body.added.map(({ what, text, amount, currency }) => blank(what, text, amount, currency)),
    ...(body.corrected?.sums ?? []).map(({ amount, currency }) =>
      blank("corrected", body.corrected?.number ?? "", minus("0", amount, currency), currency),
    ),
    ...totalsOf(body).map(({ amount, currency }) => blank("total", "", amount, currency)),
  ]
  return csv(`statement-${number}.csv`, HEADER, rows)
}
