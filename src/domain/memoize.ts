/** Remembers answers up to a bound, then starts over: callers choose what is asked, so the bound matters. */
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
