import { classes } from "../blocks.tsx"

// The server draws charts. Positions are percentages and letters keep their size, so a chart fits every width without a
// script. The script adds the tooltip.

/** From 0 at the left to 1 at the right. */
export type Share = number

export type Point = readonly [Share, number]

export interface PlotLine {
  readonly kind: "total" | "plan" | "forecast"
  readonly points: readonly Point[]
}

export type BarTone = "b1" | "b3"

/** A bar of the tone "gap" is a dashed box for days that weren't measured one by one. Its text says what all of them brought. */
export interface PlotBar {
  readonly from: Share
  readonly to: Share
  readonly value: number
  /** The height that it begins at. */
  readonly base?: number
  readonly tone: BarTone | "gap"
  readonly text?: string
}

/** Words at the right end of a panel. */
export interface PlotNote {
  readonly value: number
  readonly text: string
  readonly isStrong?: boolean
  readonly isBelow?: boolean
}

/** One of the drawings above each other that share the days below them. */
export interface Panel {
  readonly ticks: readonly number[]
  /** For amounts of money. */
  readonly currency?: string | undefined
  readonly lines?: readonly PlotLine[]
  readonly bars?: readonly PlotBar[]
  readonly notes?: readonly PlotNote[]
}

/** What the tooltip says for the part of the chart from `from` to `to`. */
export interface Tip {
  readonly from: Share
  readonly to: Share
  /** Where the line through the chart is. */
  readonly at: Share
  readonly title: string
  readonly rows: readonly (readonly [label: string, value: string])[]
}

export interface DayLabel {
  readonly at: Share
  readonly text: string
  readonly isEnd?: boolean
}

interface PlotProps {
  /** What the chart shows. The figures are in a table beside it. */
  readonly label: string
  readonly panels: readonly [Panel] | readonly [Panel, Panel]
  readonly days: readonly DayLabel[]
  readonly today?: Share | null
  readonly tips: readonly Tip[]
}

export function Plot({ label, panels: [upper, lower], days, today = null, tips }: PlotProps) {
  const tipData = tips.map(({ from, to, at, title, rows }) => [rounded(from), rounded(to), rounded(at), title, rows])
  return (
    <figure class="chart" data-tips={JSON.stringify(tipData)}>
      <svg class="plot" height={lower === undefined ? "10rem" : "21rem"} role="img" aria-label={label}>
        <Drawing panel={upper} top={0} bottom={lower === undefined ? 1 : 0.64} />
        {lower !== undefined && <Drawing panel={lower} top={0.76} bottom={1} />}
        {days.map(({ at, text, isEnd = false }, i) => (
          <text
            class={isDroppable(days, i) ? "alt" : undefined}
            x={percent(at)}
            y="100%"
            dy="20"
            text-anchor={isEnd ? "end" : undefined}
          >
            {text}
          </text>
        ))}
        {today !== null && (
          <>
            <line class="now" x1={percent(today)} x2={percent(today)} y2="100%" />
            <text x={percent(today)} dy="-6" text-anchor="middle">
              Today
            </text>
          </>
        )}
      </svg>
    </figure>
  )
}

const rounded = (share: number) => Math.round(share * 10_000) / 10_000

/** A narrow screen hides every second label, and the one beside the last. */
const isDroppable = (days: readonly DayLabel[], i: number) =>
  days.length > 4 && days[i]?.isEnd !== true && (i % 2 === 1 || days[i + 1]?.isEnd === true)

interface DrawingProps {
  readonly panel: Panel
  /** Its vertical room, in shares of the whole. */
  readonly top: Share
  readonly bottom: Share
}

