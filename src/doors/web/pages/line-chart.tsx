import type { DayTotal } from "../../../domain/delivery/daily-totals.ts"
import { courseOf, type LineCourse } from "../../../domain/delivery/line-course.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import type { ShownLine } from "../../../storage/port/store.ts"
import { Card } from "../parts/card.tsx"
import { Legend } from "../parts/charts/legend.tsx"
import { formatChange, TotalChart } from "../parts/charts/total-chart.tsx"
import { formatDate, formatNumber } from "../parts/format.tsx"
import { BareTable, type Column } from "../parts/table/table.tsx"
import type { Visit } from "../visit.ts"
import { csv } from "../write-csv.ts"
import type { LineVisit } from "./with-line.ts"

const CHART_POINTS_MAX = 160

/** Made of every report while a chart has room for them, and else of the last total of each day. */
export async function courseOfLine(
  { context: { store } }: Visit,
  line: ShownLine,
  most: number = CHART_POINTS_MAX,
): Promise<LineCourse> {
  const { lineId } = line
  const reports = (await store.deliveryHistory.points([lineId], most + 1)).get(lineId) ?? []
  const totals = reports.length > most ? (await store.deliveryHistory.days([lineId])).get(lineId) : reports
  return courseOf(line, totals ?? [], line.seller.timeZone, most)
}

type LineChartProps = Readonly<{ place: LineVisit; course: LineCourse }>

/** The total over the flight, each day, the plan and the forecast, as a chart and as a table of the same points. */
export function LineChart({ place: { line, href, visit }, course }: LineChartProps) {
  const { series, forecast } = course
  if (series.length === 0) return null
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
            caption="Totals of each day"
            columns={columnsFor(hasPlan)}
            rows={course.days.toReversed()}
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

function columnsFor(hasPlan: boolean): Column<DayTotal>[] {
  return [
    { title: "Day", cell: ({ day }) => formatDate(day) },
    { title: "Total", cell: ({ total }) => formatNumber(total), numeric: true },
    { title: "That day", cell: ({ added, covers }) => addedText(added, covers), numeric: true },
    ...(hasPlan
      ? [
          {
            title: "Plan",
            cell: ({ expected }: DayTotal) => (expected === null ? "–" : formatNumber(expected)),
            numeric: true,
          },
        ]
      : []),
  ]
}

const addedText = (added: number, covers: number) =>
  covers === 1 ? formatChange(added) : `${formatChange(added)} in ${covers} days`

/** The days of the chart as CSV. */
export async function totalsCsv(place: LineVisit): Promise<Response> {
  const { line, visit } = place
  const rows = (await courseOfLine(visit, line)).days.map(({ day, asOf, total, expected, added }) => [
    line.packageId,
    day,
    formatMoment(asOf),
    total,
    expected,
    added,
  ])
  return csv(`${line.packageId}-totals.csv`, ["package_id", "day", "as_of", "delivered", "expected", "added"], rows)
}
