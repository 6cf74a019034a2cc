const CONTROL = /\p{Cc}/u

/**
 * Whether a text has 1 to `most` characters, no control characters, and no white space at either end. Half of a surrogate pair
 * isn't a character: two different texts with one would be stored as the same.
 */
export function isTidy(text: string, most: number): boolean {
  if (text === "" || text.length > 2 * most || text.trim() !== text) return false
  return !CONTROL.test(text) && text.isWellFormed() && (text.length <= most || [...text].length <= most)
}
