import { styleText } from "node:util"
import { maskKeys } from "../../../domain/keys/api-key.ts"
import { escapeUnprintable } from "../../../domain/text/short-text.ts"
import type { Io } from "../io.ts"

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** One line that a terminal only shows: the text of a stranger must not break the table. */
export const oneLine = (text: string): string => escapeUnprintable(text.replace(/\s+/g, " "))

/** Filled with spaces to this many columns of the terminal; wide characters take two. */
export function padded(text: string, width: number, isRight = false): string {
  const space = " ".repeat(Math.max(0, width - Bun.stringWidth(text)))
  return isRight ? space + text : text + space
}

/** Shortened to this many columns of the terminal, with an ellipsis where something is missing. */
export function shortened(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text
  let start = ""
  let used = 1
  for (const { segment } of graphemes.segment(text)) {
    used += Bun.stringWidth(segment)
    if (used > width) break
    start += segment
  }
  return `${start.trimEnd()}…`
}

/** Of the sixteen that every terminal theme defines, so that nothing is unreadable on a light or a dark background. */
export type Colour = "bold" | "dim" | "red" | "green"

/** The text in a colour; unchanged where there are no colours. */
export function coloured(text: string, colour: Colour | undefined, hasColours: boolean): string {
  if (colour === undefined || !hasColours || text === "") return text
  return styleText(colour, text, { validateStream: false })
}

/** Whether to use colours on a terminal: not with NO_COLOR (no-color.org), nor where the terminal has none. */
export const wantsColours = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  !environment["NO_COLOR"] && environment["TERM"] !== "dumb"

/** Escapes control characters except newline and tab: stored texts must not control the terminal. */
export const terminalSafe = (text: string): string => escapeUnprintable(text, "\n\t")

/** A message for people: whatever somebody typed in a wrong place, no key of ours goes on into a log or a mail of cron. */
export const messageSafe = (text: string): string => terminalSafe(maskKeys(text))

/** Streams that escape all text. Bytes, such as a backup, are written unchanged. */
export const safeIo = (io: Io): Io => ({
  ...io,
  out: (content) => io.out(typeof content === "string" ? terminalSafe(content) : content),
  err: (text) => io.err(messageSafe(text)),
  drawLine: (text) => io.drawLine(escapeUnprintable(text, "")),
})
