import { chartSeconds, type SeriesPoint, seriesOf } from "../../../domain/delivery/total-series.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { Chart } from "../parts/chart.tsx"
import { formatNumber, Time } from "../parts/format.tsx"
import { Sparkline } from "../parts/sparkline.tsx"
import { type Column, Table } from "../parts/table.tsx"
import { csv } from "../write-csv.ts"
import type { LineVisit } from "./with-line.ts"

const REPORTS_READ_MAX = 2_000
const CHART_POINTS_MAX = 160

/** The line's delivery over time; empty where there is nothing to draw. */
export async function lineSeries({ visit, line }: LineVisit): Promise<readonly SeriesPoint[]> {
  if (line.pricingBasis === "flat_rate") return []
  const reports = await visit.context.store.deliveryHistory.points([line.lineId], REPORTS_READ_MAX)
  const found = reports.get(line.lineId) ?? []
  return found.length === 0 ? [] : seriesOf(line, found, line.seller.timeZone, CHART_POINTS_MAX)
}

type LineChartProps = Readonly<{ place: Pick<LineVisit, "line" | "href">; series: readonly SeriesPoint[] }>

/** The total over the flight and the plan, as a chart and as a table of the same points. */
export function LineChart({ place: { line, href }, series }: LineChartProps) {
  if (series.length === 0) return null
  const zone = line.seller.timeZone
  const hasPlan = series.some(({ expected }) => expected !== null)
  return (
    <section class="card" aria-label="Delivery over the flight">
      <Chart
        caption={hasPlan ? "Total over the flight, and the even pace to what is booked" : "Total over the flight"}
        zone={zone}
        series={[
          { label: "Delivered", tone: "delivered" },
          ...(hasPlan ? [{ label: "Expected", tone: "expected", dashed: true } as const] : []),
        ]}
        data={[
          series.map(({ asOf }) => chartSeconds(asOf)),
          series.map(({ quantity }) => quantity),
          ...(hasPlan ? [series.map(({ expected }) => expected)] : []),
        ]}
      >
        <Sparkline series={series} />
      </Chart>
      <details>
        <summary>Show as a table</summary>
        <div class="stack">
          <Table
            caption="Delivered and expected totals over the flight"
            columns={[
              { title: "Measured", cell: ({ asOf }) => <Time at={asOf} zone={zone} /> },
              { title: "Delivered", cell: ({ quantity }) => numberOrDash(quantity), numeric: true },
              ...(hasPlan ? [EXPECTED_COLUMN] : []),
            ]}
            rows={series}
            rowKey={({ asOf }) => asOf}
          />
          <p>
            <a href={`${href}/totals.csv`}>Download these totals as CSV</a>
          </p>
        </div>
      </details>
    </section>
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
  const rows = (await lineSeries(place)).map(({ day, asOf, quantity, expected }) => [
    line.packageId,
    day,
    formatMoment(asOf),
    quantity,
    expected,
  ])
  return csv(`${line.packageId}-totals.csv`, ["package_id", "day", "as_of", "delivered", "expected"], rows)
}
