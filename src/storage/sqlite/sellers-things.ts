import { catalogueRevision } from "./catalogue.ts"
import type { Connection } from "./connection.ts"

// About 300 bytes each. A feed names the same few thousand lines and codes day after day.
const REMEMBERED_MAX = 20_000

/**
 * Finds what a seller has under each of many names, and remembers it until the catalogue changes, in this process or another.
 * A name that is not found is looked for again each time, so that strangers' guesses fill nothing.
 */
export function sellersThings<Found extends object>(
  connection: Connection,
  find: (name: string, sellerId: number) => Found | null,
): (sellerId: number, names: readonly string[]) => (Found | undefined)[] {
  const revision = connection.reading.once(catalogueRevision)
  const sellers = new Map<number, Map<string, Found>>()
  let remembered = 0
  let rememberedAt = -1

  function forgetAll(at: number): void {
    sellers.clear()
    remembered = 0
    rememberedAt = at
  }

  function thingsOf(sellerId: number): Map<string, Found> {
    // Read before anything is looked up: whatever changes afterwards shows at the next reading.
    const now = revision(connection)
    if (now !== rememberedAt || remembered > REMEMBERED_MAX) forgetAll(now)
    const known = sellers.get(sellerId) ?? new Map<string, Found>()
    sellers.set(sellerId, known)
    return known
  }

  return (sellerId, names) => {
    const known = thingsOf(sellerId)
    return names.map((name) => {
      const before = known.get(name)
      if (before !== undefined) return before
      const found = find(name, sellerId) ?? undefined
      if (found === undefined) return undefined
      known.set(name, found)
      remembered += 1
      return found
    })
  }
}
