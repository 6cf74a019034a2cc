import { addValues, type DailyValue, sumsOfDays, type ValueSums } from "../../../domain/campaign/daily-value.ts"
import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import type { CalendarDate } from "../../../domain/time/moment.ts"
import { nextTurn } from "../../../next-turn.ts"
import type { ListedLine } from "../../../storage/port/store.ts"
import type { Visit } from "../visit.ts"
import { Card } from "./blocks.tsx"
import { DayBars, stretchText } from "./charts/bars.tsx"
import { formatFlight, formatShortDate, formatSum } from "./format.tsx"

type TotalsByLine = ReadonlyMap<number, readonly DeliveryTotal[]>
type ValuedLine = Omit<ListedLine, "campaignId" | "name">

/**
 * What these days of these lines were worth, day by day. Null where there is nothing to show. `known` are the last totals of as many days,
 * and one before, where they are read already.
 */
export async function valueCard(
  visit: Visit,
  lines: readonly ValuedLine[],
  dates: readonly CalendarDate[],
  known?: TotalsByLine,
) {
  // What begins in the future has no days yet.
  if (dates.length === 0) return null
  const ids = lines.map(({ lineId }) => lineId)
  // And one before: a day is what came since then.
  const totals = known ?? (await visit.context.store.deliveryHistory.days(ids, dates.length + 1))
  const values = await valuesOn(lines, totals, dates)
  const [first = "", last = ""] = [dates[0], dates.at(-1)]
  const period = <span class="soft small">{formatFlight(first, last, last.slice(0, 4))}</span>
  if (values.length === 0) return null
  return (
    <Card title="Value delivered" actions={period}>
      <div class="cols">{values.map(ValueOfDays)}</div>
    </Card>
  )
}

function ValueOfDays({ currency, sum, days, stretches }: DailyValue) {
  const format = (value: number) => formatSum(value, currency)
  const from = days[0]?.date ?? ""
  const before = stretches.filter((stretch) => stretch.from < from)
  return (
    <div>
      {(sum > 0 || before.length === 0) && <p class="figure mid">{format(sum)}</p>}
      {before.map((stretch) => (
        <p class={sum > 0 ? "hint" : undefined}>
          {sum > 0 && "And "}
          <b>{stretchText(stretch, format)}</b>, since {formatShortDate(stretch.from)}, not reported day by day.
        </p>
      ))}
      <DayBars
        title="Per day"
        series={[{ label: "Value", tone: "b1" }]}
        days={days.map(({ date, value }) => ({ date, values: [value] }))}
        stretches={stretches}
        format={format}
        currency={currency}
      />
    </div>
  )
}

async function valuesOn(lines: readonly ValuedLine[], totals: TotalsByLine, dates: readonly CalendarDate[]) {
  const sums: ValueSums = new Map()
  for (const line of lines) {
    await nextTurn()
    const reports = totals.get(line.lineId) ?? []
    addValues(sums, line, reports, reports.length <= dates.length)
  }
  // Without a total there is nothing to draw.
  return sumsOfDays(sums, dates).filter((sum) => sum.stretches.length > 0 || sum.days.some(({ value }) => value))
}
