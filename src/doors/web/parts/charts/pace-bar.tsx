import { formatPercent } from "../format.tsx"
import { percentOf } from "./scale.ts"

interface PaceBarProps {
  /** Shares of what is booked. */
  readonly delivered: number
  readonly planned: number | null
  readonly isBehind?: boolean
  /** The plan in words, below a high bar. */
  readonly plan?: string
  /** A high bar, for the top of a page. */
  readonly big?: boolean
}

// Rounded ends must not hide a gap that begins below them.
const OVERLAP = 0.01

/** Three things in one bar: what is delivered, what is missing, and the plan as a tick. */
export function PaceBar({ delivered, planned, isBehind = false, plan, big = false }: PaceBarProps) {
  const share = Math.min(delivered, 1)
  const height = big ? 12 : 6
  const words = `${formatPercent(delivered)} delivered${planned === null ? "" : `, ${formatPercent(planned)} planned`}`
  const kind = delivered > 1 ? " over" : ""
  const gap = isBehind && planned !== null && planned > share ? planned - share : 0
  return (
    <svg class={`pace${big ? " big" : ""}${kind}`} role="img" aria-label={words}>
      <rect class="track" width="100%" height={height} rx={height / 2} />
      {gap > 0 && (
        <rect
          class="gap"
          x={percentOf(Math.max(share - OVERLAP, 0))}
          width={percentOf(gap + OVERLAP)}
          height={height}
        />
      )}
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
