import type { Outcome } from "../../domain/delivery/delivery.ts"
import { nextTurn } from "../../within.ts"
import type { Transact } from "../database.ts"
import { recordReports, type SentTotals } from "./totals.ts"

// More would keep other writes waiting.
const ITEMS_TOGETHER_MAX = 5_000

interface QueuedTotals extends SentTotals {
  /** Whether the request was answered while it waited. Then nothing more may be stored for it. */
  readonly isCancelled?: () => boolean
}

export interface ReportQueue {
  /** Judges and stores totals. Rejects if they couldn't be stored. */
  record(sent: QueuedTotals): Promise<Outcome[]>
}

interface Waiting {
  readonly sent: QueuedTotals
  resolve(outcomes: Outcome[]): void
  reject(cause: unknown): void
}

/**
 * Requests of one seller that wait for the same transaction are stored together: with 64 senders of one total each, most of the time
 * would be spent on transactions and statements otherwise.
 */
export function openReportQueue(transactReport: Transact): ReportQueue {
  const queues = new Map<number, Waiting[]>()

  /** Takes requests off the queue. Those that arrive from now on begin another transaction. */
  function take(sellerId: number): Waiting[] {
    const queue = queues.get(sellerId) ?? []
    queues.delete(sellerId)
    let [count, items] = [0, 0]
    for (const { sent } of queue) {
      items += sent.items.length
      if (count > 0 && items > ITEMS_TOGETHER_MAX) break
      count++
    }
    const rest = queue.splice(count)
    if (rest.length > 0) begin(sellerId, rest)
    return queue
  }

  function begin(sellerId: number, queue: Waiting[]): void {
    queues.set(sellerId, queue)
    void store(sellerId, queue)
  }

  async function store(sellerId: number, queue: readonly Waiting[]): Promise<void> {
    const taken: Waiting[] = []
    await gathered(queue)
    try {
      const outcomes = await transactReport(async (tx) => {
        // Work that lost its connection is run once more, with the same requests.
        if (taken.length === 0) taken.push(...take(sellerId).filter(isWanted))
        return recordReports(
          tx,
          sellerId,
          taken.map(({ sent }) => sent),
        )
      })
      for (const [i, { resolve }] of taken.entries()) resolve(outcomes[i] ?? [])
    } catch (cause) {
      const failed = taken.length === 0 ? take(sellerId) : taken
      for (const { reject } of failed) reject(cause)
    }
  }

  return {
    record(sent) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>()
      const waiting = { sent, resolve, reject }
      const queue = queues.get(sent.sellerId)
      if (queue === undefined) begin(sent.sellerId, [waiting])
      else queue.push(waiting)
      return promise
    },
  }
}

/** Waits as long as each turn of the event loop brings another request, so that one commit serves them all. */
async function gathered(queue: readonly Waiting[]): Promise<void> {
  let count = 0
  while (queue.length > count) {
    count = queue.length
    await nextTurn()
  }
}

function isWanted({ sent, reject }: Waiting): boolean {
  const isCancelled = sent.isCancelled?.() ?? false
  if (isCancelled) reject(new Error("The request took too long."))
  return !isCancelled
}
