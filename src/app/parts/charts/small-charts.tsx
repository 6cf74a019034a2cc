import type { CalendarDate } from "../../../domain/time/moment.ts"
import { classes } from "../blocks.tsx"
import { formatDate, formatPercent, formatShortDate } from "../format.tsx"
import { type Column, Table } from "../table.tsx"
import {
  type BarTone,
  type DayLabel,
  formatCompact,
  Legend,
  type Panel,
  Plot,
  type PlotBar,
  percent,
  type Tip,
  ticksUpTo,
  trimmed,
} from "./plot.tsx"

interface SparklineProps {
  readonly label: string
  /** One value for each day. Null if the day wasn't measured. Nulls at the end mean that reports have stopped. */
  readonly values: readonly (number | null)[]
}

/** The last days in a small picture. Days without a value are left open. */
export function Sparkline({ label, values }: SparklineProps) {
  const top = Math.max(1, ...values.map((value) => value ?? 0))
  const last = values.findLastIndex((value) => value !== null)
  if (last === -1) return null
  const xOf = (index: number) => index / Math.max(values.length - 1, 1)
  const yOf = (value: number) => 1 - (value / top) * 0.94
  const runs = runsOf(values, (value, i) => `${trimmed(xOf(i) * 100)} ${trimmed(yOf(value) * 100)}`)
  const areas = runs.map((run) => `M${run.join("L")}V100H${run[0]?.split(" ")[0]}z`)
  const lines = runs.map((run) => `M${run.join("L")}h0`)
  const [x, y] = [percent(xOf(last)), percent(yOf(values[last] ?? 0))]
  return (
    <svg class="spark" role="img" aria-label={label}>
      <svg aria-hidden="true" viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">
        <path class="area" d={areas.join("")} />
        <path class="line" d={lines.join("")} />
      </svg>
      {last < values.length - 1 && <line class="gap" x1={x} x2="100%" y1={y} y2={y} />}
      <circle cx={x} cy={y} r="2.5" />
    </svg>
  )
}

/** The points of values that follow each other without a hole. */
function runsOf(values: SparklineProps["values"], pointOf: (value: number, index: number) => string): string[][] {
  const runs: string[][] = []
  for (const [i, value] of values.entries()) {
    if (value === null) continue
    if ((values[i - 1] ?? null) === null) runs.push([])
    runs.at(-1)?.push(pointOf(value, i))
  }
  return runs
}

interface PaceBarProps {
  /** Shares of what is booked. */
  readonly delivered: number
  readonly planned: number | null
  readonly isBehind: boolean
  readonly isBig?: boolean
  /** Words below the mark of the plan, on a big bar. */
  readonly plan?: string | undefined
}

// The round end of one bar must not leave a hole before the next.
const OVERLAP = 0.01

/** What is delivered, what is missing, and the plan as a mark. */
export function PaceBar({ delivered, planned, isBehind, isBig = false, plan }: PaceBarProps) {
  const [height, markAbove, markWidth] = isBig ? [12, 4, 3] : [6, 2, 2]
  const share = Math.min(delivered, 1)
  const missing = isBehind && planned !== null ? planned - share : 0
  const words = `${formatPercent(delivered)} delivered${planned === null ? "" : `, ${formatPercent(planned)} planned`}`
  return (
    <svg class={classes("pace", isBig && "big", delivered > 1 && "over")} role="img" aria-label={words}>
      <rect class="track" width="100%" height={height} rx={height / 2} />
      {missing > 0 && (
        <rect
          class="gap"
          x={percent(Math.max(share - OVERLAP, 0))}
          width={percent(missing + OVERLAP)}
          height={height}
        />
      )}
      {share > 0 && <rect class="fill" width={percent(share)} height={height} rx={height / 2} />}
      {planned !== null && planned > 0 && planned < 1 && (
        <rect class="plan" x={percent(planned)} y={-markAbove} width={markWidth} height={height + 2 * markAbove} />
      )}
      {plan !== undefined && planned !== null && (
        <text x={percent(Math.min(Math.max(planned, 0.08), 0.92))} y="34" text-anchor="middle">
          {plan}
        </text>
      )}
    </svg>
  )
}

interface BarSeries {
  readonly label: string
  readonly tone: BarTone
}

/** A bar: a day, or an hour that has a title of its own. */
export interface BarDay {
  readonly date: CalendarDate
  /** One for each series. Null if nothing was measured. */
  readonly values: readonly (number | null)[]
  readonly title?: string
  /** The words below the axis, if they aren't the date. */
  readonly label?: string
}

