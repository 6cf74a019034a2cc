import { type Forecast, plannedAt } from "../../../domain/campaign/line-state.ts"
import type { ValueByDay } from "../../../domain/campaign/value.ts"
import { type DayTotal, daysIn, type Stretch, stretchesOf } from "../../../domain/delivery/day.ts"
import { amountOf } from "../../../domain/money.ts"
import { MICROS_PER_DAY, type Moment } from "../../../domain/time/moment.ts"
import { dayOf, endOfDay, startOfDay } from "../../../domain/time/time-zone.ts"
import type { StoredLine } from "../../../storage/campaigns/lines.ts"
import {
  formatChange,
  formatDate,
  formatMoney,
  formatNumber,
  formatPercentChange,
  formatShortDate,
} from "../format.tsx"
import {
  CHARACTER_SHARE,
  type DayLabel,
  type Panel,
  Plot,
  type PlotBar,
  type PlotLine,
  type PlotNote,
  type Share,
  type Tip,
  ticksUpTo,
} from "./plot.tsx"
import { type BarDay, DayBars, stretchInWords } from "./small-charts.tsx"

interface LineChartProps {
  readonly line: StoredLine
  /** The totals of its measured days. */
  readonly totals: readonly DayTotal[]
  readonly forecast: Forecast | null
  readonly now: Moment
  /** Only the running total, in a chart of half the height. */
  readonly isLow?: boolean
}

/** What a chart draws, with the places of moments in it. */
interface Course extends Omit<LineChartProps, "isLow" | "now"> {
  readonly stretches: readonly Stretch[]
  readonly start: Moment
  readonly end: Moment
  readonly shareOf: (at: Moment) => Share
}

const LABELS_MAX = 8
const LABELS_MAX_LOW = 3

/** The running total over the flight with its plan and forecast, and below it what each day brought. */
export function LineChart({ now, isLow = false, ...drawn }: LineChartProps) {
  const course = courseOf(drawn)
  const isRunning = now > course.start && now < course.end
  const total = totalPanel(course, isLow)
  return (
    <Plot
      label={`${course.line.name}: total over the flight`}
      panels={isLow ? [total] : [total, dayPanel(course)]}
      days={labelsOf(course, isLow ? LABELS_MAX_LOW : LABELS_MAX)}
      today={isRunning && !isLow ? course.shareOf(now) : null}
      tips={course.stretches.map((stretch) => tipOf(stretch, course))}
    />
  )
}

/** From the start of the flight or the first total to the end of the flight or the last total. */
function courseOf(drawn: Omit<LineChartProps, "isLow" | "now">): Course {
  const { line, totals } = drawn
  const start = Math.min(startOfDay(line.flightStart, line.timeZone), totals[0]?.asOf ?? Number.POSITIVE_INFINITY)
  const lastDay = [line.flightEnd ?? line.flightStart, totals.at(-1)?.day ?? line.flightStart].sort().at(-1) ?? ""
  const end = endOfDay(lastDay, line.timeZone)
  const shareOf = (at: Moment) => Math.min(Math.max((at - start) / (end - start), 0), 1)
  return { ...drawn, stretches: stretchesOf(line.flightStart, totals), start, end, shareOf }
}

type Point = readonly [Share, number]

function totalPanel(course: Course, isLow: boolean): Panel {
  const { line, totals, forecast, shareOf, start } = course
  const last = totals.at(-1)
  const top = Math.max(line.booked ?? 0, forecast?.atEnd ?? 0, ...totals.map(({ quantity }) => quantity))
  const measured = totals.map(({ asOf, quantity }): Point => [shareOf(asOf), quantity])
  const first = totals[0]?.asOf ?? start
  const total: Point[] = first > start ? [[0, 0], ...measured] : measured
  const future: Point[] =
    forecast && last
      ? [
          [shareOf(last.asOf), last.quantity],
          [1, forecast.atEnd],
        ]
      : []
  const lines: PlotLine[] = [
    { kind: "total", points: total },
    { kind: "plan", points: planOf(course) },
    { kind: "forecast", points: future },
  ]
  const ticks = ticksUpTo(top, isLow ? 2 : 5)
  if (isLow) return { ticks, lines }
  const booked = { text: `Booked ${formatNumber(line.booked ?? 0)}`, value: line.booked ?? 0 }
  const atEnd = { text: `Forecast ${formatNumber(forecast?.atEnd ?? 0)}`, value: forecast?.atEnd ?? 0, isStrong: true }
  if (line.booked === null) return { ticks, lines, notes: forecast === null ? [] : [atEnd] }
  if (forecast === null) return { ticks, lines, notes: [booked] }
  const notes =
    booked.value >= atEnd.value
      ? [booked, below(atEnd, [...total, ...future], top)]
      : [below(booked, planOf(course), top), atEnd]
  return { ticks, lines, notes }
}

// Below this height, a note doesn't fit between its line and the axis.
const BELOW_SHARE_MIN = 0.2

/** The lower one of two notes, below its line: as high as the line is where the note begins. */
function below(note: PlotNote, points: readonly Point[], top: number): PlotNote {
  const value = valueAt(points, 1 - note.text.length * CHARACTER_SHARE)
  return value > top * BELOW_SHARE_MIN ? { ...note, value, isBelow: true } : note
}

