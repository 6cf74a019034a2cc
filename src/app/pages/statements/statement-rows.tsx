import { amountOf } from "../../../domain/money.ts"
import type { AddedRow, StatementBody, StatementRow } from "../../../domain/sale/statement.ts"
import { dayOf, type TimeZone } from "../../../domain/time/time-zone.ts"
import { formatDate, formatMoney, formatNumber, formatPrice } from "../../parts/format.tsx"
import type { Column } from "../../parts/table.tsx"

/** The lines of a statement. */
export const rowColumns = (through: string, timeZone: TimeZone): readonly Column<StatementRow>[] => [
  {
    title: "Line",
    cell: (row) => (
      <>
        <b>{row.name}</b>
        <small>{detailsOf(row, through, timeZone)}</small>
      </>
    ),
  },
  ...AMOUNT_COLUMNS,
]

type Amounts = Pick<
  StatementRow,
  "name" | "campaign" | "booked" | "delivered" | "value" | "earlier" | "coins" | "currency"
>

const money = (title: string, coinsOf: (row: Amounts) => number): Column<Amounts> => ({
  title,
  isNumber: true,
  cell: (row) => (coinsOf(row) === 0 ? "–" : formatMoney(coinsOf(row), row.currency)),
  csv: (row) => amountOf(coinsOf(row), row.currency),
})

const AMOUNT_COLUMNS: readonly Column<Amounts>[] = [
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

/** The columns of the file. */
export const FILE_COLUMNS: readonly Column<Amounts>[] = [{ title: "Line", csv: ({ name }) => name }, ...AMOUNT_COLUMNS]

/** Every row that adds to the sum: lines first, then what was added by hand. */
export const fileRows = ({ rows, added }: StatementBody): readonly Amounts[] => [
  ...rows,
  ...added.map(({ text, currency, coins }) => ({
    ...{ name: text, campaign: "", booked: null, delivered: null },
    ...{ value: coins, earlier: 0, coins, currency },
  })),
]

/** "€16.00 per 1,000 impressions, last measured 28 Oct" */
function detailsOf({ pricingBasis, rate, currency, delivered }: StatementRow, through: string, timeZone: TimeZone) {
  if (rate === null) return `no longer priced in ${currency}`
  const unit = pricingBasis === "flat_rate" ? "flat rate" : `per 1,000 ${pricingBasis}`
  const price = `${formatPrice(rate, currency)} ${unit}`
  if (delivered === null) return `${price}, nothing measured`
  const measured = dayOf(delivered.asOf, timeZone)
  return measured < through ? `${price}, last measured ${formatDate(measured)}` : price
}

export const addedColumns: readonly Column<AddedRow>[] = [
  { title: "Added by hand", cell: ({ text }) => text },
  {
    title: "Amount",
    isNumber: true,
    cell: ({ coins, currency }) => formatMoney(coins, currency),
  },
]
