/** The pattern of whatever holds a text as it is written: % and _ mean themselves. For ILIKE, which is what LIKE is in SQLite. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`
}
