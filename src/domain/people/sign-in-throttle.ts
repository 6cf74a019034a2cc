import { MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

// A few typos are free. After that each failure doubles the wait, up to 15 minutes.
const FREE_FAILURES = 5
const WAIT_SECONDS_MAX = 900
const FORGOTTEN_AFTER_SECONDS = 3_600
const SLOTS = 65_536

export interface SignInThrottle {
  /** Seconds until this subject may try again; 0 for now. */
  waitSeconds(subject: string, now: Moment): number
  /** Counts a failure. The returned function undoes it, for an attempt that was not made after all. */
  failed(subject: string, now: Moment): () => void
  succeeded(subject: string): void
}

/**
 * Slows down repeated failures to sign in, by account and by address, whether or not the account exists. Subjects share a fixed
 * number of slots by hash: a flood can neither grow memory nor evict a busy entry.
 */
export function signInThrottle(seed: number): SignInThrottle {
  const failures = new Uint16Array(SLOTS)
  const lastAt = new Float64Array(SLOTS)
  const slotOf = (subject: string) => Number(Bun.hash.wyhash(subject, BigInt(seed)) % BigInt(SLOTS))

  return {
    waitSeconds(subject, now) {
      const slot = slotOf(subject)
      const over = (failures[slot] ?? 0) - FREE_FAILURES
      if (over < 0) return 0
      const wait = Math.min(2 ** over, WAIT_SECONDS_MAX)
      return Math.max(0, Math.ceil(wait - (now - (lastAt[slot] ?? 0)) / MICROS_PER_SECOND))
    },
    failed(subject, now) {
      const slot = slotOf(subject)
      const before = lastAt[slot] ?? 0
      if (now - before > FORGOTTEN_AFTER_SECONDS * MICROS_PER_SECOND) failures[slot] = 0
      failures[slot] = Math.min((failures[slot] ?? 0) + 1, 1_000)
      lastAt[slot] = now
      return () => {
        failures[slot] = Math.max((failures[slot] ?? 0) - 1, 0)
        // Unless another failure came meanwhile.
        if (lastAt[slot] === now) lastAt[slot] = before
      }
    },
    succeeded(subject) {
      failures[slotOf(subject)] = 0
    },
  }
}
