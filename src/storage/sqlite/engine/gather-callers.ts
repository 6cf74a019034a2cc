// Who was just answered often writes again at once. On a slow disk a sync that begins with the first of them lets all others wait for the
// one after it, so it waits for as many as before, at most for this part of the time that a sync takes.
const GATHERING_SHARE = 1 / 3
// Timers are no finer than this, and on a fast disk nothing is gained.
const GATHERING_MS_MIN = 1
// If fewer than this part came, they need longer: then it is better to work on them while the disk syncs, for this many syncs.
const GATHERED_SHARE_MIN = 3 / 4
const SYNCS_WITHOUT_GATHERING = 16

export interface Gathering {
  syncBegins(): void
  /** With the number of callers that it answers or that wait for the next. */
  syncEnds(callers: number): void
  /** How long the next sync should wait for more callers than these; 0 when it should begin. */
  msLeft(waiting: number): number
  /** Call it when the time is over, with the number of callers that came. */
  gaveUp(waiting: number): void
}

/** Decides how long a sync waits for callers that may share it. */
export function gatherCallers(now: () => number): Gathering {
  let beganAt = 0
  let expected = 0
  let until = 0
  let syncsWithout = 0
  return {
    syncBegins() {
      beganAt = now()
    },
    syncEnds(callers) {
      const endedAt = now()
      syncsWithout = Math.max(0, syncsWithout - 1)
      expected = syncsWithout > 0 ? 0 : callers
      until = endedAt + (endedAt - beganAt) * GATHERING_SHARE
    },
    msLeft(waiting) {
      const ms = waiting >= expected ? 0 : until - now()
      return ms < GATHERING_MS_MIN ? 0 : ms
    },
    gaveUp(waiting) {
      if (waiting < expected * GATHERED_SHARE_MIN) syncsWithout = SYNCS_WITHOUT_GATHERING
    },
  }
}