/** A plan is straight, so its ends are enough. */
function planOf({ line, start, end }: Course): Point[] {
  return plannedAt(line, end) === null
    ? []
    : [
        [0, plannedAt(line, start) ?? 0],
        [1, plannedAt(line, end) ?? 0],
      ]
}

function valueAt(points: readonly Point[], at: Share): number {
  const next = points.findIndex((point) => point[0] >= at)
  const [from, to] = [points[next - 1], points[next]]
  if (from === undefined || to === undefined) return to?.[1] ?? 0
  return from[1] + ((at - from[0]) / (to[0] - from[0] || 1)) * (to[1] - from[1])
}

function dayPanel({ line: { timeZone }, stretches, forecast, shareOf }: Course): Panel {
  const bars = stretches.map((stretch): PlotBar => {
    const from = shareOf(startOfDay(stretch.from, timeZone))
    const to = shareOf(endOfDay(stretch.to, timeZone))
    const isDay = stretch.from === stretch.to
    const value = stretch.added / daysIn(stretch)
    if (isDay) return { from, to, value, tone: "b1" }
    return { from, to, value, tone: "gap", text: gapInWords(stretch) }
  })
  const needed = forecast?.neededPerDay ?? null
  const last = shareOf(stretches.at(-1)?.asOf ?? 0)
  const ticks = ticksUpTo(Math.max(needed ?? 0, ...bars.map(({ value }) => value)), 3)
  if (needed === null) return { ticks, bars }
  const lines: PlotLine[] = [
    {
      kind: "plan",
      points: [
        [last, needed],
        [1, needed],
      ],
    },
  ]
  return { ticks, bars, lines, notes: [{ value: needed, text: `Needed: ${formatNumber(needed)} a day` }] }
}

/** "2 Nov – 7 Nov: 59,783" */
const gapInWords = ({ from, to, added }: Stretch): string =>
  `${formatShortDate(from)} – ${formatShortDate(to)}: ${formatNumber(added)}`

/** "14 Oct", or "14 Oct – 30 Oct" for days that weren't measured one by one. */
export const daysInWords = ({ from, to }: Pick<Stretch, "from" | "to">): string =>
  from === to ? formatDate(to) : `${formatShortDate(from)} – ${formatDate(to)}`

/** "+4,424", or "2,131 over 17 days" */
export const addedInWords = (stretch: Stretch): string =>
  stretch.from === stretch.to
    ? formatChange(stretch.added)
    : `${formatNumber(stretch.added)} over ${daysIn(stretch)} days`

function tipOf(stretch: Stretch, { line, shareOf }: Course): Tip {
  const { from, to, asOf, quantity, added } = stretch
  const planned = plannedAt(line, asOf)
  const plan =
    planned === null || planned === 0
      ? []
      : [["Plan", `${formatNumber(Math.round(planned))} (${formatPercentChange(quantity / planned - 1)})`] as const]
  return {
    from: shareOf(startOfDay(from, line.timeZone)),
    to: shareOf(endOfDay(to, line.timeZone)),
    at: shareOf(asOf),
    title: daysInWords(stretch),
    rows: [
      ["Total", formatNumber(quantity)],
      [from === to ? "That day" : `Over ${daysIn(stretch)} days`, formatChange(added)],
      ...plan,
    ],
  }
}

// People compare weeks. A short flight is labeled by the day, a long one by several weeks.
const LABEL_STEPS = [1, 2, 7, 14, 28, 56]

function labelsOf({ line: { timeZone }, start, end, shareOf }: Course, max: number): DayLabel[] {
  const count = Math.max(Math.round((end - start) / MICROS_PER_DAY), 1)
  const step = LABEL_STEPS.find((days) => count / days <= max) ?? Math.ceil(count / max)
  const regular = Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step)
  // The end is always named, and what would be too close to it isn't.
  const places = count === 1 ? regular : [...regular.filter((place) => count - place > step), count - 1]
  return places.map((place) => {
    // At noon, so that a change of the clocks moves no label to another day.
    const day = dayOf(start + (place + 0.5) * MICROS_PER_DAY, timeZone)
    const isEnd = place > 0 && place === count - 1
    return { at: isEnd ? 1 : shareOf(startOfDay(day, timeZone)), text: formatShortDate(day), isEnd }
  })
}

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

function ValueBars({ value: { currency, days, stretches, sum } }: { readonly value: ValueByDay }) {
  const format = (amount: number) => formatMoney(Math.round(amount * coinsIn(currency)), currency)
  const inUnits = (coins: number) => Number(amountOf(coins, currency))
  const boxes = stretches.map((stretch) => ({ ...stretch, days: daysIn(stretch), value: inUnits(stretch.coins) }))
  const first = days[0]?.date ?? ""
  const before = boxes.filter(({ from }) => from < first)
  const bars = days.map(({ date, coins }): BarDay => ({ date, values: [coins === null ? null : inUnits(coins)] }))
  return (
    <div>
      <p class="figure mid">{formatMoney(sum, currency)}</p>
      {before.map((stretch) => (
        <p class="hint">
          And <b>{stretchInWords(stretch, format)}</b>, since {formatShortDate(stretch.from)}, not reported day by day.
        </p>
      ))}
      <DayBars
        title="Per day"
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
