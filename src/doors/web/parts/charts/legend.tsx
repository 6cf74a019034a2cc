import type { BarTone, PlotLine } from "./plot.tsx"

export interface LegendEntry {
  readonly label: string
  readonly mark: PlotLine["kind"] | BarTone
}

export function Legend({ entries }: { readonly entries: readonly LegendEntry[] }) {
  return (
    <ul class="legend">
      {entries.map(({ label, mark }) => (
        <li key={label}>
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
}
