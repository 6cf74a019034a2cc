/** Caches up to `most` results, then starts over: the keys come from callers, so the cache must be bounded. */
export function memoize<Key, Value>(most: number, find: (key: Key) => Value): (key: Key) => Value {
  const cached = new Map<Key, Value>()
  return (key) => {
    const before = cached.get(key)
    if (before !== undefined) return before
    if (cached.size >= most) cached.clear()
    const value = find(key)
    cached.set(key, value)
    return value
  }
}
