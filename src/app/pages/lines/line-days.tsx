import type { Forecast } from "../../../domain/campaign/forecast.ts"
import { plannedAt } from "../../../domain/campaign/line-state.ts"
import { type DayTotal, daysIn, type Stretch, stretchesOf } from "../../../domain/delivery/day.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { StoredLine } from "../../../storage/campaigns/lines.ts"
import { days } from "../../../storage/delivery/days.ts"
import { csvFile } from "../../csv.ts"
import { findLine } from "../../find.ts"
import { Card } from "../../parts/blocks.tsx"
import { addedInWords, daysInWords, LineChart } from "../../parts/charts/line-chart.tsx"
import { Legend } from "../../parts/charts/plot.tsx"
import { formatNumber, useClock } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import type { MemberVisit } from "../../visit.ts"

/** The totals of all days on which the line was measured. */
export async function daysOf(
  { context, now }: MemberVisit,
  { id, timeZone }: StoredLine,
): Promise<readonly DayTotal[]> {
  const byLine = await days(context.database.read, [id], "0001-01-01", dayOf(now, timeZone))
  return byLine.get(id) ?? []
}

interface DeliveryCardProps {
  readonly line: StoredLine
  readonly totals: readonly DayTotal[]
  readonly forecast: Forecast | null
  /** The address of the same days as CSV. */
  readonly file: string
}

/** The total over the flight as a chart, and the same days as a table. */
export function DeliveryCard({ line, totals, forecast, file }: DeliveryCardProps) {
  const { now } = useClock()
  if (line.pricingBasis === "flat_rate") return null
  const stretches = stretchesOf(line.flightStart, totals)
  const hasPlan = plannedAt(line, now) !== null
  const marks = [
    { label: "Total", mark: "total" } as const,
    ...(hasPlan ? [{ label: "Even pace", mark: "plan" } as const] : []),
    ...(forecast === null ? [] : [{ label: "Forecast", mark: "forecast" } as const]),
    { label: "Per day", mark: "b1" } as const,
  ]
  return (
    <Card title="Delivery over the flight" actions={<Legend entries={marks} />}>
      <LineChart line={line} totals={totals} forecast={forecast} now={now} />
      <details class="no-print">
        <summary class="hint">Show as a table</summary>
        <div class="stack tight">
          <Table caption="Totals of each day" columns={dayColumns(line)} rows={stretches.toReversed()} isDense />
          <p>
            <a href={file} download>
              Download these days as CSV
            </a>
          </p>
        </div>
      </details>
    </Card>
  )
}

/** The days of a line as CSV. */
export async function daysFile(visit: MemberVisit): Promise<Response> {
  const { line } = await findLine(visit)
  const stretches = stretchesOf(line.flightStart, await daysOf(visit, line))
  return csvFile(`${line.packageId}-days`, dayColumns(line), stretches)
}

function dayColumns(line: StoredLine): Column<Stretch>[] {
  const plan = ({ asOf }: Stretch) => {
    const planned = plannedAt(line, asOf)
    return planned === null ? null : Math.round(planned)
  }
  return [
    { title: "Line ID", csv: () => line.packageId },
    { title: "Day", cell: daysInWords, csv: ({ to }) => to },
    { title: "Measured", csv: ({ asOf }) => formatMoment(asOf) },
    { title: "Total", isNumber: true, cell: ({ quantity }) => formatNumber(quantity), csv: ({ quantity }) => quantity },
    { title: "Added", isNumber: true, cell: addedInWords, csv: ({ added }) => added },
    // Days that weren't measured one by one are one row, which says how many they are.
    { title: "Added since", csv: ({ from }) => from },
    { title: "Days", csv: daysIn },
    {
      title: "Plan",
      isNumber: true,
      cell: (stretch) => {
        const planned = plan(stretch)
        return planned === null ? "–" : formatNumber(planned)
      },
      csv: plan,
    },
  ]
}
