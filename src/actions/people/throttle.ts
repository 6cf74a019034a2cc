import { oneMore, remembered, waitSeconds } from "../../domain/people/throttle.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { Tx } from "../../storage/database.ts"
import { failuresOf, forgetFailures, saveFailures } from "../../storage/people/sign-in.ts"
import type { Context } from "../context.ts"

/**
 * Counts an attempt as failed, until `forgetAttempts`. If one of the subjects must wait, nothing is counted and the seconds are
 * returned, else 0. Checking and counting is one step, so that many attempts at once are slowed like one after the other.
 */
export const countAttempt = ({ database, clock }: Context, subjects: readonly string[]): Promise<number> =>
  database.transact((tx) => countAttemptIn(tx, subjects, clock()))

export async function countAttemptIn(tx: Tx, subjects: readonly string[], now: Moment): Promise<number> {
  const before = await failuresOf(tx, subjects)
  const failures = subjects.map((subject) => remembered(before.get(subject), now))
  const wait = Math.max(...failures.map((each) => waitSeconds(each, now)))
  if (wait > 0) return wait
  const after = new Map(subjects.map((subject) => [subject, oneMore(remembered(before.get(subject), now), now)]))
  await saveFailures(tx, after, now)
  return 0
}

export const forgetAttempts = ({ database }: Context, subjects: readonly string[]): Promise<void> =>
  database.transact((tx) => forgetFailures(tx, subjects))
