import type { Admission } from "../../../domain/callers/rate-limit.ts"
import { RATE_WINDOW_SECONDS } from "../../../domain/limits.ts"
import type { Caches } from "../engine/caches.ts"

const WINDOWS_MAX = 100_000
// Another replica may have revoked the key meanwhile. It is let in no sooner for that, but should soon be told the right reason.
const KEY_REMEMBERED_MS = 1_000
const MS_PER_SECOND = 1_000

export interface FullWindow<Key> {
  readonly limit: number
  /** Whose it is, as the database said; null for whoever is counted without a key. */
  readonly key: Key | null
  /** Until when surely nobody is admitted, on any replica, and by when surely somebody is: between them lies one round trip. */
  readonly untilMs: number
  readonly openMs: number
}

export type FullWindows<Key> = ReturnType<typeof fullWindows<Key>>

/**
 * The windows that the database said are full, until their oldest request leaves them: nobody on any replica is admitted to one
 * before that, so that whoever asks is refused without asking the database. Dropped with everything else that is remembered when
 * a revision moves, as it does when a key is revoked.
 */
export function fullWindows<Key>(caches: Caches) {
  const windows = caches.map<string, FullWindow<Key>>(WINDOWS_MAX)
  return {
    /** Null when the database has to be asked. */
    refusal(id: string, limit: number, nowMs: number): { key: Key | null; admission: Admission } | null {
      const full = windows.get(id)
      if (full === undefined || full.limit !== limit || nowMs >= full.untilMs) return null
      // Its clock was moved back, which only that of a test can be: the database knows what that means.
      if (full.untilMs - nowMs > RATE_WINDOW_SECONDS * MS_PER_SECOND) return null
      const retryAfterSeconds = Math.max(1, Math.ceil((full.openMs - nowMs) / MS_PER_SECOND))
      return { key: full.key, admission: { allowed: false, retryAfterSeconds } }
    },
    add(id: string, full: FullWindow<Key>, nowMs: number, terms: number): void {
      const untilMs = full.key === null ? full.untilMs : Math.min(full.untilMs, nowMs + KEY_REMEMBERED_MS)
      windows.set(id, { ...full, untilMs }, terms)
    },
  }
}
