import { UserError } from "../../../domain/user-error.ts"
import type { RowOutcome, SentFeed } from "./feeds.ts"
import { jsonOf, type Row } from "./rows.ts"
import { isTemporary, type NoAnswer, noAnswer, notOurAnswer, readAnswer, refusal } from "./server.ts"

export interface Sender {
  readonly url: string
  readonly key: string
  readonly feed: SentFeed
  readonly header: readonly string[]
  readonly dryRun: boolean
  readonly timeoutSeconds: number
  /** Aborts the request in flight. */
  readonly stop: AbortSignal
  readonly wait: (seconds: number) => Promise<void>
  readonly deadline: (seconds: number) => AbortSignal
  /** Called with the reason for a pause. */
  readonly onPause: (sentence: string) => void
}

// Pauses after temporary failures: about four minutes in total.
const PAUSES_SECONDS = [1, 2, 4, 8, 15, 30, 60, 120]
// The longest total wait for one batch, including pauses that the server asks for.
const WAIT_SECONDS_MAX = 900

/** Sends rows and returns the outcome of each. Failed requests are repeated, which is safe because figures are totals. */
export async function sendRows(sender: Sender, rows: readonly Row[], attempt = 0): Promise<readonly RowOutcome[]> {
  const answer = await request(sender, rows)
  if (answer === "too large" && rows.length > 1) {
    const middle = Math.ceil(rows.length / 2)
    const first = await sendRows(sender, rows.slice(0, middle))
    return [...first, ...(await sendRows(sender, rows.slice(middle)))]
  }
  if (answer === "too large")
    return [{ reason: "too_large", message: "This row is larger than the largest request the server accepts." }]
  const outcomes = sender.feed.outcomes(answer, rows.length)
  if (outcomes === null) throw notOurAnswer(sender.url)
  return sendFailedAgain(sender, rows, outcomes, attempt)
}

/** Sends rows again, after a pause, that failed with an internal error. */
async function sendFailedAgain(
  sender: Sender,
  rows: readonly Row[],
  outcomes: readonly RowOutcome[],
  attempt: number,
): Promise<readonly RowOutcome[]> {
  const failed = rows.filter((_, i) => outcomes[i]?.reason === "internal_error")
  const pause = PAUSES_SECONDS[attempt]
  if (failed.length === 0 || pause === undefined) return outcomes
  await pauseFor(sender, pause, `The server could not store ${failed.length} rows.`)
  const again = [...(await sendRows(sender, failed, attempt + 1))]
  return outcomes.map((outcome) => (outcome.reason === "internal_error" ? (again.shift() ?? outcome) : outcome))
}

/** Repeats the request until it is answered. */
async function request(sender: Sender, rows: readonly Row[]): Promise<unknown> {
  let waited = 0
  for (let failures = 0; ; ) {
    const response = await attemptOnce(sender, rows)
    if (response instanceof Response && response.ok) return response.json().catch(() => null)
    if (response instanceof Response && response.status === 413) return "too large"
    const delay = await delayOf(sender, response)
    const pause = delay.requested ? 0 : PAUSES_SECONDS[failures++]
    if (pause === undefined) throw new UserError(`${delay.why} Gave up after ${failures} attempts.`)
    const seconds = Math.max(pause, delay.seconds)
    waited += seconds
    if (waited > WAIT_SECONDS_MAX)
      throw new UserError(`${delay.why} The next pause would be ${seconds} s, which is too long.`)
    await pauseFor(sender, seconds, delay.why)
  }
}

interface Delay {
  readonly why: string
  /** The shortest pause. */
  readonly seconds: number
  /** The server asked for the pause (429), so it is not a failure. */
  readonly requested: boolean
}

/** Why to pause and try again. Throws when another try is useless. */
async function delayOf({ url, feed }: Sender, response: Response | NoAnswer): Promise<Delay> {
  if (!(response instanceof Response)) {
    if (!response.temporary) throw new UserError(response.why)
    return { why: response.why, seconds: 0, requested: false }
  }
  const seconds = retryAfter(response)
  if (response.status === 429) return { why: "The server asks for a pause.", seconds, requested: true }
  if (!isTemporary(response.status)) throw await refusal(url, feed.path, response)
  return { why: `The server answered ${response.status}.`, seconds, requested: false }
}

async function attemptOnce(sender: Sender, rows: readonly Row[]): Promise<Response | NoAnswer> {
  const { url, key, feed, header, dryRun, stop, timeoutSeconds } = sender
  const address = `${url}${feed.path}${dryRun ? "?dry_run=true" : ""}`
  const body = `{"${feed.field}":[${rows.map((row) => jsonOf(row, header, feed.csv)).join(",")}]}`
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
  const signal = AbortSignal.any([stop, sender.deadline(timeoutSeconds)])
  try {
    const response = await fetch(address, { method: "POST", headers, body, redirect: "manual", signal })
    // Read completely here, so that a connection that breaks during the response is a failure too.
    const bytes = await readAnswer(response)
    if (bytes === null) throw notOurAnswer(url)
    return new Response(bytes, { status: response.status, headers: response.headers })
  } catch (cause) {
    if (stop.aborted || cause instanceof UserError) throw cause
    return noAnswer(url, cause, timeoutSeconds)
  }
}

export function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get("retry-after"))
  return Number.isInteger(seconds) && seconds > 0 ? seconds : 1
}

async function pauseFor({ wait, onPause }: Sender, seconds: number, why: string): Promise<void> {
  onPause(`${why} Retrying in ${seconds} s.`)
  await wait(seconds)
}
