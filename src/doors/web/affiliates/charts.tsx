import type { DayFigures } from "../../../storage/port/store.ts"
import { CsvLink } from "../parts/button-link.tsx"
import { DayBars } from "../parts/charts/day-bars.tsx"
import { formatMoney, formatNumber } from "../parts/format.tsx"
import { Table } from "../parts/table/table.tsx"
import { asNumber, asUnits } from "./amounts.ts"
import { type Currency, dayColumns } from "./columns.tsx"

type Props = Readonly<{
  days: readonly DayFigures[]
  currency: Currency
  /** The address of the same figures as a file. */
  csv?: string
}>

/** Daily figures: charts of clicks, conversions and value, and a table of all of it. */
export function DayCharts({ days, currency, csv }: Props) {
  const hasValue = currency !== "several" && days.some(({ valueMicros }) => valueMicros !== null)
  const dated = (value: (day: DayFigures) => number | null) =>
    days.map((day) => ({ date: day.date, values: [value(day)] }))
  return (
    <section class="card" aria-label="Day by day">
      {csv === undefined ? (
        <h2 class="vh">Day by day</h2>
      ) : (
        <div class="card-head">
          <h2>Day by day</h2>
          <CsvLink href={csv} />
        </div>
      )}
      <div class="cols">
        <DayBars
          title="Clicks per day"
          series={[{ label: "Clicks", tone: "b1" }]}
          days={dated(({ clicks }) => asNumber(clicks))}
          format={formatNumber}
        />
        <DayBars
          title="Conversions per day"
          series={[{ label: "Conversions", tone: "b4" }]}
          days={dated(({ conversions }) => asNumber(conversions))}
          format={formatNumber}
        />
        {hasValue && (
          <DayBars
            title={`Conversion value per day${currency === null ? "" : ` in ${currency}`}`}
            series={[{ label: "Value", tone: "b2" }]}
            days={dated(({ valueMicros }) => asUnits(valueMicros))}
            format={(value) => formatMoney(value, currency)}
            currency={currency}
          />
        )}
      </div>
      <details>
        <summary>Show as a table</summary>
        <Table
          caption="Figures day by day"
          columns={dayColumns(currency)}
          rows={days.toReversed()}
          rowKey={({ date }) => date}
        />
      </details>
    </section>
  )
}
