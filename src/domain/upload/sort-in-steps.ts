// Sorted or compared between two steps: less than a millisecond.
export const ITEMS_PER_STEP = 1_000

/** Sorts without blocking: other requests are served at every `yield`. Items that compare as equal keep their order. */
export function* sortInSteps<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Generator<void, Item[]> {
  let runs: Item[][] = []
  for (let from = 0; from < items.length; from += ITEMS_PER_STEP) {
    runs.push(items.slice(from, from + ITEMS_PER_STEP).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: Item[][] = []
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* merge(runs[i] ?? [], runs[i + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

function* merge<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Generator<void, Item[]> {
  const merged: Item[] = []
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    const [a, b] = [left[i], right[j]]
    if (b === undefined || (a !== undefined && compare(a, b) <= 0)) {
      if (a !== undefined) merged.push(a)
      i++
    } else {
      merged.push(b)
      j++
    }
    if (merged.length % ITEMS_PER_STEP === 0) yield
  }
  return merged
}

export async function inSteps<Result>(steps: Generator<void, Result>, pause: () => Promise<void>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await pause()
  }
}
