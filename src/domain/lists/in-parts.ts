/** A long list in parts of at most so many. */
export function* inParts<Item>(items: readonly Item[], most: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most)
}
