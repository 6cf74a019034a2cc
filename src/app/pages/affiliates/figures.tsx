import type { Figures } from "../../../domain/affiliate/figures.ts"
import { formatMicros } from "../../../domain/affiliate/micros.ts"
import type { CalendarDate } from "../../../domain/time/moment.ts"
import { DayBars } from "../../parts/charts/day-bars.tsx"
import { formatNumber } from "../../parts/format.tsx"
import type { Column } from "../../parts/table.tsx"

const NOTHING = "–"

export const countInWords = (count: bigint | null): string => (count === null ? NOTHING : formatNumber(count))

const RATE = new Intl.NumberFormat("en", {
  style: "percent",
  maximumFractionDigits: 1,
  // A small rate must not be rounded to 0%.
  maximumSignificantDigits: 1,
  roundingPriority: "morePrecision",
})

/** How many clicks became conversions: "2.4%". */
export function rateInWords({ clicks, conversions }: Figures): string {
  if (clicks === null || conversions === null || clicks === 0n) return NOTHING
  return RATE.format(Number(conversions) / Number(clicks))
}

/** An exact amount. Without a currency it's a plain number. */
export function valueInWords({ valueMicros }: Figures, currency: string | null): string {
  if (valueMicros === null) return NOTHING
  const style = currency === null ? { minimumFractionDigits: 2 } : ({ style: "currency", currency } as const)
  const format = new Intl.NumberFormat("en", { maximumFractionDigits: 6, ...style })
  return format.format(formatMicros(valueMicros) as `${number}`)
}

export const decimalOf = ({ valueMicros }: Figures): string | null =>
  valueMicros === null ? null : formatMicros(valueMicros)

/** The columns that every list of figures has. */
export const figureColumns = <Row extends Figures>(currencyOf: (row: Row) => string | null): Column<Row>[] => [
  {
    title: "Clicks",
    isNumber: true,
    cell: ({ clicks }) => countInWords(clicks),
    sort: ({ clicks }) => (clicks === null ? null : Number(clicks)),
    csv: ({ clicks }) => clicks?.toString() ?? null,
  },
  {
    title: "Conversions",
    isNumber: true,
    cell: ({ conversions }) => countInWords(conversions),
    sort: ({ conversions }) => (conversions === null ? null : Number(conversions)),
    csv: ({ conversions }) => conversions?.toString() ?? null,
  },
  { title: "Rate", isNumber: true, cell: rateInWords },
  {
    title: "Value",
    isNumber: true,
    cell: (row) => valueInWords(row, currencyOf(row)),
    sort: ({ valueMicros }) => (valueMicros === null ? null : Number(valueMicros)),
    csv: decimalOf,
  },
]

interface ClicksProps {
  readonly days: readonly (Figures & { readonly date: CalendarDate })[]
  /** Whether they are all of a card. */
  readonly isAlone?: boolean
}

export const ClicksPerDay = ({ days, isAlone = false }: ClicksProps) => (
  <DayBars
    title="Clicks per day"
    isAlone={isAlone}
    series={[{ label: "Clicks", tone: "b1" }]}
    days={days.map(({ date, clicks }) => ({ date, values: [clicks === null ? null : Number(clicks)] }))}
    format={formatNumber}
  />
)