/** A panel with its grid, bars, lines and notes. */
function Drawing({ panel, top, bottom }: DrawingProps) {
  const { ticks, currency, lines = [], bars = [], notes = [] } = panel
  const highest = Math.max(ticks.at(-1) ?? 1, Number.MIN_VALUE)
  const heightOf = (value: number): Share => bottom - (value / highest) * (bottom - top)
  return (
    <>
      {ticks.map((tick) => {
        const y = percent(heightOf(tick))
        return (
          <g>
            <line class="grid" x2="100%" y1={y} y2={y} />
            <text x="-10" y={y} dy="4" text-anchor="end">
              {formatCompact(tick, currency)}
            </text>
          </g>
        )
      })}
      {bars.map((bar) => barOf(bar, heightOf))}
      {lines.length > 0 && (
        <svg viewBox="0 0 1000 1000" aria-hidden="true" preserveAspectRatio="none" width="100%" height="100%">
          {lines.map((line) => lineOf(line, heightOf))}
        </svg>
      )}
      {notes.map(({ value, text, isStrong = false, isBelow = false }) => (
        <text
          class={classes("halo", isStrong && "strong", isBelow && "below")}
          x="100%"
          y={percent(heightOf(value))}
          dy={isBelow ? 18 : -8}
          text-anchor="end"
        >
          {text}
        </text>
      ))}
    </>
  )
}

type HeightOf = (value: number) => Share

/** The width of a character, as a share of a chart. If a box is narrower than its text, only the tooltip shows the text. */
export const CHARACTER_SHARE = 0.0125
const BAR_GAP = 0.18

function barOf({ from, to, value, base = 0, tone, text }: PlotBar, heightOf: HeightOf) {
  const width = to - from
  const gap = tone === "gap" ? 0 : width * BAR_GAP
  const y = heightOf(base + value)
  return (
    <>
      <rect
        class={tone}
        x={percent(from + gap)}
        y={percent(y)}
        width={percent(width - gap * 2)}
        height={percent(heightOf(base) - y)}
      />
      {text !== undefined && width >= text.length * CHARACTER_SHARE && (
        <text class="halo alt" x={percent((from + to) / 2)} y={percent(y)} dy="-5" text-anchor="middle">
          {text}
        </text>
      )}
    </>
  )
}

/** A line is stretched from a square of 1,000 to the room it has. The width of its stroke isn't. */
function lineOf({ kind, points }: PlotLine, heightOf: HeightOf) {
  const places = points.map(([at, value]) => `${trimmed(at * 1_000)} ${trimmed(heightOf(value) * 1_000)}`)
  const [start] = places
  if (start === undefined) return null
  const path = `M${places.join("L")}`
  return (
    <g>
      {kind === "total" && <path class="area" d={`${path}V${trimmed(heightOf(0) * 1_000)}H${start.split(" ")[0]}z`} />}
      <path class={kind === "total" ? "line" : `line ${kind}`} d={path} />
    </g>
  )
}

const SHORT = { notation: "compact", maximumSignificantDigits: 3 } as const

/** A short number for an axis: 420K, 1.5M, €2K, PLN 2K. The currency looks as in the sum above the chart. */
function formatCompact(value: number, currency: string | undefined): string {
  if (currency === undefined) return new Intl.NumberFormat("en", SHORT).format(value)
  return new Intl.NumberFormat("en", { ...SHORT, style: "currency", currency }).format(value)
}

/** Round values from 0 to at least `max`, in about `wanted` steps. */
export function ticksUpTo(max: number, wanted: number, isCount = true): number[] {
  if (!(max > 0)) return [0, 1]
  const rough = max / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10) * power
  // Counts are whole, so their steps are too.
  const step = isCount ? Math.max(Math.ceil(round), 1) : round
  const count = Math.ceil(max / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, i) => i * step)
}

/** A share as a percentage, without a tail of digits. */
export const percent = (share: Share): string => `${trimmed(share * 100)}%`

export const trimmed = (value: number): string => String(Math.round(value * 100) / 100)

interface LegendProps {
  readonly entries: readonly { readonly label: string; readonly mark: PlotLine["kind"] | BarTone }[]
}

export const Legend = ({ entries }: LegendProps) => (
  <ul class="legend">
    {entries.map(({ label, mark }) => (
      <li>
        <svg aria-hidden="true">
          {mark === "b1" || mark === "b3" ? (
            <rect class={mark} width="10" height="10" rx="2" x="3" />
          ) : (
            <path class={mark === "total" ? "line" : `line ${mark}`} d="M0 5H16" />
          )}
        </svg>
        {label}
      </li>
    ))}
  </ul>
)
