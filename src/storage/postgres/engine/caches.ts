export type Caches = ReturnType<typeof replicaCaches>

/**
 * What this replica remembers of the tables, kept under the revision at which it was read. Every request's first read brings the
 * revisions along and says so here: whatever was changed anywhere is forgotten before the request uses it.
 */
export function replicaCaches() {
  const maps: Map<never, never>[] = []
  let seen = { terms: 0, catalogue: 0 }
  let isFresh = false

  function stayFreshForThisTurn(): void {
    if (isFresh) return
    isFresh = true
    setImmediate(() => {
      isFresh = false
    })
  }

  function drop(): void {
    for (const map of maps) map.clear()
  }

  return {
    /** The newest revisions seen; 0 before the first. */
    terms: () => seen.terms,
    catalogue: () => seen.catalogue,
    /** Whether the revisions were read in this turn of the event loop: what is remembered may be told without asking again. */
    isFresh: () => isFresh,
    /** The revisions as a statement read them. Larger ones drop everything that was remembered. */
    saw(terms: number, catalogue: number) {
      stayFreshForThisTurn()
      // Statements overtake each other: what is older than known was read before, and says nothing new.
      if (terms <= seen.terms && catalogue <= seen.catalogue) return
      seen = { terms: Math.max(terms, seen.terms), catalogue: Math.max(catalogue, seen.catalogue) }
      drop()
    },
    map<Key, Value>(most: number) {
      const map = new Map<Key, Value>()
      maps.push(map as Map<never, never>)
      return {
        get: (key: Key) => map.get(key),
        /** Remembers what a statement read together with `revision.terms`, unless the terms have moved on meanwhile. */
        set(key: Key, value: Value, readAt: number) {
          if (readAt !== seen.terms) return
          if (map.size >= most) map.clear()
          map.set(key, value)
        },
      }
    },
    /** Connected anew, perhaps to a server that knows less: nothing remembered counts any more. */
    forget() {
      isFresh = false
      seen = { terms: 0, catalogue: 0 }
      drop()
    },
  }
}
