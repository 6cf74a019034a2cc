import { formatPercent } from "./format.tsx"

type ProgressProps = Readonly<{ label: string; done: number; of: number }>

/** How far something long has got. */
export function Progress({ label, done, of }: ProgressProps) {
  return (
    <div class="field">
      <span class="label">{label}</span>
      <progress max={of} value={done} aria-label={label}>
        {formatPercent(of === 0 ? 0 : done / of)}
      </progress>
    </div>
  )
}
