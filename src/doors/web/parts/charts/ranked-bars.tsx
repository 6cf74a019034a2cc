import { formatNumber } from "../format.tsx"
import { percentOf } from "./scale.ts"

export interface RankedBar {
  readonly label: string
  readonly value: number
  /** What is wrong with it, such as "nothing open". */
  readonly missing?: string
}

/** What there is most of, first. */
export function RankedBars({ bars }: { readonly bars: readonly RankedBar[] }) {
  const top = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ul class="bars">
      {bars.map(({ label, value, missing }) => (
        <li key={label}>
          <svg aria-hidden="true">
            <rect
              class={missing === undefined ? undefined : "miss"}
              width={percentOf(value / top)}
              height="100%"
              rx="4"
            />
          </svg>
          <span>
            {label}
            {missing !== undefined && <small> {missing}</small>}
          </span>
          <span class="num">{formatNumber(value)}</span>
        </li>
      ))}
    </ul>
  )
}
