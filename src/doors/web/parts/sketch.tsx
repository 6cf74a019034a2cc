import type { DeliveryTotal } from "../../../domain/delivery.ts"
import { endOfDay, startOfDay } from "../../../domain/time-zone.ts"
import type { ShownLine } from "../../../storage/store.ts"

const WIDTH = 320
const HEIGHT = 64

interface SketchProps {
  readonly line: ShownLine
  readonly points: readonly DeliveryTotal[]
}

/** A small drawing of the total over the flight, with the plan as a dashed line. The figures stand beside it as text. */
export function Sketch({ line, points }: SketchProps) {
  if (points.length === 0 || line.pricingBasis === "flat_rate") return null
  const zone = line.seller.timeZone
  const start = startOfDay(line.flightStart, zone)
  const last = points.at(-1)?.asOf ?? start
  const end = Math.max(line.flightEnd === null ? last : endOfDay(line.flightEnd, zone), last, start + 1)
  const top = Math.max(line.booked ?? 0, ...points.map(({ quantity }) => quantity), 1)
  const place = (at: number, quantity: number) =>
    `${(((at - start) / (end - start)) * WIDTH).toFixed(1)},${(HEIGHT - (quantity / top) * HEIGHT).toFixed(1)}`
  const delivered = [place(start, 0), ...points.map(({ asOf, quantity }) => place(asOf, quantity))]
  return (
    <svg class="sketch" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {line.booked !== null && line.flightEnd !== null && (
        <polyline
          class="expected"
          points={`${place(start, 0)} ${place(endOfDay(line.flightEnd, zone), line.booked)}`}
        />
      )}
      <polyline class="delivered" points={delivered.join(" ")} />
    </svg>
  )
}
