/** Splits items, in order, into rounds in which each key occurs at most once. */
export function distinctKeyBatches<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => unknown,
): readonly (readonly Item[])[] {
  const rounds: Item[][] = []
  let keys = new Set<unknown>()
  for (const item of items) {
    const key = keyOf(item)
    if (rounds.length === 0 || keys.has(key)) {
      rounds.push([])
      keys = new Set()
    }
    keys.add(key)
    rounds.at(-1)?.push(item)
  }
  return rounds
}
