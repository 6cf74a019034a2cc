import { eachDay, eachWeek, type Period, type ValueByDay, valueByDay } from "../../../domain/campaign/value-by-day.ts"
import { datesFrom } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { StoredLine } from "../../../storage/campaigns/lines.ts"
import { days, type LineDays } from "../../../storage/delivery/days.ts"
import { Card } from "../../parts/blocks.tsx"
import { ValueChart } from "../../parts/charts/value-chart.tsx"
import { lastTwoWeeks } from "../../parts/delivery/line-columns.tsx"
import type { MemberVisit } from "../../visit.ts"

// A year of days of more lines takes longer to read than a page may take.
const CHARTED_LINES_MAX = 100

/** Whether the value of these lines is drawn for each day. */
export const isCharted = (lines: readonly StoredLine[]): boolean => lines.length <= CHARTED_LINES_MAX

/** The totals of all measured days of these lines. If there are too many lines for a chart, only the last two weeks. */
export async function shownDays(
  visit: Pick<MemberVisit, "context" | "now" | "timeZone">,
  lines: readonly StoredLine[],
): Promise<LineDays> {
  const { context, now } = visit
  const ids = lines.map(({ id }) => id)
  if (!isCharted(lines)) {
    const dates = lastTwoWeeks(now, visit)
    return days(context.database.read, ids, dates[0] ?? "", dates.at(-1) ?? "")
  }
  // No time zone is a whole day ahead of UTC, and no line was reported before the year 1.
  return days(context.database.read, ids, "0001-01-01", dayOf(now + DAY, "UTC"))
}

const DAY = 86_400_000_000
// More days would be bars as thin as a hair.
const DAYS_MAX = 92

/** The value that a campaign delivered on each day so far. The sum is the same as "Value so far". */
export function CampaignValue({ lines, totals }: { readonly lines: readonly StoredLine[]; readonly totals: LineDays }) {
  const values = valuesOf(lines, totals)
  if (values.length === 0) return null
  return (
    <Card title="Value so far">
      <ValueChart values={values} />
    </Card>
  )
}

function valuesOf(lines: readonly StoredLine[], totals: LineDays): ValueByDay[] {
  const period = periodOf(lines, totals)
  if (period === null) return []
  const { from, to } = period
  const dates = datesFrom(from, to)
  const periods = dates.length > DAYS_MAX ? eachWeek(from, to) : eachDay(dates)
  return valueByDay(lines, totals, periods).filter(({ sum }) => sum > 0)
}

/** From the first day of a flight to the last day that was measured. Null if nothing was reported. */
function periodOf(lines: readonly StoredLine[], totals: LineDays): Period | null {
  const reported = lines.filter(({ total }) => total !== null)
  // The days of a line come oldest first.
  const measured = reported.flatMap(({ id, total, timeZone }) => {
    const days = totals.get(id) ?? []
    return [days[0]?.day, days.at(-1)?.day, dayOf(total?.asOf ?? 0, timeZone)].filter((day) => day !== undefined)
  })
  const [from] = [...reported.map(({ flightStart }) => flightStart), ...measured].sort()
  const to = measured.sort().at(-1)
  return from === undefined || to === undefined ? null : { from, to }
}
