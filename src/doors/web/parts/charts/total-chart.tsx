import type { LineCourse } from "../../../../domain/delivery/line-course.ts"
import { type DayTotal, firstDayOf } from "../../../../domain/delivery/total-series.ts"
import { MICROS_PER_DAY, type Moment } from "../../../../domain/time/moment.ts"
import { dayOf, endOfDay, startOfDay } from "../../../../domain/time/time-zone.ts"
import type { ShownLine } from "../../../../storage/port/store.ts"
import { formatDate, formatFlight, formatNumber, formatPercent, formatShortDate } from "../format.tsx"
import { CHARACTER_SHARE, type Panel, Plot, type PlotBar, type PlotLine, type Tip, ticksUpTo } from "./plot.tsx"

type TotalChartProps = Readonly<{ line: ShownLine; course: LineCourse; now: Moment; low?: boolean }>

const DAY_LABELS_WANTED = 8

/** The moments that the chart spans: the flight, and what was measured after it. */
function spanOf({ flightStart, flightEnd, seller: { timeZone } }: ShownLine, { series, days }: LineCourse) {
  const start = Math.min(startOfDay(flightStart, timeZone), series[0]?.asOf ?? Number.POSITIVE_INFINITY)
  const lastDay = [flightEnd ?? "", days.at(-1)?.day ?? flightStart].toSorted().at(-1) ?? flightStart
  const end = endOfDay(lastDay, timeZone)
  return { start, end, shareOf: (at: Moment) => Math.min(Math.max((at - start) / (end - start), 0), 1) }
}

type Span = ReturnType<typeof spanOf>

/** The running total with its plan and forecast, and below it what each day brought. */
export function TotalChart({ line, course, now, low = false }: TotalChartProps) {
  const span = spanOf(line, course)
  const zone = line.seller.timeZone
  const isRunning = now > span.start && now < span.end
  const total = totalPanel(line, course, span, low)
  return (
    <Plot
      label={`${line.name}: total over the flight`}
      panels={low ? [total] : [total, dayPanel(line, course, span)]}
      days={dayLabels(span, zone, low ? 3 : DAY_LABELS_WANTED)}
      today={isRunning && !low ? span.shareOf(now) : null}
      tips={course.days.map((day) => tipOf(day, line, span))}
    />
  )
}

function totalPanel({ booked }: ShownLine, { series, days, forecast }: LineCourse, span: Span, low: boolean): Panel {
  const last = days.at(-1)
  const top = Math.max(booked ?? 0, forecast?.atEnd ?? 0, ...days.map(({ total }) => total))
  const point = (asOf: Moment, value: number | null) => [span.shareOf(asOf), value ?? 0] as const
  const measured = series.filter(({ quantity }) => quantity !== null)
  const planned = series.filter(({ expected }) => expected !== null)
  // A plan is straight: its ends are enough.
  const ends = planned.length > 1 ? planned.filter((_, i) => i === 0 || i === planned.length - 1) : []
  const lines: PlotLine[] = [
    { kind: "total", points: measured.map(({ asOf, quantity }) => point(asOf, quantity)), area: true },
    { kind: "plan", points: ends.map(({ asOf, expected }) => point(asOf, expected)) },
    { kind: "forecast", points: forecast && last ? [point(last.asOf, last.total), [1, forecast.atEnd]] : [] },
  ]
  const both = [...noteAt(booked, "Booked"), ...noteAt(forecast?.atEnd, "Forecast", "", true)]
  // The lines of both end at the right: the higher label stands above its line, the lower below all of it.
  const [high] = both.toSorted((a, b) => b.value - a.value)
  const course = [...(lines[0]?.points ?? []), ...(lines[2]?.points.slice(1) ?? [])]
  const notes = both.map((note) => {
    const value = valueAt(note.strong ? course : (lines[1]?.points ?? []), 1 - note.text.length * CHARACTER_SHARE)
    return note !== high && value > top * BELOW_SHARE_MIN ? { ...note, value, isBelow: true } : note
  })
  return { ticks: ticksUpTo(top, low ? 2 : 5), lines, notes: low ? [] : notes }
}

// Lower there is no room between the line and the axis.
const BELOW_SHARE_MIN = 0.2

