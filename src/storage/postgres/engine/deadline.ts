import { AsyncLocalStorage } from "node:async_hooks"
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
    leftMs,
    /** What the promise comes to, or a DeadlineError when the time is over first: `onExpiry` then clears up behind it. */
    race: <Result>(started: Promise<Result>, onExpiry: () => void = () => undefined) =>
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

/** How long one request has waited for the database. Its own work between two steps, or a body that arrives slowly, does not count. */
interface RequestTime {
  spentMs: number
  /** Steps under way: those that run side by side share their time. */
  steps: number
  since: number
  isAnswered: boolean
}

const requests = new AsyncLocalStorage<RequestTime>()

/** All steps of a request that this handler answers share one deadline. */
export function withOneDeadline<Given extends readonly unknown[], Result>(
  handle: (...given: Given) => Result,
): (...given: Given) => Result {
  return (...given) => {
    const time: RequestTime = { spentMs: 0, steps: 0, since: 0, isAnswered: false }
    // Nobody waits for what a request leaves behind: the rest of a download, what is written to the call log.
    const answered = () => {
      time.isAnswered = true
    }
    const result = requests.run(time, () => handle(...given))
    Promise.resolve(result).then(answered, answered)
    return result
  }
}

/** Runs a step with what is left of its request's time; one that belongs to no request has the usual time for itself. */
export function inRequestTime<Result>(step: (withinMs: number) => Promise<Result>): Promise<Result> {
  const time = requests.getStore()
  return time === undefined || time.isAnswered ? step(DEADLINE_MS) : spending(time, step)
}

async function spending<Result>(time: RequestTime, step: (withinMs: number) => Promise<Result>): Promise<Result> {
  const now = performance.now()
  const waitedMs = time.steps > 0 ? now - time.since : 0
  if (time.steps === 0) time.since = now
  time.steps += 1
  try {
    return await step(Math.max(0, DEADLINE_MS - time.spentMs - waitedMs))
  } finally {
    time.steps -= 1
    if (time.steps === 0) time.spentMs += performance.now() - time.since
  }
}

/** For what many requests share: whoever happens to start it does not give it its time. */
export const outsideRequests = <Result>(work: () => Result): Result => requests.exit(work)
