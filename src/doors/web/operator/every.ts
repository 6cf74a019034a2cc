import { MICROS_PER_SECOND } from "../../../domain/moment.ts"
import { inNumbers } from "../parts/format.tsx"

/** A span between two happenings: every 24 h. */
export function every(micros: number): string {
  const hours = micros / MICROS_PER_SECOND / 3_600
  return hours >= 1 ? `every ${inNumbers(hours)} h` : `every ${inNumbers(hours * 60)} min`
}