function valueAt(points: PlotLine["points"], at: number): number {
  const next = points.findIndex((point) => point[0] >= at)
  const [from, to] = [points[next - 1], points[next]]
  if (from === undefined || to === undefined) return to?.[1] ?? 0
  return from[1] + ((at - from[0]) / (to[0] - from[0] || 1)) * (to[1] - from[1])
}

const noteAt = (value: number | null | undefined, what: string, unit = "", strong = false) =>
  value == null ? [] : [{ at: 1, value, text: `${what} ${formatNumber(value)}${unit}`, strong }]

function dayPanel({ seller: { timeZone } }: ShownLine, { days, forecast }: LineCourse, span: Span): Panel {
  const bars: PlotBar[] = days.map((day) => ({
    from: span.shareOf(startOfDay(firstDayOf(day), timeZone)),
    to: span.shareOf(endOfDay(day.day, timeZone)),
    value: day.added / day.covers,
    ...(day.covers === 1 ? { tone: "b1" } : { tone: "gap", text: `${daysText(day)}: ${formatNumber(day.added)}` }),
  }))
  const needed = forecast?.neededPerDay ?? null
  const points = [span.shareOf(days.at(-1)?.asOf ?? span.start), 1].map((at) => [at, needed ?? 0] as const)
  const lines: PlotLine[] = [{ kind: "plan", points: needed === null ? [] : points }]
  const top = Math.max(needed ?? 0, ...bars.map(({ value }) => value))
  return { ticks: ticksUpTo(top, 3), bars, lines, notes: noteAt(needed, "Needed:", " a day") }
}

function tipOf(of: DayTotal, { seller: { timeZone } }: ShownLine, span: Span): Tip {
  const { day, asOf, total, added, covers, expected } = of
  const plan =
    expected === null || expected === 0
      ? []
      : [["Plan", `${formatNumber(expected)} (${signedPercent(total / expected - 1)})`] as const]
  return {
    from: span.shareOf(startOfDay(firstDayOf(of), timeZone)),
    to: span.shareOf(endOfDay(day, timeZone)),
    at: span.shareOf(asOf),
    title: covers === 1 ? formatDate(day) : daysText(of),
    rows: [
      ["Total", formatNumber(total)],
      [covers === 1 ? "That day" : `Over ${covers} days`, formatChange(added)],
      ...plan,
    ],
  }
}

/** The days that a bar stands for: 14 Oct – 30 Oct. */
const daysText = (of: DayTotal): string => formatFlight(firstDayOf(of), of.day, of.day.slice(0, 4))

/** What a day brought: +4,424. Of days that nobody measured: 2,131 over 17 days. */
export const addedText = ({ added, covers }: Pick<DayTotal, "added" | "covers">): string =>
  covers === 1 ? formatChange(added) : `${formatNumber(added)} over ${covers} days`

/** A change with its sign: +4,424. */
export const formatChange = (difference: number): string =>
  difference === 0 ? "No change" : `${difference < 0 ? "−" : "+"}${formatNumber(Math.abs(difference))}`

/** A difference with its sign: −17%. What rounds to nothing has none. */
export function signedPercent(share: number): string {
  const text = formatPercent(Math.abs(share))
  if (text === formatPercent(0)) return text
  return `${share < 0 ? "−" : "+"}${text}`
}

function dayLabels({ start, end, shareOf }: Span, zone: string, wanted: number) {
  const count = Math.max(Math.round((end - start) / MICROS_PER_DAY), 1)
  // Weeks are what people compare; a short flight is labelled by the day, a long one by several weeks.
  const step = [1, 2, 7, 14, 28, 56].find((days) => count / days <= wanted) ?? Math.ceil(count / wanted)
  // The end is always named; what would stand too close to it is not.
  const named = Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step)
  const places = count === 1 ? named : [...named.filter((place) => count - place > step), count - 1]
  return places.map((place) => {
    // Noon, so that a change of clocks moves no label to another day.
    const day = dayOf(start + (place + 0.5) * MICROS_PER_DAY, zone)
    const isEnd = place > 0 && place === count - 1
    return { at: isEnd ? 1 : shareOf(startOfDay(day, zone)), text: formatShortDate(day), isEnd }
  })
}
