import { memoize } from "../../../../domain/memoize.ts"

// A chart is drawn on the server. All positions are percentages and letters keep their size, so that it fits every width without a
// script or a viewBox; lines are in a stretched drawing inside. A script adds the tooltip at the pointer.

/** From 0 at the left to 1 at the right. */
type Share = number

export interface PlotLine {
  readonly kind: "total" | "plan" | "forecast"
  readonly points: readonly (readonly [Share, number])[]
  readonly area?: boolean
}

/** With a tone of "gap": days that nobody measured one by one, as a dashed box that says what came in all of them. */
export type PlotBar = Readonly<{ from: Share; to: Share; value: number; base?: number; text?: string }> &
  Readonly<{ tone: BarTone | "gap" }>

export type BarTone = "b1" | "b2" | "b3" | "b4" | "b5"

type PlotNote = Readonly<{ at: Share; value: number; text: string; strong?: boolean; isBelow?: boolean }>

/** One of the drawings above each other that share the days below them. */
export interface Panel {
  readonly ticks: readonly number[]
  readonly format?: (value: number) => string
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
  readonly rows: readonly (readonly [string, string])[]
}

interface PlotProps {
  /** What the chart shows; the figures are in a table beside it. */
  readonly label: string
  readonly panels: readonly [Panel] | readonly [Panel, Panel]
  readonly days: readonly { readonly at: Share; readonly text: string; readonly isEnd?: boolean }[]
  readonly today?: Share | null
  readonly tips: readonly Tip[]
}

/** The vertical room of a panel, in shares of the whole. */
type Room = readonly [top: number, bottom: number]

const WHOLE: Room = [0, 1]
const ABOVE: Room = [0, 0.64]
const BELOW: Room = [0.76, 1]

export function Plot({ label, panels, days, today = null, tips }: PlotProps) {
  const isAlone = panels.length === 1
  const rooms = isAlone ? [WHOLE] : [ABOVE, BELOW]
  const roomed = panels.map((panel, i) => ({ panel, room: rooms[i] ?? WHOLE }))
  const data = tips.map(({ from, to, at, title, rows }) => [short(from), short(to), short(at), title, rows])
  return (
    <figure class="chart" data-tips={JSON.stringify(data)}>
      <svg class={isAlone ? "plot low" : "plot tall"} role="img" aria-label={label}>
        {roomed.map(PanelGrid)}
        {days.map(({ at, text, isEnd }, i) => (
          <text
            class={days.length > 4 && !isEnd && (i % 2 === 1 || days[i + 1]?.isEnd) ? "alt" : undefined}
            x={percentOf(at)}
            y="100%"
            dy="20"
            text-anchor={isEnd ? "end" : undefined}
          >
            {text}
          </text>
        ))}
        {roomed.map(PanelFigures)}
        {today !== null && <line class="now" x1={percentOf(today)} x2={percentOf(today)} y2="100%" />}
        {today !== null && !isAlone && (
          <text x={percentOf(today)} dy="-6" text-anchor="middle">
            Today
          </text>
        )}
      </svg>
    </figure>
  )
}

const short = (share: number) => Math.round(share * 10_000) / 10_000

/** The width of a character as a share of a chart with words in it. A box without room has its words in the table and the tooltip. */
export const CHARACTER_SHARE = 0.0125

type PanelProps = Readonly<{ panel: Panel; room: Room }>

const topOf = ({ ticks }: Panel) => Math.max(ticks.at(-1) ?? 1, Number.MIN_VALUE)

/** The height at which a value is drawn, as a share of the whole chart. */
const heightOf = (panel: Panel, [top, bottom]: Room, value: number) => bottom - (value / topOf(panel)) * (bottom - top)

function PanelGrid({ panel, room }: PanelProps) {
  const { ticks, format = (tick: number) => formatCompact(tick) } = panel
  return ticks.map((tick) => {
    const y = percentOf(heightOf(panel, room, tick))
    return (
      <g>
        <line class="grid" x2="100%" y1={y} y2={y} />
        <text x="-10" y={y} dy="4" text-anchor="end">
          {format(tick)}
        </text>
      </g>
    )
  })
}

