import { BODIES_AWAITED_PER_ADDRESS_MAX } from "../../domain/limits.ts"
import { oneTimer } from "./one-timer.ts"

export interface BodyDeadlines {
  /** Notes that a body is waited for, so long at most. Call what it answers once that is over. Null when this caller has too many. */
  add(caller: string, giveUp: () => void, patienceMs: number): (() => void) | null
  /** Gives up on those that have been on their way for a while already. */
  relieve(): void
}

interface Awaited {
  readonly since: number
  readonly patienceMs: number
  readonly giveUp: () => void
}

/**
 * Bodies that are on their way. Whoever sends one slowly may take its time, but not the place of others: one address has only so many, and
 * as soon as somebody has to be refused for want of room, the slow ones go. One timer looks after all of them, because one for each would cost every request.
 */
export function bodyDeadlines(slowMs: number): BodyDeadlines {
  const waiting = new Set<Awaited>()
  const byCaller = new Map<string, number>()
  const lookWithin = oneTimer((now) => {
    for (const { since, patienceMs, giveUp } of waiting) if (now - since >= patienceMs) giveUp()
    return waiting.size > 0
  })

  return {
    add(caller, giveUp, patienceMs) {
      const own = byCaller.get(caller) ?? 0
      if (own >= BODIES_AWAITED_PER_ADDRESS_MAX) return null
      byCaller.set(caller, own + 1)
      const entry = { since: performance.now(), patienceMs, giveUp }
      waiting.add(entry)
      lookWithin(patienceMs)
      return () => {
        if (!waiting.delete(entry)) return
        const left = (byCaller.get(caller) ?? 1) - 1
        if (left === 0) byCaller.delete(caller)
        else byCaller.set(caller, left)
      }
    },
    relieve() {
      const now = performance.now()
      // They are in the order of their arrival.
      for (const { since, giveUp } of waiting) {
        if (now - since < slowMs) return
        giveUp()
      }
    },
  }
}
