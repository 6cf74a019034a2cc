import { MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

const FIRST_PAUSE_SECONDS = 30
const PAUSE_SECONDS_MAX = 3_600

/**
 * When to call another service again after this many failures. `chance` is from 0 to 1, so that not all senders try at
 * once.
 */
export function nextAttempt(failures: number, now: Moment, chance: number): Moment {
  const seconds = Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.max(failures - 1, 0), PAUSE_SECONDS_MAX)
  return now + Math.round(seconds * (1 - chance / 2) * MICROS_PER_SECOND)
}
