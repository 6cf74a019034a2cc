export interface AwaitedBodies {
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

const LOOK_MS = 1_000

/**
 * Bodies that are on their way. Whoever sends one slowly may take its time, but not the place of others: as soon as somebody has to be
 * refused for want of room, the slow ones go. One timer looks after all of them, because one for each would cost every request.
 */
export function awaitedBodies(slowMs: number): AwaitedBodies {
  const waiting = new Set<Awaited>()
  let timer: NodeJS.Timeout | undefined

  function lookIn(ms: number): void {
    timer = setTimeout(look, ms)
    timer.unref()
  }

  function look(): void {
    timer = undefined
    // Rounded up: a timer may be a little early.
    const now = Math.ceil(performance.now())
    for (const { since, patienceMs, giveUp } of waiting) if (now - since >= patienceMs) giveUp()
    if (waiting.size > 0) lookIn(LOOK_MS)
  }

  return {
    add(giveUp, patienceMs) {
      const entry = { since: performance.now(), patienceMs, giveUp }
      waiting.add(entry)
      if (timer === undefined) lookIn(Math.min(patienceMs, LOOK_MS))
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
