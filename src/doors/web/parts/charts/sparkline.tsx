import { percentOf, trimmed } from "./scale.ts"

interface SparklineProps {
  /** What it shows, in words. */
  readonly label: string
  /** One value for each day; null where nothing is known. At the end that means silence. */
  readonly values: readonly (number | null)[]
}

/** A small chart without axes, for a row of a table. */
export function Sparkline({ label, values }: SparklineProps) {
  const top = Math.max(1, ...values.map((value) => value ?? 0))
  const last = values.findLastIndex((value) => value !== null)
  const xOf = (index: number) => index / Math.max(values.length - 1, 1)
  const yOf = (value: number) => 1 - (value / top) * 0.94
  const points = values.flatMap((value, i) =>
    value === null ? [] : [`${trimmed(xOf(i) * 100)} ${trimmed(yOf(value) * 100)}`],
  )
  if (points.length === 0) return null
  const start = points[0]?.split(" ")[0]
  const end = percentOf(xOf(last))
  const height = percentOf(yOf(values[last] ?? 0))
  return (
    <svg class="spark" role="img" aria-label={label}>
      <svg aria-hidden="true" viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">
        <path class="area" d={`M${points.join("L")}V100H${start}z`} />
        <path class="line" d={`M${points.join("L")}`} />
      </svg>
      {last < values.length - 1 && <line class="gap" x1={end} x2="100%" y1={height} y2={height} />}
      <circle cx={end} cy={height} r="2.5" />
    </svg>
  )
}
