import { type AnswerBy, DATABASE_WITHIN_MS } from "../../port/answer-by.ts"
import { StoreUnavailable } from "../../port/unavailable.ts"

/** Every operation has an answer within this time, whatever the network does. */
export const DEADLINE_MS = DATABASE_WITHIN_MS

/** The database did not answer in time. What was asked of it may still happen. */
export class DeadlineError extends StoreUnavailable {
  override readonly name = "DeadlineError"
}

export type Deadline = ReturnType<typeof deadline>

/** A time that begins now and is shared by all attempts of one operation. */
export function deadline(ms = DEADLINE_MS) {
  const end = performance.now() + ms
  const leftMs = () => Math.max(0, end - performance.now())
  return {
    /** What is left of the time. */
    leftMs,
    /** What the promise comes to, or a DeadlineError when the time is over first: `onExpiry` then clears up behind it. */
    race: <Result>(started: Promise<Result>, onExpiry: () => void) =>
      new Promise<Result>((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new DeadlineError(`The database did not answer within ${Math.round(ms) / 1000} s`))
          onExpiry()
        }, leftMs())
        started.then(resolve, reject).finally(() => clearTimeout(timer))
      }),
  }
}

/** What is left for one step of a request, as a limit of an operation. */
export function leftUntil(answerBy: AnswerBy): { readonly withinMs: number } {
  return { withinMs: answerBy === undefined ? DEADLINE_MS : Math.max(0, answerBy - performance.now()) }
}
