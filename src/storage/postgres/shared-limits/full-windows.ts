import { RATE_WINDOW_SECONDS } from "../../../domain/limits.ts"
import { MICROS_PER_MS } from "../../../domain/time/moment.ts"
import type { Caches } from "../engine/caches.ts"
import type { Counted } from "./admission-answers.ts"
import type { Answer, FoundKey, Waiting } from "./admission-batch.ts"

const WINDOWS_MAX = 100_000
const MS_PER_SECOND = 1_000
// Another replica may have revoked the key meanwhile. It is let in no sooner for that, but should soon be told the right reason.
const KEY_REMEMBERED_MS = 1_000

interface FullWindow {
  readonly limit: number
  /** Null for whoever is counted without one. */
  readonly key: FoundKey | null
  /** Until when surely nobody is admitted, on any replica, and by when surely somebody is: between them lies one round trip. */
  readonly untilMs: number
  readonly openMs: number
}

interface Answered {
  readonly sentMs: number
  readonly nowMs: number
  readonly terms: number
}

/**
 * The windows that the database said are full, until their oldest request leaves them: nobody on any replica is admitted to one before
 * that, so that whoever asks is refused without asking the database. Dropped when a revision moves, as it does when a key is revoked.
 */
export function fullWindows(caches: Caches) {
  const windows = caches.map<string, FullWindow>(WINDOWS_MAX)
  return {
    /** Null when the database has to be asked. */
    refusal(id: string, limit: number, nowMs: number): Answer | null {
      const full = windows.get(id)
      if (full === undefined || full.limit !== limit || nowMs >= full.untilMs) return null
      // The clock was set back, as only that of a test can be: the database knows what that means.
      if (full.untilMs - nowMs > RATE_WINDOW_SECONDS * MS_PER_SECOND) return null
      const retryAfterSeconds = Math.max(1, Math.ceil((full.openMs - nowMs) / MS_PER_SECOND))
      return { key: full.key, admission: { allowed: false, retryAfterSeconds } }
    },
    /** By what a statement answered that was sent then, by this replica's clock. */
    add({ id, window }: Waiting, { key, leftMicros }: Counted, { sentMs, nowMs, terms }: Answered): void {
      const leftMs = leftMicros / MICROS_PER_MS
      const untilMs = key === null ? sentMs + leftMs : Math.min(sentMs + leftMs, nowMs + KEY_REMEMBERED_MS)
      windows.set(id, { limit: window.limit, key, untilMs, openMs: nowMs + leftMs }, terms)
    },
  }
}
