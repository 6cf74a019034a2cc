import type { Outcome } from "../../domain/delivery/delivery.ts"
import { nextTurn } from "../../within.ts"
import { DatabaseUnavailable, type Transact, type Work } from "../database.ts"
import { recordReports, type SentTotals } from "./totals.ts"

// More would keep other writes waiting.
const ITEMS_TOGETHER_MAX = 5_000
// Its own transaction needs the rest of the five seconds in which everybody has an answer.
const WAIT_MS_MAX = 3_000

interface QueuedTotals extends SentTotals {
  /** Whether the request was answered while it waited. If so, nothing may be stored for it any longer. */
  readonly isCancelled?: () => boolean
}

export interface ReportQueue {
  /** Judges and stores totals. Rejects if they couldn't be stored. */
  record(sent: QueuedTotals): Promise<Outcome[]>
}

interface Waiting {
  readonly sent: QueuedTotals
  readonly since: number
  resolve(outcomes: Outcome[]): void
  reject(cause: unknown): void
}

/**
 * One transaction at a time for each seller. Requests that arrive meanwhile are stored together by the next one: with 64 senders of one
 * total each, most of the time would be spent on transactions and statements otherwise. On PostgreSQL, they would also wait for each
 * other there, each with a connection and a snapshot that keeps old versions of rows.
 */
export function openReportQueue(transactReport: Transact): ReportQueue {
  const queues = new Map<number, Waiting[]>()

  /** Stores what is waiting for a seller, until nothing is. */
  async function storeAll(sellerId: number, queue: Waiting[]): Promise<void> {
    queues.set(sellerId, queue)
    while (queue.length > 0) {
      await gathered(queue)
      rejectLate(queue)
      if (queue.length > 0) await store(sellerId, queue)
    }
    queues.delete(sellerId)
  }

  async function store(sellerId: number, queue: Waiting[]): Promise<void> {
    const taken: Waiting[] = []
    const since = queue[0]?.since ?? performance.now()
    try {
      const work: Work<Outcome[][]> = (tx) => {
        // Those that arrived while the transaction began are stored as well. Work that lost its connection is run once more, with
        // the same requests.
        if (taken.length === 0) taken.push(...take(queue).filter(isWanted))
        const sent = taken.map((waiting) => waiting.sent)
        return recordReports(tx, sellerId, sent)
      }
      const outcomes = await transactReport(work, { since })
      for (const [i, { resolve }] of taken.entries()) resolve(outcomes[i] ?? [])
    } catch (cause) {
      const failed = taken.length === 0 ? take(queue) : taken
      for (const { reject } of failed) reject(cause)
    }
  }

  return {
    record(sent) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>()
      const waiting = { sent, since: performance.now(), resolve, reject }
      const queue = queues.get(sent.sellerId)
      if (queue === undefined) void storeAll(sent.sellerId, [waiting])
      else queue.push(waiting)
      return promise
    },
  }
}

/** Takes requests off the queue, at least one. */
function take(queue: Waiting[]): Waiting[] {
  let [count, items] = [0, 0]
  for (const { sent } of queue) {
    items += sent.items.length
    if (count > 0 && items > ITEMS_TOGETHER_MAX) break
    count++
  }
  return queue.splice(0, count)
}

/** Waits as long as each turn of the event loop brings another request, so that one commit serves them all. */
async function gathered(queue: readonly Waiting[]): Promise<void> {
  let count = 0
  while (queue.length > count) {
    count = queue.length
    await nextTurn()
  }
}

/** Fails requests that have waited too long. They are at the front. */
function rejectLate(queue: Waiting[]): void {
  const oldest = performance.now() - WAIT_MS_MAX
  const index = queue.findIndex(({ since }) => since >= oldest)
  for (const { reject } of queue.splice(0, index === -1 ? queue.length : index))
    reject(new DatabaseUnavailable("Other reports of this seller took too long."))
}

function isWanted({ sent, reject }: Waiting): boolean {
  const isCancelled = sent.isCancelled?.() ?? false
  if (isCancelled) reject(new Error("The request took too long."))
  return !isCancelled
}
