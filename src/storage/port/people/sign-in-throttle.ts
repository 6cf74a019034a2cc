import type { CountedFailure } from "../../../domain/people/sign-in.ts"
import type { Moment } from "../../../domain/time/moment.ts"

/** Slows whoever fails to sign in. A subject is an account, an address, or whatever else failures are counted by. */
export interface SignInThrottle {
  /**
   * Counts a failure of each subject, or says how long to wait if one of them must: then nothing is counted. Check and count are one
   * step, so that many attempts at once are slowed as many one after the other are.
   */
  begin(subjects: readonly string[], now: Moment): Promise<SignInAttempt>
  /** Takes failures out again, for an attempt that turned out to be none. */
  takeBack(counted: readonly CountedFailure[]): Promise<void>
  /** Forgets the failures of these subjects. */
  succeeded(subjects: readonly string[]): Promise<void>
}

export interface SignInAttempt {
  /** How many seconds to wait; 0 when the attempt may go on, and was counted. */
  readonly waitSeconds: number
  readonly counted: readonly CountedFailure[]
}
