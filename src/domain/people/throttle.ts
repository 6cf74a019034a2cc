import { MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

/** Failed sign-ins that are counted together, such as those from one address. */
export interface Failures {
  readonly failures: number
  readonly lastAt: Moment
}

// A few typos are free. After that, each failure doubles the wait.
const FREE_FAILURES = 5
const WAIT_SECONDS_MAX = 15 * 60
// Twenty doublings are more than the longest wait.
const FAILURES_MAX = 25

/** Failures before this moment are forgotten. */
export const forgottenBefore = (now: Moment): Moment => now - 3_600 * MICROS_PER_SECOND

const NO_FAILURES: Failures = { failures: 0, lastAt: 0 }

/** The failures that still count. After an hour they are forgotten. */
export const remembered = (failures: Failures | undefined, now: Moment): Failures =>
  failures === undefined || failures.lastAt < forgottenBefore(now) ? NO_FAILURES : failures

/** How many seconds the next attempt must wait. 0 if it may be made now. */
export function waitSeconds({ failures, lastAt }: Failures, now: Moment): number {
  if (failures < FREE_FAILURES) return 0
  const wait = Math.min(2 ** (failures - FREE_FAILURES), WAIT_SECONDS_MAX)
  // A failure of the future was counted while the clock was ahead.
  const passed = Math.max(0, now - lastAt) / MICROS_PER_SECOND
  return Math.max(0, Math.ceil(wait - passed))
}

export const oneMore = ({ failures }: Failures, now: Moment): Failures => ({
  failures: Math.min(failures + 1, FAILURES_MAX),
  lastAt: now,
})
