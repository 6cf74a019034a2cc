import { formatDate, formatShortDate } from "../format.tsx"
import { Legend } from "./legend.tsx"
import { type BarTone, Plot, type Tip } from "./plot.tsx"
import { formatCompact, ticksUpTo } from "./scale.ts"

export interface BarSeries {
  readonly label: string
  readonly tone: BarTone
}

interface BarDay {
  readonly date: string
  readonly values: readonly (number | null)[]
  /** What to call it in place of the date, and below the axis, where it is an hour or a week. */
  readonly title?: string
  readonly label?: string
}

interface DayBarsProps {
  readonly title: string
  /** Stacked in this order, from below. */
  readonly series: readonly BarSeries[]
  /** One entry for each day, in order, with a value for each series. */
  readonly days: readonly BarDay[]
  readonly format: (value: number) => string
  /** Of amounts of money, for the axis. */
  readonly currency?: string | null
}

const LABELS_WANTED = 6

/** Bars for each day, stacked where there are several series. */
export function DayBars({ title, series, days, format, currency = null }: DayBarsProps) {
  const width = 1 / Math.max(days.length, 1)
  const top = Math.max(0, ...days.map(({ values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0)))
  const every = Math.max(1, Math.ceil(days.length / LABELS_WANTED))
  const bars = days.flatMap(({ values }, day) => {
    let base = 0
    return values.flatMap((value, i) => {
      if (value === null || value === 0) return []
      const bar = { from: day * width, to: (day + 1) * width, value, base, tone: series[i]?.tone ?? "b1" }
      base += value
      return [bar]
    })
  })
  const tips = days.map(
    ({ date, values, title: named }, day): Tip => ({
      from: day * width,
      to: (day + 1) * width,
      at: (day + 0.5) * width,
      title: named ?? formatDate(date),
      rows: series.map(({ label }, i) => [label, format(values[i] ?? 0)]),
    }),
  )
  return (
    <div class="stack tight">
      <div class="card-head">
        <h3>{title}</h3>
        {series.length > 1 && <Legend entries={series.map(({ label, tone }) => ({ label, mark: tone }))} />}
      </div>
      <Plot
        label={title}
        panels={[{ ticks: ticksUpTo(top, 3), format: (tick) => formatCompact(tick, currency), bars }]}
        days={days.flatMap(({ date, label }, day) =>
          day % every === 0 ? [{ at: day * width, text: label ?? formatShortDate(date) }] : [],
        )}
        tips={tips}
      />
    </div>
  )
}
