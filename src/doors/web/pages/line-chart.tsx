import { type DayTotal, dailyTotals } from "../../../domain/delivery/daily-totals.ts"
import { type Forecast, forecastOf } from "../../../domain/delivery/forecast.ts"
import { type SeriesPoint, seriesOf } from "../../../domain/delivery/total-series.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { Card } from "../parts/card.tsx"
import { Legend } from "../parts/charts/legend.tsx"
import { formatNumber, Time } from "../parts/format.tsx"
import { BareTable, type Column } from "../parts/table/table.tsx"
import { csv } from "../write-csv.ts"
import { TotalChart } from "./total-chart.tsx"
import type { LineVisit } from "./with-line.ts"

const REPORTS_READ_MAX = 2_000
const CHART_POINTS_MAX = 160

/** A line's delivery over time, by moment and by day. */
export interface LineCourse {
  readonly series: readonly SeriesPoint[]
  readonly days: readonly DayTotal[]
  readonly forecast: Forecast | null
}

/** The line's delivery over time; empty where there is nothing to draw. */
export async function courseOf({ visit, line }: Pick<LineVisit, "visit" | "line">): Promise<LineCourse> {
  const zone = line.seller.timeZone
  const reports = await visit.context.store.deliveryHistory.points([line.lineId], REPORTS_READ_MAX)
  const found = reports.get(line.lineId) ?? []
  if (line.pricingBasis === "flat_rate" || found.length === 0) return { series: [], days: [], forecast: null }
  const series = seriesOf(line, found, zone, CHART_POINTS_MAX)
  const days = dailyTotals(series)
  return { series, days, forecast: forecastOf(line, days, zone) }
}

type LineChartProps = Readonly<{ place: LineVisit; course: LineCourse }>

/** The total over the flight, each day, the plan and the forecast, as a chart and as a table of the same points. */
export function LineChart({ place: { line, href, visit }, course }: LineChartProps) {
  const { series, forecast } = course
  if (series.length === 0) return null
  const zone = line.seller.timeZone
  const hasPlan = series.some(({ expected }) => expected !== null)
  return (
    <Card
      title="Delivery over the flight"
      actions={
        <Legend
          entries={[
            { label: "Total", mark: "total" },
            ...(hasPlan ? [{ label: "Even pace", mark: "plan" } as const] : []),
            ...(forecast === null ? [] : [{ label: "Forecast", mark: "forecast" } as const]),
            { label: "Each day", mark: "b1" },
          ]}
        />
      }
    >
      <TotalChart line={line} course={course} now={visit.now} />
      <details class="no-print">
        <summary class="small soft">Show as a table</summary>
        <div class="stack tight">
          <BareTable
            caption="Delivered and expected totals over the flight"
            columns={[
              { title: "Measured", cell: ({ asOf }) => <Time at={asOf} zone={zone} /> },
              { title: "Delivered", cell: ({ quantity }) => numberOrDash(quantity), numeric: true },
              ...(hasPlan ? [EXPECTED_COLUMN] : []),
            ]}
            rows={series}
            rowKey={({ asOf }) => asOf}
            dense
          />
          <p>
            <a href={`${href}/totals.csv`}>Download these totals as CSV</a>
          </p>
        </div>
      </details>
    </Card>
  )
}

const EXPECTED_COLUMN: Column<SeriesPoint> = {
  title: "Expected",
  cell: ({ expected }) => numberOrDash(expected),
  numeric: true,
}

function numberOrDash(value: number | null): string {
  return value === null ? "–" : formatNumber(value)
}

/** The points of the chart as CSV. */
export async function totalsCsv(place: LineVisit): Promise<Response> {
  const { line } = place
  const rows = (await courseOf(place)).series.map(({ day, asOf, quantity, expected }) => [
    line.packageId,
    day,
    formatMoment(asOf),
    quantity,
    expected,
  ])
  return csv(`${line.packageId}-totals.csv`, ["package_id", "day", "as_of", "delivered", "expected"], rows)
}
