import type { Moment } from "../time/moment.ts"
import { type Rhythm, rhythmOf } from "./rhythm.ts"

interface FeedKey {
  readonly revokedAt: Moment | null
  readonly lastUsedAt: Moment | null
  /** The starts of the latest hours with requests. */
  readonly hours: readonly Moment[]
  readonly lastRequest: { readonly at: Moment } | null
}

export interface WatchedKey<Key extends FeedKey = FeedKey> {
  readonly key: Key
  readonly rhythm: Rhythm
  /** Whether it has sent nothing for longer than usual. A revoked key is not expected to. */
  readonly isSilent: boolean
}

export function watchKey<Key extends FeedKey>(key: Key, now: Moment): WatchedKey<Key> {
  const rhythm = rhythmOf(key.hours, key.lastRequest?.at ?? key.lastUsedAt, now)
  return { key, rhythm, isSilent: key.revokedAt === null && rhythm.state === "silent" }
}

export function silentKeys<Key extends FeedKey>(keys: readonly Key[], now: Moment): WatchedKey<Key>[] {
  return keys.map((key) => watchKey(key, now)).filter(({ isSilent }) => isSilent)
}
