// Promise: nothing is waited for longer than it may take.
// Held by test/storage/postgres/engine/access.test.ts.
import { DeadlineError } from "./postgres-errors.ts"

/** Every operation has an answer within this time, whatever the network does, unless it says that it may take longer. */
export const OPERATION_MS = 5_000

/** What the promise comes to, or a DeadlineError when the time is over first: `onExpiry` then clears up behind it. */
export function within<Result>(ms: number, started: Promise<Result>, onExpiry?: () => void): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new DeadlineError(`The database did not answer within ${Math.round(ms) / 1000} s`))
      onExpiry?.()
    }, ms)
    started.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
