// Shown in one list, for each name that is not known.
const SHOWN_MAX = 100
// Compared in a few milliseconds.
const COMPARED_MAX = 2_000

/** Finds the items whose words are most like a text, the closest first: by the share of pairs of letters that both have. */
export function closestFirst<Item>(items: readonly Item[], wordsOf: (item: Item) => readonly string[]) {
  const compared = items.slice(0, COMPARED_MAX).map((item) => ({ item, words: wordsOf(item).map(pairsIn) }))
  return (text: string): Item[] => {
    const wanted = pairsIn(text)
    const likeness = (pairs: ReadonlySet<string>) =>
      (2 * pairs.intersection(wanted).size) / (pairs.size + wanted.size || 1)
    return compared
      .map(({ item, words }) => ({ item, rank: Math.max(...words.map(likeness)) }))
      .sort((a, b) => b.rank - a.rank)
      .slice(0, SHOWN_MAX)
      .map(({ item }) => item)
  }
}

function pairsIn(text: string): ReadonlySet<string> {
  const letters = text
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, "")
    .slice(0, 200)
  return new Set(Array.from({ length: Math.max(letters.length - 1, 0) }, (_, i) => letters.slice(i, i + 2)))
}
