import { classes } from "../blocks.tsx"
import { formatPercent } from "../format.tsx"
import { percent, trimmed } from "./plot.tsx"

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
