import { BODIES_AWAITED_PER_ADDRESS_MAX } from "../../../domain/limits.ts"
import { sharedTimer } from "./shared-timer.ts"

export interface BodyDeadlines {
  /**
   * Waits for a body for at most `timeoutMs`. Call the returned function when it has arrived. If the caller has too many, its oldest is
   * given up.
   */
  add(caller: string, giveUp: () => void, timeoutMs: number): () => void
  /** Gives up slow bodies, to make room. */
  dropSlow(): void
}

interface PendingBody {
  readonly since: number
  readonly timeoutMs: number
  readonly giveUp: () => void
}

/**
 * Bodies that are still arriving. An address may have a limited number; slow ones are dropped as soon as a request has to be refused for
 * lack of room.
 */
export function bodyDeadlines(slowMs: number): BodyDeadlines {
  // Both in order of arrival.
  const pending = new Set<PendingBody>()
  const byCaller = new Map<string, Set<PendingBody>>()
  const checkWithin = sharedTimer((now) => {
    for (const { since, timeoutMs, giveUp } of pending) if (now - since >= timeoutMs) giveUp()
    return pending.size > 0
  })

  function makeRoom(own: ReadonlySet<PendingBody>): void {
    if (own.size < BODIES_AWAITED_PER_ADDRESS_MAX) return
    const [oldest] = own
    oldest?.giveUp()
  }

  return {
    add(caller, giveUp, timeoutMs) {
      const own = byCaller.get(caller) ?? new Set()
      makeRoom(own)
      const entry = { since: performance.now(), timeoutMs, giveUp }
      pending.add(entry)
      byCaller.set(caller, own.add(entry))
      checkWithin(timeoutMs)
      return () => {
        pending.delete(entry)
        own.delete(entry)
        if (own.size === 0 && byCaller.get(caller) === own) byCaller.delete(caller)
      }
    },
    dropSlow() {
      const now = performance.now()
      for (const { since, giveUp } of pending) {
        if (now - since < slowMs) return
        giveUp()
      }
    },
  }
}
