import { TIME_ZONE_DEFAULT } from "../../../domain/people/organization.ts"
import type { Terms } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { SELLER_SQL } from "../tables/hot-sql.ts"

// About 300 bytes each. Feeds report the same few thousand lines and codes day after day.
const CACHED_MAX = 20_000

/**
 * Looks up what a seller owns under each of the given names, and caches what is found. Names that are not found are not cached, so
 * that guesses cannot fill the cache.
 */
export function sellerTerms<Found>(
  { database, caches, reading }: Connection,
  find: (name: string, sellerId: number) => Found | null,
): (sellerId: number, names: readonly string[]) => Promise<Terms<Found>> {
  const zone = database.query<{ timeZone: string }, [number]>(SELLER_SQL.timeZone)
  const timeZoneOf = reading.cached(CACHED_MAX, (sellerId: number) => zone.get(sellerId)?.timeZone ?? null)
  const sellers = caches.map<number, Map<string, Found>>()
  let cached = 0

  function cachedFor(sellerId: number): Map<string, Found> {
    if (cached > CACHED_MAX) sellers.clear()
    if (sellers.size === 0) cached = 0
    const terms = sellers.get(sellerId) ?? new Map<string, Found>()
    sellers.set(sellerId, terms)
    return terms
  }

  return async (sellerId, names) => {
    // This has to come first: it joins the snapshot of this tick, which drops what another process has changed.
    const timeZone = timeZoneOf(sellerId) ?? TIME_ZONE_DEFAULT
    const terms = cachedFor(sellerId)
    const items = names.map((name) => {
      const before = terms.get(name)
      if (before !== undefined) return before
      const fresh = find(name, sellerId) ?? undefined
      if (fresh === undefined) return undefined
      terms.set(name, fresh)
      cached += 1
      return fresh
    })
    return { revision: caches.revision(), timeZone, items }
  }
}
