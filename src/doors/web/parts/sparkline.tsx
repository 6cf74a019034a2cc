import type { SeriesPoint } from "../../../domain/delivery/total-series.ts"

const WIDTH = 320
const HEIGHT = 64

/** A small chart of the total over the flight, with the plan as a dashed line. The figures are beside it as text. */
export function Sparkline({ series }: { readonly series: readonly SeriesPoint[] }) {
  const start = series[0]?.asOf ?? 0
  const length = Math.max((series.at(-1)?.asOf ?? start) - start, 1)
  const top = Math.max(1, ...series.map(({ quantity, expected }) => Math.max(quantity ?? 0, expected ?? 0)))
  const place = (at: number, quantity: number) =>
    `${(((at - start) / length) * WIDTH).toFixed(1)},${(HEIGHT - (quantity / top) * HEIGHT).toFixed(1)}`
  const lineOf = (value: (point: SeriesPoint) => number | null) =>
    series.flatMap((point) => {
      const quantity = value(point)
      return quantity === null ? [] : [place(point.asOf, quantity)]
    })
  const expected = lineOf((point) => point.expected)
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {/* The plan is straight between the ends of the flight. */}
      {expected.length > 0 && <polyline class="expected" points={ends(expected).join(" ")} />}
      <polyline class="delivered" points={lineOf(({ quantity }) => quantity).join(" ")} />
    </svg>
  )
}

function ends(places: readonly string[]): string[] {
  return [places[0] ?? "", places.at(-1) ?? ""]
}
