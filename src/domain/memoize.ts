/** Caches up to `most` results, then starts over: the keys come from callers, so the cache must be bounded. */
export function memoize<Key, Value>(most: number, find: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size >= most) known.clear()
    const value = find(key)
    known.set(key, value)
    return value
  }
}
