import { type Forecast, plannedAt } from "../../../domain/campaign/line-state.ts"
import { type DayTotal, daysIn, type Stretch, stretchesOf } from "../../../domain/delivery/day.ts"
import { MICROS_PER_DAY, type Moment } from "../../../domain/time/moment.ts"
import { dayOf, endOfDay, startOfDay } from "../../../domain/time/time-zone.ts"
import type { StoredLine } from "../../../storage/campaigns/lines.ts"
import { formatChange, formatDate, formatNumber, formatPercentChange, formatShortDate, useClock } from "../format.tsx"
import {
  CHARACTER_SHARE,
  type DayLabel,
  type Panel,
  Plot,
  type PlotBar,
  type PlotNote,
  type Point,
  type Share,
  type Tip,
  ticksUpTo,
} from "./plot.tsx"

interface LineChartProps {
  readonly line: StoredLine
  /** The totals of its measured days. */
  readonly totals: readonly DayTotal[]
  readonly forecast: Forecast | null
  /** Only the running total, in a chart of half the height. */
  readonly isLow?: boolean
}

/** What a chart draws, from its start to its end, with the places of moments in it. */
interface Course extends LineChartProps {
  readonly stretches: readonly Stretch[]
  readonly start: Moment
  readonly end: Moment
  readonly shareOf: (at: Moment) => Share
}

/** The running total over the flight with its plan and forecast, and below it what each day brought. */
export function LineChart(drawn: LineChartProps) {
  const { now } = useClock()
  const course = courseOf(drawn)
  const { line, isLow = false, stretches, start, end, shareOf } = course
  const total = totalPanel(course)
  return (
    <Plot
      label={`${line.name}: total over the flight`}
      panels={isLow ? [total] : [total, dayPanel(course)]}
      days={labelsOf(course)}
      today={now > start && now < end && !isLow ? shareOf(now) : null}
      tips={stretches.map((stretch) => tipOf(stretch, course))}
    />
  )
}

/** From the start of the flight or the first total to the end of the flight or the last total. */
function courseOf(drawn: LineChartProps): Course {
  const { line, totals } = drawn
  const { flightStart, flightEnd, timeZone } = line
  const start = Math.min(startOfDay(flightStart, timeZone), totals[0]?.asOf ?? Number.POSITIVE_INFINITY)
  const lastDay = [flightEnd ?? flightStart, totals.at(-1)?.day ?? flightStart].sort().at(-1) ?? ""
  const end = endOfDay(lastDay, timeZone)
  const shareOf = (at: Moment) => Math.min(Math.max((at - start) / (end - start), 0), 1)
  return { ...drawn, stretches: stretchesOf(flightStart, totals), start, end, shareOf }
}

function totalPanel(course: Course): Panel {
  const { line, totals, forecast, shareOf, start, isLow = false } = course
  const top = Math.max(line.booked ?? 0, forecast?.atEnd ?? 0, ...totals.map(({ quantity }) => quantity))
  const measured = totals.map(({ asOf, quantity }): Point => [shareOf(asOf), quantity])
  const isLate = (totals[0]?.asOf ?? start) > start
  const total: Point[] = isLate ? [[0, 0], ...measured] : measured
  const plan = planOf(course)
  const future: Point[] = forecast === null ? [] : [...measured.slice(-1), [1, forecast.atEnd]]
  return {
    ticks: ticksUpTo(top, isLow ? 2 : 5),
    lines: [
      { kind: "total", points: total },
      { kind: "plan", points: plan },
      { kind: "forecast", points: future },
    ],
    notes: isLow ? [] : notesOf(course, top, plan, [...total, ...future]),
  }
}

/** What is booked and what is expected. If both are known, the lower one is below its line. */
function notesOf(
  { line: { booked }, forecast }: Course,
  top: number,
  plan: readonly Point[],
  delivered: readonly Point[],
): PlotNote[] {
  const whole = { value: booked ?? 0, text: `Booked ${formatNumber(booked ?? 0)}` }
  if (forecast === null) return booked === null ? [] : [whole]
  const atEnd = { value: forecast.atEnd, text: `Forecast ${formatNumber(forecast.atEnd)}`, isStrong: true }
  if (booked === null) return [atEnd]
  return booked >= forecast.atEnd ? [whole, below(atEnd, delivered, top)] : [below(whole, plan, top), atEnd]
}

// Below this height, a note doesn't fit between its line and the axis.
const BELOW_SHARE_MIN = 0.2

