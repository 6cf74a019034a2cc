import { Trouble } from "../../../domain/trouble.ts"
import type { RowOutcome, SentFeed } from "./feeds.ts"
import { jsonOf, type Row } from "./read-rows.ts"

export interface Sender {
  readonly url: string
  readonly key: string
  readonly feed: SentFeed
  readonly header: readonly string[]
  readonly dryRun: boolean
  readonly wait: (seconds: number) => Promise<void>
  /** Told in words why it takes longer. */
  readonly onPause: (sentence: string) => void
}

// After a failure that may pass by itself: about four minutes in all.
const PAUSES_SECONDS = [1, 2, 4, 8, 15, 30, 60, 120]

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
  return sendFailedAgain(sender, rows, sender.feed.outcomes(answer, rows.length), attempt)
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
  sender.onPause(`The server could not store ${failed.length} rows. Trying again in ${pause} s.`)
  await sender.wait(pause)
  const again = [...(await sendRows(sender, failed, attempt + 1))]
  return outcomes.map((outcome) => (outcome.reason === "internal_error" ? (again.shift() ?? outcome) : outcome))
}

/** Asks until there is an answer to these rows. */
async function request(sender: Sender, rows: readonly Row[]): Promise<unknown> {
  for (let failures = 0; ; ) {
    const response = await attemptOnce(sender, rows)
    if (response instanceof Response && response.ok) return response.json()
    if (response instanceof Response && response.status === 413) return "too large"
    if (response instanceof Response && response.status === 429) {
      await pauseFor(sender, retryAfter(response), "The server asks for a pause.")
      continue
    }
    if (response instanceof Response && !mayPass(response.status)) throw await refusal(response)
    const why = response instanceof Response ? `The server answered ${response.status}.` : response.message
    const pause = PAUSES_SECONDS[failures++]
    if (pause === undefined) throw new Trouble(`${why} It was tried ${failures} times.`)
    await pauseFor(sender, response instanceof Response ? Math.max(pause, retryAfter(response)) : pause, why)
  }
}

async function attemptOnce(
  { url, key, feed, header, dryRun }: Sender,
  rows: readonly Row[],
): Promise<Response | Error> {
  const address = `${url}${feed.path}${dryRun ? "?dry_run=true" : ""}`
  const body = `{"${feed.field}":[${rows.map((row) => jsonOf(row, header, feed.csv)).join(",")}]}`
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
  try {
    const response = await fetch(address, { method: "POST", headers, body, redirect: "manual" })
    // The whole answer is taken here, so that a connection that breaks in its middle counts as broken, too.
    return new Response(await response.bytes(), { status: response.status, headers: response.headers })
  } catch (cause) {
    return new Error(`${url} cannot be reached (${reasonOf(cause)}).`)
  }
}

/** What went wrong, in a word where there is one: the runtime's own sentences are for programmers. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message
}

function mayPass(status: number): boolean {
  return status >= 500 || status === 408
}

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get("retry-after"))
  return Number.isInteger(seconds) && seconds > 0 ? seconds : 1
}

async function pauseFor({ wait, onPause }: Sender, seconds: number, why: string): Promise<void> {
  onPause(`${why} Going on in ${seconds} s.`)
  await wait(seconds)
}

async function refusal(response: Response): Promise<Trouble> {
  const problem: unknown = await response.json().catch(() => null)
  const detail = (problem as { detail?: unknown } | null)?.detail
  const words = typeof detail === "string" ? detail : "It did not say why; is the address right?"
  return new Trouble(`The server refused the request with ${response.status}. ${words}`)
}
