/** A text with U+0000 in it is an error in PostgreSQL, which would be that of everybody in the same statement. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "\u{fffd}")
}
