import { MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import { inNumbers } from "../parts/format.tsx"

/** The operator's pages are about all organizations, so their times are in nobody's zone. */
export const ZONE = "UTC"

/** How often something happens: every 24 h. */
export function formatInterval(micros: number): string {
  const hours = micros / MICROS_PER_SECOND / 3_600
  return hours >= 1 ? `every ${inNumbers(hours)} h` : `every ${inNumbers(hours * 60)} min`
}
