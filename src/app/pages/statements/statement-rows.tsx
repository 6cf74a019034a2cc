import { amountOf } from "../../../domain/money.ts"
import type { AddedRow, StatementRow } from "../../../domain/sale/statement.ts"
import { dayOf, type TimeZone } from "../../../domain/time/time-zone.ts"
import { formatDate, formatMoney, formatNumber, formatPrice } from "../../parts/format.tsx"
import type { Column } from "../../parts/table.tsx"

/** The rows of a statement: lines first, then what was added by hand. */
export const rowColumns = (through: string, timeZone: TimeZone): readonly Column<StatementRow>[] => [
  {
    title: "Line",
    cell: (row) => (
      <>
        <b>{row.name}</b>
        <small>{detailsOf(row, through, timeZone)}</small>
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

const money = (title: string, coinsOf: (row: StatementRow) => number): Column<StatementRow> => ({
  title,
  isNumber: true,
  cell: (row) => (coinsOf(row) === 0 ? "–" : formatMoney(coinsOf(row), row.currency)),
  csv: (row) => amountOf(coinsOf(row), row.currency),
})

/** "€16.00 per 1,000 impressions, last measured 28 Oct" */
function detailsOf({ pricingBasis, rate, currency, delivered }: StatementRow, through: string, timeZone: TimeZone) {
  const unit = pricingBasis === "flat_rate" ? "flat rate" : `per 1,000 ${pricingBasis}`
  const price = rate === null ? "no price" : `${formatPrice(rate, currency)} ${unit}`
  if (delivered === null) return `${price}, nothing measured`
  const measured = dayOf(delivered.asOf, timeZone)
  return measured < through ? `${price}, last measured ${formatDate(measured)}` : price
}

export const addedColumns: readonly Column<AddedRow>[] = [
  { title: "Added by hand", cell: ({ text }) => text, csv: ({ text }) => text },
  {
    title: "Amount",
    isNumber: true,
    cell: ({ coins, currency }) => formatMoney(coins, currency),
    csv: ({ coins, currency }) => amountOf(coins, currency),
  },
]
