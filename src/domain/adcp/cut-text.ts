/** The start of a text, with "…" if something is missing. It's cut between words, unless the only word is too long. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const start = text.slice(0, charactersMax - 1)
  const isAtEnd = /[\s,;]/.test(text.charAt(charactersMax - 1))
  const words = isAtEnd ? start : start.replace(/[\s,;]+[^\s,;]*$/, "")
  return `${words.toWellFormed().trimEnd()}…`
}
