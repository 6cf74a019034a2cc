import type { ValueByDay } from "../../../domain/campaign/value-by-day.ts"
import { daysIn } from "../../../domain/delivery/day.ts"
import { amountOf } from "../../../domain/money.ts"
import { formatDate, formatMoney, formatShortDate } from "../format.tsx"
import { type BarDay, DayBars, stretchInWords } from "./day-bars.tsx"

interface ValueChartProps {
  readonly values: readonly ValueByDay[]
}

/** The value delivered each day: the sum and its bars, for each currency. */
export const ValueChart = ({ values }: ValueChartProps) => (
  <div class="cols">
    {values.map((value) => (
      <ValueBars value={value} />
    ))}
  </div>
)

function ValueBars({ value: { currency, periods, stretches, sum } }: { readonly value: ValueByDay }) {
  const format = (amount: number) => formatMoney(Math.round(amount * coinsIn(currency)), currency)
  const inUnits = (coins: number) => Number(amountOf(coins, currency))
  const boxes = stretches.map((stretch) => ({ ...stretch, days: daysIn(stretch), value: inUnits(stretch.coins) }))
  const first = periods[0]?.from ?? ""
  const before = boxes.filter(({ from }) => from < first)
  const isWeekly = periods.some(({ from, to }) => from !== to)
  const bars = periods.map(({ from, to, coins }): BarDay => {
    const values = [coins === null ? null : inUnits(coins)]
    return from === to
      ? { date: from, values }
      : { date: from, values, title: `${formatShortDate(from)} – ${formatDate(to)}` }
  })
  return (
    <div>
      <p class="figure mid">{formatMoney(sum, currency)}</p>
      {before.map((stretch) => (
        <p class="hint">
          And <b>{stretchInWords(stretch, format)}</b>, since {formatShortDate(stretch.from)}, not reported day by day.
        </p>
      ))}
      <DayBars
        title={isWeekly ? "Per week" : "Per day"}
        series={[{ label: "Value", tone: "b1" }]}
        days={bars}
        stretches={boxes}
        format={format}
        currency={currency}
      />
    </div>
  )
}

/** How many coins are one unit of the currency. */
const coinsIn = (currency: string) => 1 / Number(amountOf(1, currency))
