/**
 * Whether PostgreSQL can hold a text: not with U+0000 in it. No name, address or slug may have one, so whoever asks for one finds
 * nothing, as in SQLite; the server would call the question an error.
 */
export function isStorable(text: string): boolean {
  return !text.includes("\0")
}
