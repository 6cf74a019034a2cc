const CONTROL = /\p{Cc}/u

/**
 * Whether a text has 1 to `most` characters, no control characters, and no white space at either end. Half of a surrogate pair
 * isn't a character: two different texts with one would be stored as the same.
 */
export function isTidy(text: string, most: number): boolean {
  if (text === "" || text.length > 2 * most || text.trim() !== text) return false
  return !CONTROL.test(text) && text.isWellFormed() && (text.length <= most || [...text].length <= most)
}

const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f"
// Pairs are spelled out for validators that match patterns by 16-bit units.
const PAIR = "[\\ud800-\\udbff][\\udc00-\\udfff]"
const INNER = `(?:[^${CONTROLS}\\ud800-\\udfff]|${PAIR})`
const OUTER = `(?:[^\\s${CONTROLS}\\ud800-\\udfff]|${PAIR})`

/** The pattern of a text that `isTidy`, for JSON schemas. */
export const TIDY_PATTERN = `^${OUTER}(?:${INNER}*${OUTER})?$`

/** A unit of a quantity as a word: "impression" for 1, "impressions" for any other number. */
export const unitFor = (count: number, unit: string): string => (count === 1 ? unit.replace(/s$/, "") : unit)

/** The name, with a number behind it if it's taken: "spring-2". */
export function freeName(name: string, taken: ReadonlySet<string>, separator: "-" | "_"): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}${separator}${number}`
  return free
}

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
