import { BODIES_AWAITED_PER_ADDRESS_MAX } from "../../../domain/limits.ts"
import { sharedTimer } from "./shared-timer.ts"

export interface BodyDeadlines {
  /**
   * Notes that a body of this caller is waited for, so long at most. Call what it answers once that is over. Where the caller has too
   * many, the oldest of them is given up.
   */
  add(caller: string, giveUp: () => void, patienceMs: number): () => void
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
 * as soon as somebody has to be refused for want of room, the slow ones go. One timer looks after all of them, because one for each would
 * cost every request.
 */
export function bodyDeadlines(slowMs: number): BodyDeadlines {
  // Both in the order of their arrival.
  const waiting = new Set<Awaited>()
  const byCaller = new Map<string, Set<Awaited>>()
  const lookWithin = sharedTimer((now) => {
    for (const { since, patienceMs, giveUp } of waiting) if (now - since >= patienceMs) giveUp()
    return waiting.size > 0
  })

  function makeRoom(own: ReadonlySet<Awaited>): void {
    if (own.size < BODIES_AWAITED_PER_ADDRESS_MAX) return
    const [oldest] = own
    oldest?.giveUp()
  }

  return {
    add(caller, giveUp, patienceMs) {
      const own = byCaller.get(caller) ?? new Set()
      makeRoom(own)
      const entry = { since: performance.now(), patienceMs, giveUp }
      waiting.add(entry)
      byCaller.set(caller, own.add(entry))
      lookWithin(patienceMs)
      return () => {
        waiting.delete(entry)
        own.delete(entry)
        if (own.size === 0 && byCaller.get(caller) === own) byCaller.delete(caller)
      }
    },
    relieve() {
      const now = performance.now()
      for (const { since, giveUp } of waiting) {
        if (now - since < slowMs) return
        giveUp()
      }
    },
  }
}
