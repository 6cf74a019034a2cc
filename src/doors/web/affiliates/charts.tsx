import type { DayFigures } from "../../../storage/port/store.ts"
import { Chart } from "../parts/chart.tsx"
import { Table } from "../parts/table.tsx"
import { asNumber, asUnits } from "./amounts.ts"
import { type Currency, dayColumns } from "./columns.tsx"

type Props = Readonly<{ days: readonly DayFigures[]; currency: Currency }>

/** Daily figures: charts of clicks, conversions and value, and a table of all of it. */
export function DayCharts({ days, currency }: Props) {
  const times = days.map(({ date }) => Date.parse(date) / 1_000)
  const hasValue = currency !== "several" && days.some(({ valueMicros }) => valueMicros !== null)
  return (
    <section class="card" aria-label="Day by day">
      <div class="columns">
        <Chart
          caption="Clicks and conversions per day"
          zone="UTC"
          daily
          series={[
            { label: "Clicks", tone: "delivered" },
            { label: "Conversions", tone: "second" },
          ]}
          data={[
            times,
            days.map(({ clicks }) => asNumber(clicks)),
            days.map(({ conversions }) => asNumber(conversions)),
          ]}
        />
        {hasValue && (
          <Chart
            caption={`Conversion value per day${currency === null ? "" : ` in ${currency}`}`}
            zone="UTC"
            daily
            series={[{ label: "Value", tone: "third" }]}
            data={[times, days.map(({ valueMicros }) => asUnits(valueMicros))]}
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
