/** The word that was probably meant: at most a third of its letters differ. Null if there is none. */
export function nearestWord(typed: string, words: readonly string[]): string | null {
  const [nearest] = words
    .map((word) => ({ word, distance: editDistance(word, typed) }))
    .sort((one, other) => one.distance - other.distance)
  return nearest !== undefined && nearest.distance * 3 <= nearest.word.length ? nearest.word : null
}

/** How many letters must be added, removed or replaced to make one text of the other. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1]
    for (const [j, otherLetter] of [...other].entries()) {
      const replaced = (row[j] ?? 0) + (letter === otherLetter ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
