import type { Moment } from "./moment.ts"

const MICROS_PER_MILLISECOND = 1_000

/**
 * A clock in microseconds from one that counts milliseconds. Each look within one millisecond is a microsecond later than the one before,
 * up to its last: two reports of a line that arrive in the same millisecond are then two measurements, not one and its correction.
 * A clock that is set back is followed.
 */
export function microsecondClock(milliseconds: () => number): () => Moment {
  let latest = Number.NaN
  let looks = 0
  return () => {
    const now = milliseconds()
    looks = now === latest ? Math.min(looks + 1, MICROS_PER_MILLISECOND - 1) : 0
    latest = now
    return now * MICROS_PER_MILLISECOND + looks
  }
}
