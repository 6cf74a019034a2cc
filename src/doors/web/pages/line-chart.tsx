import type { DeliveryTotal } from "../../../domain/delivery.ts"
import { expectedAt, thinned } from "../../../domain/pacing.ts"
import { endOfDay, startOfDay } from "../../../domain/time-zone.ts"
import { Chart } from "../parts/chart.tsx"
import { inNumbers, Time } from "../parts/format.tsx"
import { Sketch } from "../parts/sketch.tsx"
import { Table } from "../parts/table.tsx"
import type { LinePlace } from "./line-place.ts"

const REPORTS_READ_MAX = 2_000
const CHART_POINTS_MAX = 160
const TABLE_POINTS_MAX = 14

export async function pointsOf({ visit, line }: LinePlace): Promise<readonly DeliveryTotal[]> {
  const points = await visit.context.store.deliveryHistory.points([line.lineId], REPORTS_READ_MAX)
  return points.get(line.lineId) ?? []
}

interface LineChartProps {
  readonly place: Pick<LinePlace, "line">
  readonly points: readonly DeliveryTotal[]
}

/** The total over the flight with the plan beside it, as a chart and as a table. */
export function LineChart({ place: { line }, points }: LineChartProps) {
  if (points.length === 0 || line.pricingBasis === "flat_rate") return null
  const zone = line.seller.timeZone
  const hasPlan = line.booked !== null && line.flightEnd !== null
  return (
    <section class="card" aria-label="Delivery over the flight">
      <Chart
        caption={hasPlan ? "Total over the flight, and the even pace to what is booked" : "Total over the flight"}
        zone={zone}
        series={[
          { label: "Delivered", tone: "delivered" },
          ...(hasPlan ? [{ label: "Expected", tone: "expected", dashed: true } as const] : []),
        ]}
        data={dataOf(line, points, hasPlan)}
      >
        <Sketch line={line} points={thinned(points, CHART_POINTS_MAX)} />
      </Chart>
      <details>
        <summary>The same as a table</summary>
        <Table
          caption="Delivered and expected totals over the flight"
          columns={[
            { title: "Measured", cell: ({ asOf }) => <Time at={asOf} zone={zone} /> },
            { title: "Delivered", cell: ({ quantity }) => inNumbers(quantity), numeric: true },
            { title: "Expected", cell: ({ asOf }) => expectedInWords(line, asOf), numeric: true },
          ]}
          rows={thinned(points, TABLE_POINTS_MAX)}
          rowKey={({ asOf, quantity }) => `${asOf}_${quantity}`}
        />
      </details>
    </section>
  )
}

function expectedInWords(line: LinePlace["line"], at: number): string {
  const expected = expectedAt(line, at, line.seller.timeZone)
  return expected === null ? "no plan" : inNumbers(Math.round(expected))
}

/** Times in seconds, then the totals, then the plan: all on one axis, as the chart wants it. */
function dataOf(line: LinePlace["line"], points: readonly DeliveryTotal[], hasPlan: boolean) {
  const zone = line.seller.timeZone
  const start = startOfDay(line.flightStart, zone)
  const end = line.flightEnd === null ? null : endOfDay(line.flightEnd, zone)
  const shown = new Map(thinned(points, CHART_POINTS_MAX).map(({ asOf, quantity }) => [asOf, quantity]))
  const ends = [start, ...(hasPlan && end !== null ? [end] : [])]
  const times = [...new Set([...ends, ...shown.keys()])].sort((one, other) => one - other)
  const delivered = times.map((at) => shown.get(at) ?? (at === start ? 0 : null))
  const expected = times.map((at) => Math.round(expectedAt(line, at, zone) ?? 0))
  return [times.map((at) => Math.round(at / 1_000_000)), delivered, ...(hasPlan ? [expected] : [])]
}
