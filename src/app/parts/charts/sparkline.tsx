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
