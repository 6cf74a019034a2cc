import { MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

// A few typos are free. After that each failure doubles the wait, up to 15 minutes.
const FREE_FAILURES = 5
const WAIT_SECONDS_MAX = 900
const FORGOTTEN_AFTER_SECONDS = 3_600
const FAILURES_MAX = 1_000
const SLOTS = 65_536

/** What is known of a subject that failed to sign in. */
export interface SignInFailures {
  readonly failures: number
  readonly lastAt: Moment
}

/** A failure that was counted, with all that it takes to undo that. */
export interface CountedFailure {
  readonly subject: string
  readonly at: Moment
  /** When the failure before it was. */
  readonly before: Moment
}

/** How many seconds a subject with these failures must still wait; 0 when it may try now. */
export function signInWaitSeconds({ failures, lastAt }: SignInFailures, now: Moment): number {
  const over = failures - FREE_FAILURES
  if (over < 0) return 0
  const wait = Math.min(2 ** over, WAIT_SECONDS_MAX)
  return Math.max(0, Math.ceil(wait - (now - lastAt) / MICROS_PER_SECOND))
}

export function oneMoreFailure({ failures, lastAt }: SignInFailures, now: Moment): SignInFailures {
  const isForgotten = now - lastAt > FORGOTTEN_AFTER_SECONDS * MICROS_PER_SECOND
  return { failures: Math.min((isForgotten ? 0 : failures) + 1, FAILURES_MAX), lastAt: now }
}

/** Another failure may have come meanwhile, whose time counts. */
export function oneFailureLess({ failures, lastAt }: SignInFailures, { at, before }: CountedFailure): SignInFailures {
  return { failures: Math.max(failures - 1, 0), lastAt: lastAt === at ? before : lastAt }
}

interface FailureCounts {
  waitSeconds(subject: string, now: Moment): number
  failed(subject: string, now: Moment): CountedFailure
  takeBack(counted: CountedFailure): void
  succeeded(subject: string): void
}

/**
 * Counts failures in memory, whether or not there is such an account. A fixed number of slots is shared by hash: no flood can
 * grow memory or push a busy entry out. The seed is unknown to callers, so that none can choose whom it shares a slot with.
 */
export function failureCounts(seed: number): FailureCounts {
  const failures = new Uint16Array(SLOTS)
  const lastAt = new Float64Array(SLOTS)
  const slotOf = (subject: string) => Number(Bun.hash.wyhash(subject, BigInt(seed)) % BigInt(SLOTS))
  const at = (slot: number): SignInFailures => ({ failures: failures[slot] ?? 0, lastAt: lastAt[slot] ?? 0 })

  function set(slot: number, known: SignInFailures): void {
    failures[slot] = known.failures
    lastAt[slot] = known.lastAt
  }

  return {
    waitSeconds: (subject, now) => signInWaitSeconds(at(slotOf(subject)), now),
    failed(subject, now) {
      const slot = slotOf(subject)
      const known = at(slot)
      set(slot, oneMoreFailure(known, now))
      return { subject, at: now, before: known.lastAt }
    },
    takeBack(counted) {
      const slot = slotOf(counted.subject)
      set(slot, oneFailureLess(at(slot), counted))
    },
    succeeded(subject) {
      failures[slotOf(subject)] = 0
    },
  }
}
