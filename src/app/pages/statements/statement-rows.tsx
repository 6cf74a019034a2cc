import { amountOf } from "../../../domain/money.ts"
import type { AddedRow, StatementRow } from "../../../domain/sale/statement.ts"
import { dayOf, type TimeZone } from "../../../domain/time/time-zone.ts"
import { formatDate, formatMoney, formatNumber } from "../../parts/format.tsx"
import { priceInWords } from "../../parts/line.tsx"
import type { Column } from "../../parts/table.tsx"

/** A row of a statement. One that was added by hand has no line. */
interface PaperRow extends Pick<StatementRow, "campaign" | "booked" | "value" | "earlier" | "coins" | "currency"> {
  readonly name: string
  readonly delivered: StatementRow["delivered"]
  readonly line: StatementRow | null
}

/** Every row that adds to the sum: lines first, then what was added by hand. */
export const paperRows = (rows: readonly StatementRow[], added: readonly AddedRow[]): readonly PaperRow[] => [
  ...rows.map((row) => ({ ...row, line: row })),
  ...added.map(({ text, currency, coins }) => ({
    ...{ name: text, campaign: "", booked: null, delivered: null, line: null },
    ...{ value: coins, earlier: 0, coins, currency },
  })),
]

/** The rows of a statement through a day, as they are printed and in its file. */
export const paperColumns = (through: string, timeZone: TimeZone): readonly Column<PaperRow>[] => [
  {
    title: "Line",
    cell: ({ name, line }) => (
      <>
        <b>{name}</b>
        {line !== null && <small>{detailsOf(line, through, timeZone)}</small>}
      </>
    ),
    csv: ({ name }) => name,
  },
  { title: "Campaign", onPhone: "hidden", cell: ({ campaign }) => campaign, csv: ({ campaign }) => campaign },
  {
    title: "Booked",
    isNumber: true,
    cell: ({ booked }) => (booked === null ? "–" : formatNumber(booked)),
    csv: ({ booked }) => booked,
  },
  {
    title: "Delivered",
    isNumber: true,
    cell: ({ delivered }) => (delivered === null ? "–" : formatNumber(delivered.quantity)),
    csv: ({ delivered }) => delivered?.quantity ?? null,
  },
  money("Value", ({ value }) => value),
  money("Earlier statements", ({ earlier }) => -earlier),
  money("Amount", ({ coins }) => coins),
  { title: "Currency", csv: ({ currency }) => currency },
]

const money = (title: string, coinsOf: (row: PaperRow) => number): Column<PaperRow> => ({
  title,
  isNumber: true,
  cell: (row) => (coinsOf(row) === 0 ? "–" : formatMoney(coinsOf(row), row.currency)),
  csv: (row) => amountOf(coinsOf(row), row.currency),
})

/** "€16.00 per 1,000 impressions, last measured 28 Oct" */
function detailsOf(row: StatementRow, through: string, timeZone: TimeZone) {
  const { rate, currency, delivered } = row
  if (rate === null) return `no longer priced in ${currency}`
  const price = priceInWords(row)
  if (delivered === null) return `${price}, nothing measured`
  const measured = dayOf(delivered.asOf, timeZone)
  return measured < through ? `${price}, last measured ${formatDate(measured)}` : price
}
