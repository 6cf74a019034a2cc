export interface AwaitedBodies {
  /** Notes that a body is waited for. Call what it answers once that is over. */
  add(giveUp: () => void): () => void
  /** Gives up on those that have been on their way for a while already. */
  relieve(): void
}

/**
 * Bodies that are on their way. Whoever sends one slowly may take its time, but not the place of others: as soon as somebody has to be
 * refused for want of room, the slow ones go.
 */
export function awaitedBodies(patienceMs: number): AwaitedBodies {
  const waiting = new Set<{ readonly since: number; readonly giveUp: () => void }>()
  return {
    add(giveUp) {
      const entry = { since: performance.now(), giveUp }
      waiting.add(entry)
      return () => waiting.delete(entry)
    },
    relieve() {
      const now = performance.now()
      // They are in the order of their arrival.
      for (const { since, giveUp } of waiting) {
        if (now - since < patienceMs) return
        giveUp()
      }
    },
  }
}
