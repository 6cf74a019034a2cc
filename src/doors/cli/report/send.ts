import { UserError } from "../../../domain/user-error.ts"
import { readAnswer } from "../read-answer.ts"
import { isTemporary, type NoAnswer, noAnswer, notOurAnswer, refusal } from "./failures.ts"
import type { RowOutcome, SentFeed } from "./feeds.ts"
import { jsonOf, type Row } from "./read-rows.ts"

export interface Sender {
  readonly url: string
  readonly key: string
  readonly feed: SentFeed
  readonly header: readonly string[]
  readonly dryRun: boolean
  readonly timeoutSeconds: number
  /** Ends the request in flight. */
  readonly stop: AbortSignal
  readonly wait: (seconds: number) => Promise<void>
  readonly deadline: (seconds: number) => AbortSignal
  /** Told in words why it takes longer. */
  readonly onPause: (sentence: string) => void
}

// After a failure that may pass by itself: about four minutes in all.
const PAUSES_SECONDS = [1, 2, 4, 8, 15, 30, 60, 120]
// So long a batch waits in all, also for a server that asks for one pause after another.
const PATIENCE_SECONDS = 900

/**
 * Sends rows and tells what became of each. Whatever broke on the way is sent again: figures are totals, so repeating them
 * changes nothing.
 */
export async function sendRows(sender: Sender, rows: readonly Row[], attempt = 0): Promise<readonly RowOutcome[]> {
  const answer = await request(sender, rows)
  if (answer === "too large" && rows.length > 1) {
    const middle = Math.ceil(rows.length / 2)
    const first = await sendRows(sender, rows.slice(0, middle))
    return [...first, ...(await sendRows(sender, rows.slice(middle)))]
  }
  if (answer === "too large")
    return [{ reason: "too_large", message: "The row alone is larger than the server takes." }]
  const outcomes = sender.feed.outcomes(answer, rows.length)
  if (outcomes === null) throw notOurAnswer(sender.url)
  return sendFailedAgain(sender, rows, outcomes, attempt)
}

/** Rows that failed for a reason of the server's own are sent once more, after a pause. */
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

/** Asks until there is an answer to these rows. */
async function request(sender: Sender, rows: readonly Row[]): Promise<unknown> {
  let waited = 0
  for (let failures = 0; ; ) {
    const response = await attemptOnce(sender, rows)
    if (response instanceof Response && response.ok) return response.json().catch(() => null)
    if (response instanceof Response && response.status === 413) return "too large"
    const hindrance = await hindranceOf(sender, response)
    const pause = hindrance.askedFor ? 0 : PAUSES_SECONDS[failures++]
    if (pause === undefined) throw new UserError(`${hindrance.why} It was tried ${failures} times.`)
    const seconds = Math.max(pause, hindrance.seconds)
    waited += seconds
    if (waited > PATIENCE_SECONDS)
      throw new UserError(`${hindrance.why} The next pause would be ${seconds} s, which is too long to wait here.`)
    await pauseFor(sender, seconds, hindrance.why)
  }
}

interface Hindrance {
  readonly why: string
  /** Wait at least so long. */
  readonly seconds: number
  /** The pause is part of the bargain, not a failure. */
  readonly askedFor: boolean
}

/** What is in the way for now. Throws when it will be so for ever. */
async function hindranceOf({ url, feed }: Sender, response: Response | NoAnswer): Promise<Hindrance> {
  if (!(response instanceof Response)) {
    if (!response.temporary) throw new UserError(response.why)
    return { why: response.why, seconds: 0, askedFor: false }
  }
  const seconds = retryAfter(response)
  if (response.status === 429) return { why: "The server asks for a pause.", seconds, askedFor: true }
  if (!isTemporary(response.status)) throw await refusal(url, feed.path, response)
  return { why: `The server answered ${response.status}.`, seconds, askedFor: false }
}

async function attemptOnce(sender: Sender, rows: readonly Row[]): Promise<Response | NoAnswer> {
  const { url, key, feed, header, dryRun, stop, timeoutSeconds } = sender
  const address = `${url}${feed.path}${dryRun ? "?dry_run=true" : ""}`
  const body = `{"${feed.field}":[${rows.map((row) => jsonOf(row, header, feed.csv)).join(",")}]}`
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
  const signal = AbortSignal.any([stop, sender.deadline(timeoutSeconds)])
  try {
    const response = await fetch(address, { method: "POST", headers, body, redirect: "manual", signal })
    // The whole answer is taken here, so that a connection that breaks in its middle counts as broken, too.
    const bytes = await readAnswer(response)
    if (bytes === null) throw notOurAnswer(url)
    return new Response(bytes, { status: response.status, headers: response.headers })
  } catch (cause) {
    if (stop.aborted || cause instanceof UserError) throw cause
    return noAnswer(url, cause, timeoutSeconds)
  }
}

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get("retry-after"))
  return Number.isInteger(seconds) && seconds > 0 ? seconds : 1
}

async function pauseFor({ wait, onPause }: Sender, seconds: number, why: string): Promise<void> {
  onPause(`${why} Retrying in ${seconds} s.`)
  await wait(seconds)
}
