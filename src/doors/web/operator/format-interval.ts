import { MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import { inNumbers } from "../parts/format.tsx"

/** A span between two happenings: every 24 h. */
export function formatInterval(micros: number): string {
  const hours = micros / MICROS_PER_SECOND / 3_600
  return hours >= 1 ? `formatInterval ${inNumbers(hours)} h` : `formatInterval ${inNumbers(hours * 60)} min`
}