/** Days of which only the sum is known, the first and the last included. */
interface BarStretch {
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly days: number
  readonly value: number
}

interface DayBarsProps {
  readonly title: string
  /** Whether the chart fills its card, so that the card has no other title. */
  readonly isAlone?: boolean
  /** Stacked in this order, from below. */
  readonly series: readonly BarSeries[]
  readonly days: readonly BarDay[]
  readonly stretches?: readonly BarStretch[]
  readonly format: (value: number) => string
  /** For amounts of money. Without it, the values are counts. */
  readonly currency?: string | null
}

/** Bars for days, and the same figures as a table. */
export function DayBars(props: DayBarsProps) {
  const { title, isAlone = false, series, days } = props
  return (
    <div class="stack tight">
      <div class="card-head">
        {isAlone ? <h2>{title}</h2> : <h3>{title}</h3>}
        {series.length > 1 && <Legend entries={series.map(({ label, tone }) => ({ label, mark: tone }))} />}
      </div>
      <Plot label={title} panels={[panelOf(props)]} days={labelsOf(days)} tips={tipsOf(props)} />
      <DayTable {...props} />
    </div>
  )
}

function panelOf({ series, days, stretches = [], format, currency }: DayBarsProps): Panel {
  const width = 1 / Math.max(days.length, 1)
  const bars = days.flatMap(({ values }, day) => {
    let base = 0
    return values.flatMap((value, i): PlotBar[] => {
      if (value === null || value <= 0) return []
      const bar = { from: day * width, to: (day + 1) * width, value, base, tone: series[i]?.tone ?? "b1" }
      base += value
      return [bar]
    })
  })
  const boxes = stretches.map((stretch): PlotBar => {
    const isIn = ({ date }: BarDay) => date >= stretch.from && date <= stretch.to
    const [from, to] = [days.findIndex(isIn) * width, (days.findLastIndex(isIn) + 1) * width]
    return { from, to, value: stretch.value / stretch.days, tone: "gap", text: stretchInWords(stretch, format) }
  })
  const top = Math.max(0, ...[...bars, ...boxes].map(({ base = 0, value }) => base + value))
  return {
    ticks: ticksUpTo(top, 3, currency === undefined),
    format: (tick) => formatCompact(tick, currency),
    bars: [...bars, ...boxes],
  }
}

/** "€2,131 over 17 days" */
export const stretchInWords = ({ value, days }: BarStretch, format: (value: number) => string): string =>
  `${format(value)} over ${days} days`

const LABELS_MAX = 6

function labelsOf(days: readonly BarDay[]): DayLabel[] {
  const every = Math.max(1, Math.ceil(days.length / LABELS_MAX))
  return days.flatMap(({ date, label }, i) =>
    i % every === 0 ? [{ at: i / days.length, text: label ?? formatShortDate(date) }] : [],
  )
}

/** A day that wasn't measured has no value, and not 0. */
const valueInWords = (value: number | null | undefined, format: DayBarsProps["format"]): string =>
  value == null ? "–" : format(value)

const nameOf = ({ date, title }: BarDay) => title ?? formatDate(date)

const tipsOf = ({ series, days, stretches = [], format }: DayBarsProps): Tip[] =>
  days.map((day, i) => {
    const around = stretches.filter(({ from, to }) => day.date >= from && day.date <= to)
    return {
      from: i / days.length,
      to: (i + 1) / days.length,
      at: (i + 0.5) / days.length,
      title: nameOf(day),
      rows: [
        ...series.map(({ label }, at) => [label, valueInWords(day.values[at], format)] as const),
        ...around.map((stretch) => [`Over ${stretch.days} days`, format(stretch.value)] as const),
      ],
    }
  })

/** Hours have a label of their own. */
const headOf = (days: readonly BarDay[]): string => (days.some(({ label }) => label !== undefined) ? "Time" : "Day")

function DayTable({ title, series, days, stretches = [], format }: DayBarsProps) {
  const columns: Column<BarDay>[] = [
    { title: headOf(days), cell: nameOf },
    ...series.map(({ label }, i) => ({
      title: label,
      isNumber: true,
      cell: ({ values }: BarDay) => valueInWords(values[i], format),
    })),
  ]
  const unmeasured = stretches.map(({ from, to, days: count, value }) => ({
    date: from,
    values: [value],
    title: `${formatDate(from)} – ${formatDate(to)}, ${count} days`,
  }))
  return (
    <details class="no-print">
      <summary class="hint">Show as a table</summary>
      <Table caption={title} columns={columns} rows={[...days, ...unmeasured]} isDense />
    </details>
  )
}
