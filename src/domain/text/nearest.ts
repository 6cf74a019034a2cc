// More than this share of a word is no typing mistake.
const CHANGED_MAX = 0.34

/** The known word that somebody most likely meant; undefined when none is similar. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const [first] = known
    .map((word) => ({ word, changes: changesBetween(typed, word) }))
    .filter(({ word, changes }) => changes <= Math.max(typed.length, word.length) * CHANGED_MAX)
    .toSorted((a, b) => a.changes - b.changes)
  return first?.word
}

/** How many letters have to be added, removed, replaced or swapped with the next one. */
function changesBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const changes = [at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1)]
      row.push(Math.min(...changes, isSwapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY))
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

const at = (row: readonly number[], place: number) => row[place] ?? 0
