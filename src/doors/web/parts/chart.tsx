import type { ComponentChildren } from "preact"

export interface ChartSeries {
  readonly label: string
  /** Which of the stylesheet's chart colours: --chart-TONE. */
  readonly tone: "delivered" | "expected" | "second" | "third"
  readonly dashed?: boolean
}

interface ChartProps {
  readonly caption: string
  readonly zone: string
  /** Whether each value is for a whole day, without a time. */
  readonly daily?: boolean
  readonly series: readonly ChartSeries[]
  /** Seconds since 1970, then one row of values per series. */
  readonly data: readonly (readonly (number | null)[])[]
  /** Shown until the script has drawn the chart, and where scripts do not run. */
  readonly children?: ComponentChildren
}

/** A chart that a script draws from the data in the page. Put a table with the same figures beside it. */
export function Chart({ caption, zone, daily = false, series, data, children }: ChartProps) {
  return (
    <figure class="chart" data-chart={JSON.stringify({ zone, daily, series, data })}>
      <figcaption>{caption}</figcaption>
      <div class="chart-place" aria-hidden="true">
        {children}
      </div>
    </figure>
  )
}
