import { MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

// A few mistypings cost nothing. After that each failure doubles the wait, up to a quarter of an hour.
const FREE_FAILURES = 5
const WAIT_SECONDS_MAX = 900
const FORGOTTEN_AFTER_SECONDS = 3_600
const PLACES = 65_536

export interface SignInThrottle {
  /** How many seconds this subject must still wait; 0 when it may try now. */
  waitSeconds(subject: string, now: Moment): number
  /** Counts a failure. What comes back takes it out again, for an attempt that turns out to be none. */
  failed(subject: string, now: Moment): () => void
  succeeded(subject: string): void
}

/**
 * Slows whoever fails to sign in, by account and by address, whether or not the account exists. A fixed number of places is
 * shared by hash: no flood can grow memory or push a busy entry out.
 */
export function signInThrottle(seed: number): SignInThrottle {
  const failures = new Uint16Array(PLACES)
  const lastAt = new Float64Array(PLACES)
  const placeOf = (subject: string) => Number(Bun.hash.wyhash(subject, BigInt(seed)) % BigInt(PLACES))

  return {
    waitSeconds(subject, now) {
      const place = placeOf(subject)
      const over = (failures[place] ?? 0) - FREE_FAILURES
      if (over < 0) return 0
      const wait = Math.min(2 ** over, WAIT_SECONDS_MAX)
      return Math.max(0, Math.ceil(wait - (now - (lastAt[place] ?? 0)) / MICROS_PER_SECOND))
    },
    failed(subject, now) {
      const place = placeOf(subject)
      const before = lastAt[place] ?? 0
      if (now - before > FORGOTTEN_AFTER_SECONDS * MICROS_PER_SECOND) failures[place] = 0
      failures[place] = Math.min((failures[place] ?? 0) + 1, 1_000)
      lastAt[place] = now
      return () => {
        failures[place] = Math.max((failures[place] ?? 0) - 1, 0)
        // Another failure may have come meanwhile, whose time counts.
        if (lastAt[place] === now) lastAt[place] = before
      }
    },
    succeeded(subject) {
      failures[placeOf(subject)] = 0
    },
  }
}
