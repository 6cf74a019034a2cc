import { MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

const FIRST_WAIT_SECONDS = 30
const WAIT_SECONDS_MAX = 3_600
// Receivers that were down are not called by all senders at the same moment.
const JITTER = 0.5

/** When to try another service again after so many attempts. `chance` is from 0 to 1. */
export function nextAttempt(attempts: number, now: Moment, chance: number): Moment {
  const seconds = Math.min(FIRST_WAIT_SECONDS * 2 ** Math.max(attempts - 1, 0), WAIT_SECONDS_MAX)
  return now + Math.round(seconds * (1 - JITTER * chance) * MICROS_PER_SECOND)
}