/** A note below its line: as high as the line is where the note begins. */
function below(note: PlotNote, points: readonly Point[], top: number): PlotNote {
  const at = 1 - note.text.length * CHARACTER_SHARE
  const next = points.findIndex((point) => point[0] >= at)
  const [from, to] = [points[next - 1], points[next]]
  if (from === undefined || to === undefined) return note
  const value = from[1] + ((at - from[0]) / (to[0] - from[0])) * (to[1] - from[1])
  return value > top * BELOW_SHARE_MIN ? { ...note, value, isBelow: true } : note
}

/** A plan is straight, so its ends are enough. */
function planOf({ line, start, end }: Course): Point[] {
  const [first, last] = [plannedAt(line, start), plannedAt(line, end)]
  return first === null || last === null
    ? []
    : [
        [0, first],
        [1, last],
      ]
}

function dayPanel({ line: { timeZone }, stretches, forecast, shareOf }: Course): Panel {
  const bars = stretches.map((stretch): PlotBar => {
    const { from, to, added } = stretch
    const place = { from: shareOf(startOfDay(from, timeZone)), to: shareOf(endOfDay(to, timeZone)) }
    const value = added / daysIn(stretch)
    if (from === to) return { ...place, value, tone: "b1" }
    const text = `${formatShortDate(from)} – ${formatShortDate(to)}: ${formatNumber(added)}`
    return { ...place, value, tone: "gap", text }
  })
  const needed = forecast?.neededPerDay ?? null
  const ticks = ticksUpTo(Math.max(needed ?? 0, ...bars.map(({ value }) => value)), 3)
  if (needed === null) return { ticks, bars }
  const points: Point[] = [
    [shareOf(stretches.at(-1)?.asOf ?? 0), needed],
    [1, needed],
  ]
  const note = { value: needed, text: `Needed: ${formatNumber(needed)} a day` }
  return { ticks, bars, lines: [{ kind: "plan", points }], notes: [note] }
}

/** "14 Oct", or "14 Oct – 30 Oct" for days that weren't measured one by one. */
export const daysInWords = ({ from, to }: Stretch): string =>
  from === to ? formatDate(to) : `${formatShortDate(from)} – ${formatDate(to)}`

/** "+4,424", or "2,131 over 17 days" */
export const addedInWords = (stretch: Stretch): string =>
  stretch.from === stretch.to
    ? formatChange(stretch.added)
    : `${formatNumber(stretch.added)} over ${daysIn(stretch)} days`

function tipOf(stretch: Stretch, { line, shareOf }: Course): Tip {
  const { from, to, asOf, quantity, added } = stretch
  // Null or 0 without a plan.
  const planned = plannedAt(line, asOf)
  const rows: Tip["rows"] = [
    ["Total", formatNumber(quantity)],
    [from === to ? "That day" : `Over ${daysIn(stretch)} days`, formatChange(added)],
  ]
  return {
    from: shareOf(startOfDay(from, line.timeZone)),
    to: shareOf(endOfDay(to, line.timeZone)),
    at: shareOf(asOf),
    title: daysInWords(stretch),
    rows: planned
      ? [...rows, ["Plan", `${formatNumber(Math.round(planned))} (${formatPercentChange(quantity / planned - 1)})`]]
      : rows,
  }
}

const LABELS_MAX = 8
const LABELS_MAX_LOW = 3
// People compare weeks. A short flight is labeled by the day, a long one by several weeks.
const LABEL_STEPS = [1, 2, 7, 14, 28, 56]

function labelsOf({ line: { timeZone }, isLow = false, start, end, shareOf }: Course): DayLabel[] {
  const max = isLow ? LABELS_MAX_LOW : LABELS_MAX
  const count = Math.max(Math.round((end - start) / MICROS_PER_DAY), 1)
  const step = LABEL_STEPS.find((days) => count / days <= max) ?? Math.ceil(count / max)
  const regular = Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step)
  // The end always has a label, and labels too close to it are left out.
  const places = count === 1 ? regular : [...regular.filter((place) => count - place > step), count - 1]
  return places.map((place) => {
    // At noon, so that a change of the clocks moves no label to another day.
    const day = dayOf(start + (place + 0.5) * MICROS_PER_DAY, timeZone)
    const isEnd = place > 0 && place === count - 1
    return { at: isEnd ? 1 : shareOf(startOfDay(day, timeZone)), text: formatShortDate(day), isEnd }
  })
}
