import { MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import { formatNumber } from "../parts/format.tsx"

/** How often something happens: every 24 h. */
export function formatInterval(micros: number): string {
  const hours = micros / MICROS_PER_SECOND / 3_600
  return hours >= 1 ? `every ${formatNumber(hours)} h` : `every ${formatNumber(hours * 60)} min`
}
