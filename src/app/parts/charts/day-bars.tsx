import type { ValueByDay } from "../../../domain/campaign/value.ts"
import { daysIn } from "../../../domain/delivery/day.ts"
import { amountOf } from "../../../domain/money.ts"
import type { CalendarDate } from "../../../domain/time/moment.ts"
import { formatDate, formatMoney, formatNumber, formatPrice, formatShortDate } from "../format.tsx"
import { type Column, Table } from "../table.tsx"
import { type DayLabel, Legend, Plot, type PlotBar, type Tip, ticksUpTo } from "./plot.tsx"

export interface BarDay {
  readonly date: CalendarDate
  /** One for each series. Null if nothing was measured. */
  readonly values: readonly (number | null)[]
}

/** Days of which only the sum is known, the first and the last included. */
interface BarStretch {
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly value: number
}

interface DayBarsProps {
  readonly title: string
  /** Whether the chart fills its card, so that the card has no other title. */
  readonly isAlone?: boolean
  /** The names of the stacked parts, from the bottom up. */
  readonly series: readonly [string] | readonly [string, string]
  readonly days: readonly BarDay[]
  readonly stretches?: readonly BarStretch[]
  /** For amounts of money. Without it, the values are counts. */
  readonly currency?: string
}

const TONES = ["b1", "b3"] as const

/** Bars for days, and the same figures as a table. */
export function DayBars(props: DayBarsProps) {
  const { title, isAlone = false, series, days } = props
  const [first, second] = series
  return (
    <div class="stack tight">
      <div class="card-head">
        {isAlone ? <h2>{title}</h2> : <h3>{title}</h3>}
        {second !== undefined && (
          <Legend
            entries={[
              { label: first, mark: "b1" },
              { label: second, mark: "b3" },
            ]}
          />
        )}
      </div>
      <Plot label={title} panels={[panelOf(props)]} days={labelsOf(days)} tips={tipsOf(props)} />
      <DayTable {...props} />
    </div>
  )
}

function panelOf({ days, stretches = [], currency }: DayBarsProps) {
  const width = 1 / Math.max(days.length, 1)
  const bars = days.flatMap(({ values }, day) => {
    let base = 0
    return values.flatMap((value, i): PlotBar[] => {
      if (value === null || value <= 0) return []
      const bar = { from: day * width, to: (day + 1) * width, value, base, tone: TONES[i] ?? "b1" }
      base += value
      return [bar]
    })
  })
  const boxes = stretches.map((stretch): PlotBar => {
    const isIn = ({ date }: BarDay) => date >= stretch.from && date <= stretch.to
    const [from, to] = [days.findIndex(isIn) * width, (days.findLastIndex(isIn) + 1) * width]
    return { from, to, value: stretch.value / daysIn(stretch), tone: "gap", text: stretchInWords(stretch, currency) }
  })
  const top = Math.max(0, ...[...bars, ...boxes].map(({ base = 0, value }) => base + value))
  return { ticks: ticksUpTo(top, 3, currency === undefined), currency, bars: [...bars, ...boxes] }
}

/** "€2,131 over 17 days" */
const stretchInWords = (stretch: BarStretch, currency: string | undefined): string =>
  `${valueInWords(stretch.value, currency)} over ${daysIn(stretch)} days`

/** A day that wasn't measured has no value, and not 0. */
function valueInWords(value: number | null | undefined, currency: string | undefined): string {
  if (value == null) return "–"
  return currency === undefined ? formatNumber(value) : formatPrice(value, currency)
}

const LABELS_MAX = 6

function labelsOf(days: readonly BarDay[]): DayLabel[] {
  const every = Math.max(1, Math.ceil(days.length / LABELS_MAX))
  return days.flatMap(({ date }, i) => (i % every === 0 ? [{ at: i / days.length, text: formatShortDate(date) }] : []))
}

const tipsOf = ({ series, days, stretches = [], currency }: DayBarsProps): Tip[] =>
  days.map((day, i) => {
    const around = stretches.filter(({ from, to }) => day.date >= from && day.date <= to)
    return {
      from: i / days.length,
      to: (i + 1) / days.length,
      at: (i + 0.5) / days.length,
      title: formatDate(day.date),
      rows: [
        ...series.map((label, at) => [label, valueInWords(day.values[at], currency)] as const),
        ...around.map((stretch) => [`Over ${daysIn(stretch)} days`, valueInWords(stretch.value, currency)] as const),
      ],
    }
  })

function DayTable({ title, series, days, stretches = [], currency }: DayBarsProps) {
  const measured = days.map(({ date, values }) => ({ day: formatDate(date), values }))
  const unmeasured = stretches.map(({ from, to, value }) => ({
    day: `${formatDate(from)} – ${formatDate(to)}, ${daysIn({ from, to })} days`,
    values: [value],
  }))
  const columns = series.map(
    (label, i): Column<(typeof measured)[number]> => ({
      title: label,
      isNumber: true,
      cell: ({ values }) => valueInWords(values[i], currency),
    }),
  )
  return (
    <details class="no-print">
      <summary class="hint">Show as a table</summary>
      <Table
        caption={title}
        columns={[{ title: "Day", cell: ({ day }) => day }, ...columns]}
        rows={[...measured, ...unmeasured]}
        isDense
      />
    </details>
  )
}

/** The value delivered each day: the sum and its bars, for each currency. */
export const ValueChart = ({ values }: { readonly values: readonly ValueByDay[] }) => (
  <div class="cols">
    {values.map((value) => (
      <ValueBars value={value} />
    ))}
  </div>
)

function ValueBars({ value: { currency, days, stretches, sum } }: { readonly value: ValueByDay }) {
  const inUnits = (coins: number) => Number(amountOf(coins, currency))
  const boxes = stretches.map(({ from, to, coins }) => ({ from, to, value: inUnits(coins) }))
  const first = days[0]?.date ?? ""
  const bars = days.map(({ date, coins }) => ({ date, values: [coins === null ? null : inUnits(coins)] }))
  return (
    <div>
      <p class="figure mid">{formatMoney(sum, currency)}</p>
      {boxes
        .filter(({ from }) => from < first)
        .map((stretch) => (
          <p class="hint">
            And <b>{stretchInWords(stretch, currency)}</b>, since {formatShortDate(stretch.from)}, not reported day by
            day.
          </p>
        ))}
      <DayBars title="Per day" series={["Value"]} days={bars} stretches={boxes} currency={currency} />
    </div>
  )
}
