import { daysIn, type Stretch } from "../../../../domain/campaign/daily-value.ts"
import { ALL_YEARS, formatDate, formatFlight, formatNumber, formatPercent, formatShortDate } from "../format.tsx"
import { BareTable, type Column } from "../table.tsx"
import type { BarTone, PlotBar, Tip } from "./plot.tsx"
import { formatCompact, Legend, Plot, percentOf, ticksUpTo, trimmed } from "./plot.tsx"

export type BarSeries = Readonly<{ label: string; tone: BarTone }>

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
  readonly days: readonly BarDay[]
  /** What came in days that were not measured one by one. */
  readonly stretches?: readonly Stretch[]
  readonly format: (value: number) => string
  /** Of amounts; null where it is not known. Without one the values are counts. */
  readonly currency?: string | null
}

const nameOf = ({ date, title }: BarDay) => title ?? formatDate(date)

const LABELS_WANTED = 6

/** €2,131 over 17 days */
export const stretchText = (stretch: Stretch, format: (value: number) => string): string =>
  `${format(stretch.value)} over ${daysIn(stretch)} days`

/** Bars for each day, stacked where there are several series, and the same figures as a table. */
export function DayBars({ title, series, days, stretches = [], format, currency }: DayBarsProps) {
  const width = 1 / Math.max(days.length, 1)
  const heightOf = (value: number | null) => Math.max(value ?? 0, 0)
  const boxes = stretches.map((stretch): PlotBar => {
    const isIn = ({ date }: BarDay) => date >= stretch.from && date <= stretch.to
    const [from, to] = [days.findIndex(isIn) * width, (days.findLastIndex(isIn) + 1) * width]
    return { from, to, value: stretch.value / daysIn(stretch), tone: "gap", text: stretchText(stretch, format) }
  })
  const sums = days.map(({ values }) => values.reduce<number>((sum, value) => sum + heightOf(value), 0))
  const top = Math.max(0, ...sums, ...boxes.map(({ value }) => value))
  const every = Math.max(1, Math.ceil(days.length / LABELS_WANTED))
  const bars = days.flatMap(({ values }, day) => {
    let base = 0
    return values.flatMap((value, i) => {
      const height = heightOf(value)
      if (height === 0) return []
      const bar = { from: day * width, to: (day + 1) * width, value: height, base, tone: series[i]?.tone ?? "b1" }
      base += height
      return [bar]
    })
  })
  const tips = days.map(
    (bar, day): Tip => ({
      from: day * width,
      to: (day + 1) * width,
      at: (day + 0.5) * width,
      title: nameOf(bar),
      rows: [
        ...series.map(({ label }, i) => [label, format(bar.values[i] ?? 0)] as const),
        ...stretches
          .filter(({ from, to }) => bar.date >= from && bar.date <= to)
          .map((stretch) => [`Over ${daysIn(stretch)} days`, format(stretch.value)] as const),
      ],
    }),
  )
  const rows: BarDay[] = [
    ...days,
    ...stretches.map((stretch) => ({
      date: stretch.from,
      values: [stretch.value],
      title: `${formatFlight(stretch.from, stretch.to, ALL_YEARS)}, ${daysIn(stretch)} days`,
    })),
  ]
  const columns: Column<BarDay>[] = [
    { title: days.some(({ title: named }) => named) ? "Time" : "Day", value: nameOf, nowrap: true },
    ...series.map(({ label }, i) => ({
      title: label,
      numeric: true,
      value: ({ values }: BarDay) => (values[i] == null ? "–" : format(values[i])),
    })),
  ]
  return (
    <div class="stack tight">
      <div class="card-head">
        <h3>{title}</h3>
        {series.length > 1 && <Legend entries={series.map(({ label, tone }) => ({ label, mark: tone }))} />}
      </div>
      <Plot
        label={title}
        panels={[
          {
            ticks: ticksUpTo(top, 3, currency === undefined),
            format: (tick) => formatCompact(tick, currency),
            bars: [...bars, ...boxes],
          },
        ]}
        days={days.flatMap(({ date, label }, day) =>
          day % every === 0 ? [{ at: day * width, text: label ?? formatShortDate(date) }] : [],
        )}
        tips={tips}
      />
      <details class="no-print">
        <summary class="small soft">Show as a table</summary>
        <BareTable caption={title} columns={columns} rows={rows} dense />
      </details>
    </div>
  )
}

