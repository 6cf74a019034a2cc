import { oneTimer } from "./one-timer.ts"

export interface BodyDeadlines {
  /** Notes that a body is waited for, so long at most. Call what it answers once that is over. */
  add(giveUp: () => void, patienceMs: number): () => void
  /** Gives up on those that have been on their way for a while already. */
  relieve(): void
}

interface Awaited {
  readonly since: number
  readonly patienceMs: number
  readonly giveUp: () => void
}

/**
 * Bodies that are on their way. Whoever sends one slowly may take its time, but not the place of others: as soon as somebody has to be
 * refused for want of room, the slow ones go. One timer looks after all of them, because one for each would cost every request.
 */
export function bodyDeadlines(slowMs: number): BodyDeadlines {
  const waiting = new Set<Awaited>()
  const lookWithin = oneTimer((now) => {
    for (const { since, patienceMs, giveUp } of waiting) if (now - since >= patienceMs) giveUp()
    return waiting.size > 0
  })

  return {
    add(giveUp, patienceMs) {
      const entry = { since: performance.now(), patienceMs, giveUp }
      waiting.add(entry)
      lookWithin(patienceMs)
      return () => waiting.delete(entry)
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
