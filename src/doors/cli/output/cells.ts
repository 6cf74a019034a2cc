import { escapeUnprintable } from "../../../domain/text/short-text.ts"

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** One line that a terminal only shows: whoever chose the text must not break the table. */
export function oneLine(text: string): string {
  return escapeUnprintable(text.replace(/\s+/g, " "))
}

/** Filled with spaces to this many columns of the terminal; wide characters take two. */
export function padded(text: string, width: number, isRight = false): string {
  const space = " ".repeat(Math.max(0, width - Bun.stringWidth(text)))
  return isRight ? space + text : text + space
}

/** Shortened to this many columns of the terminal, with an ellipsis where something is missing. */
export function shortened(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text
  let kept = ""
  let used = 1
  for (const { segment } of graphemes.segment(text)) {
    used += Bun.stringWidth(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}