interface PaceBarProps {
  /** Shares of what is booked. */
  readonly delivered: number
  readonly planned: number | null
  readonly isBehind?: boolean
  readonly plan?: string
  readonly big?: boolean
}

// Rounded ends must not hide a gap that begins below them.
const OVERLAP = 0.01

/** Three things in one bar: what is delivered, what is missing, and the plan as a tick. */
export function PaceBar({ delivered, planned, isBehind = false, plan, big = false }: PaceBarProps) {
  const share = Math.min(delivered, 1)
  const height = big ? 12 : 6
  const words = `${formatPercent(delivered)} delivered${planned === null ? "" : `, ${formatPercent(planned)} planned`}`
  const look = ["pace", big && "big", delivered > 1 && "over"].filter(Boolean).join(" ")
  const gapFrom = percentOf(Math.max(share - OVERLAP, 0))
  const gap = isBehind && planned !== null && planned > share ? planned - share : 0
  return (
    <svg class={look} role="img" aria-label={words}>
      <rect class="track" width="100%" height={height} rx={height / 2} />
      {gap > 0 && <rect class="gap" x={gapFrom} width={percentOf(gap + OVERLAP)} height={height} />}
      {share > 0 && <rect class="fill" width={percentOf(share)} height={height} rx={height / 2} />}
      {planned !== null && planned > 0 && planned < 1 && (
        <rect class="plan" x={percentOf(planned)} y={big ? -4 : -2} width={big ? 3 : 2} height={big ? 20 : 10} />
      )}
      {plan !== undefined && planned !== null && (
        <text x={percentOf(Math.min(Math.max(planned, 0.08), 0.92))} y="34" text-anchor="middle">
          {plan}
        </text>
      )}
    </svg>
  )
}

export type RankedBar = Readonly<{ label: string; value: number; missing?: string }>

/** What there is most of, first. */
export function RankedBars({ bars }: { readonly bars: readonly RankedBar[] }) {
  const top = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ul class="bars">
      {bars.map(({ label, value, missing }) => (
        <li>
          <svg aria-hidden="true">
            <rect class={missing && "miss"} width={percentOf(value / top)} height="100%" rx="4" />
          </svg>
          <span>
            {label}
            {missing !== undefined && <small> {missing}</small>}
          </span>
          <span class="num">{formatNumber(value)}</span>
        </li>
      ))}
    </ul>
  )
}

interface SparklineProps {
  readonly label: string
  /** One value for each day; null where nothing is known. At the end that means silence. */
  readonly values: readonly (number | null)[]
}

export function Sparkline({ label, values }: SparklineProps) {
  const top = Math.max(1, ...values.map((value) => value ?? 0))
  const last = values.findLastIndex((value) => value !== null)
  const xOf = (index: number) => index / Math.max(values.length - 1, 1)
  const yOf = (value: number) => 1 - (value / top) * 0.94
  // Days that nobody measured are left open.
  const runs: string[][] = []
  for (const [i, value] of values.entries()) {
    if (value === null) continue
    if (values[i - 1] == null) runs.push([])
    runs.at(-1)?.push(`${trimmed(xOf(i) * 100)} ${trimmed(yOf(value) * 100)}`)
  }
  if (runs.length === 0) return null
  const pathOf = (end: (run: readonly string[]) => string) => runs.map((run) => `M${run.join("L")}${end(run)}`).join("")
  const end = percentOf(xOf(last))
  const height = percentOf(yOf(values[last] ?? 0))
  return (
    <svg class="spark" role="img" aria-label={label}>
      <svg aria-hidden="true" viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">
        <path class="area" d={pathOf(([start = ""]) => `V100H${start.split(" ")[0]}z`)} />
        <path class="line" d={pathOf(() => "h0")} />
      </svg>
      {last < values.length - 1 && <line class="gap" x1={end} x2="100%" y1={height} y2={height} />}
      <circle cx={end} cy={height} r="2.5" />
    </svg>
  )
}