function PanelFigures({ panel, room }: PanelProps) {
  const { lines = [], bars = [], notes = [] } = panel
  return [
    bars.map(({ from, to, value, base = 0, tone, text }) => {
      const gap = tone === "gap" ? 0 : (to - from) * 0.18
      const bottom = heightOf(panel, room, base)
      const top = heightOf(panel, room, base + value)
      const [y, height] = [percentOf(top), percentOf(bottom - top)]
      return [
        <rect class={tone} x={percentOf(from + gap)} y={y} width={percentOf(to - from - gap * 2)} height={height} />,
        text !== undefined && to - from >= text.length * CHARACTER_SHARE && (
          <text class="halo alt" x={percentOf((from + to) / 2)} y={y} dy="-5" text-anchor="middle">
            {text}
          </text>
        ),
      ]
    }),
    lines.length > 0 && <Lines panel={panel} room={room} />,
    notes.map((note) => (
      <text
        class={["halo", note.strong && "strong", note.isBelow && "below"].filter(Boolean).join(" ")}
        x={percentOf(note.at)}
        y={percentOf(heightOf(panel, room, note.value))}
        dy={note.isBelow ? 18 : -8}
        text-anchor="end"
      >
        {note.text}
      </text>
    )),
  ]
}

const STRETCH = 1_000

/** Lines are stretched to the room they have; their width is not. */
function Lines({ panel, room }: PanelProps) {
  const place = ([at, value]: readonly [Share, number]) =>
    `${trimmed(at * STRETCH)} ${trimmed(heightOf(panel, room, value) * STRETCH)}`
  const pathOf = (points: PlotLine["points"]) => `M${points.map(place).join("L")}`
  const bottom = trimmed(room[1] * STRETCH)
  return (
    <svg viewBox={`0 0 ${STRETCH} ${STRETCH}`} aria-hidden="true" preserveAspectRatio="none" width="100%" height="100%">
      {panel.lines?.map(({ kind, points, area }) => {
        const [first] = points
        if (first === undefined) return null
        const d = pathOf(points)
        return (
          <g>
            {area && <path class="area" d={`${d}V${bottom}H${trimmed(first[0] * STRETCH)}z`} />}
            <path class={kind === "total" ? "line" : `line ${kind}`} d={d} />
          </g>
        )
      })}
    </svg>
  )
}

const compact = memoize(200, (currency: string) => {
  // Steps of a cent are told apart, too.
  const short = { notation: "compact", maximumSignificantDigits: 3 } as const
  const plain = new Intl.NumberFormat("en", short)
  if (currency === "") return plain
  const money = new Intl.NumberFormat("en", {
    ...short,
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  })
  // An axis has no room for a code; the sum above it has one.
  return /[a-z]/i.test(money.format(0)) ? plain : money
})

/** Short numbers for an axis: 420K, 1.5M, €2K. */
export const formatCompact = (value: number, currency: string | null = null): string =>
  compact(currency ?? "").format(value)

/** Round values from 0 to at least `max`, about `wanted` steps of them. */
export function ticksUpTo(max: number, wanted: number, isCount = true): number[] {
  if (!(max > 0)) return [0, 1]
  const rough = max / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = ([1, 2, 2.5, 5, 10].find((entry) => entry * power >= rough * 0.999) ?? 10) * power
  // There are no half impressions.
  const step = isCount ? Math.max(Math.ceil(round), 1) : round
  const count = Math.ceil(max / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, i) => i * step)
}

/** A share as a percentage for an attribute, without a tail of digits. */
export const percentOf = (share: number): string => `${trimmed(share * 100)}%`

export const trimmed = (value: number): string => String(Math.round(value * 100) / 100)

type LegendEntry = Readonly<{ label: string; mark: PlotLine["kind"] | BarTone }>

export const Legend = ({ entries }: { readonly entries: readonly LegendEntry[] }) => (
  <ul class="legend">
    {entries.map(({ label, mark }) => (
      <li>
        <svg aria-hidden="true">
          {mark === "total" || mark === "plan" || mark === "forecast" ? (
            <path class={mark === "total" ? "line" : `line ${mark}`} d="M0 5H16" />
          ) : (
            <rect class={mark} width="10" height="10" rx="2" x="3" />
          )}
        </svg>
        {label}
      </li>
    ))}
  </ul>
)
