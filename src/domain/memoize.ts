/** Makes something when it is first asked for, and keeps it. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

// A short key may be a part of a long text, which would stay in memory with it.
const KEY_CHARACTERS_OWNED = 200
const owned = <Key>(key: Key): Key =>
  typeof key === "string" && key.length < KEY_CHARACTERS_OWNED ? JSON.parse(JSON.stringify(key)) : key

/** Caches up to `most` results, then starts over: the keys come from callers, so the cache must be bounded. */
export function memoize<Key, Value>(most: number, find: (key: Key) => Value): (key: Key) => Value {
  const cached = new Map<Key, Value>()
  return (key) => {
    const before = cached.get(key)
    if (before !== undefined) return before
    if (cached.size >= most) cached.clear()
    const own = owned(key)
    const value = find(own)
    cached.set(own, value)
    return value
  }
}
