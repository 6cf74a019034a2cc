import { MICROS_PER_MS, type Moment } from "./moment.ts"

/**
 * A clock in microseconds from one that counts milliseconds. Each look within a millisecond is a microsecond later than the one before,
 * so two totals of a line that arrive together are two measurements, and not one and its correction.
 */
export function microsecondClock(milliseconds: () => number): () => Moment {
  let latest = 0
  let looks = 0
  return () => {
    const now = milliseconds()
    looks = now === latest ? Math.min(looks + 1, MICROS_PER_MS - 1) : 0
    latest = now
    return now * MICROS_PER_MS + looks
  }
}
