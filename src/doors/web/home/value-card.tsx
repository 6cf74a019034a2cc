import { type DailyValue, dailyValues, lastDays } from "../../../domain/campaign/daily-value.ts"
import type { CalendarDate } from "../../../domain/time/moment.ts"
import { Card } from "../parts/card.tsx"
import { DayBars } from "../parts/charts/day-bars.tsx"
import { formatDate, formatSum } from "../parts/format.tsx"
import { BareTable } from "../parts/table/table.tsx"
import type { OrganizationVisit } from "../visit.ts"

const DAYS = 14
// With more lines, reading two weeks of all of them would keep the page waiting.
const LINES_MAX = 200

/** What the last two weeks were worth, day by day. Null where there is nothing to show, or too much to read. */
export async function valueCard(visit: OrganizationVisit, today: CalendarDate) {
  const values = await recentValues(visit, today)
  const [main, ...others] = values ?? []
  if (main === undefined) return null
  return (
    <Card title="Value delivered">
      <p>
        <span class="figure mid">{formatSum(main.sum, main.currency)}</span>
        {others.map(({ currency, sum }) => (
          <span class="soft" key={currency ?? ""}>
            {" "}
            and {formatSum(sum, currency)}
          </span>
        ))}
      </p>
      <DayBars
        title={`On each of the last ${DAYS} days`}
        series={[{ label: "Value", tone: "b1" }]}
        days={main.days.map(({ date, value }) => ({ date, values: [Math.max(value, 0)] }))}
        format={(value) => formatSum(value, main.currency)}
        currency={main.currency}
      />
      <details>
        <summary class="small soft">Show as a table</summary>
        <ValueTable values={values ?? []} />
      </details>
    </Card>
  )
}

function ValueTable({ values }: { readonly values: readonly DailyValue[] }) {
  const dates = values[0]?.days.map(({ date }) => date) ?? []
  return (
    <BareTable
      caption={`Value delivered on each of the last ${DAYS} days`}
      columns={[
        { title: "Day", cell: (date) => formatDate(date) },
        ...values.map(({ currency, days }) => ({
          title: currency === null ? "Value" : `Value, ${currency}`,
          numeric: true,
          cell: (date: CalendarDate) => formatSum(days.find((day) => day.date === date)?.value ?? 0, currency),
        })),
      ]}
      rows={dates}
      rowKey={(date) => date}
      dense
    />
  )
}

async function recentValues(visit: OrganizationVisit, today: CalendarDate): Promise<DailyValue[] | null> {
  const { context, organization } = visit
  const dates = lastDays(today, DAYS)
  // Lines that ended in these days earned something on them, too.
  const range = { from: dates[0] ?? today, to: today, after: null, limit: LINES_MAX + 1 }
  const lines = await context.store.campaigns.listedInFlight(organization.id, range)
  if (lines.length > LINES_MAX) return null
  // And one before: a day is what came since then.
  const ids = lines.map(({ lineId }) => lineId)
  const totals = await context.store.deliveryHistory.days(ids, DAYS + 1)
  const histories = lines.map((line) => {
    const reports = totals.get(line.lineId) ?? []
    return { line, reports, isWhole: reports.length <= DAYS }
  })
  return dailyValues(histories, dates)
}
