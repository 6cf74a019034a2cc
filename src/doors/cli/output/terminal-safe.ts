import { escapeUnprintable } from "../../../domain/text/short-text.ts"
import type { Io } from "../io.ts"

/** Escapes control characters except newline and tab: stored texts must not control the terminal. */
export function terminalSafe(text: string): string {
  return escapeUnprintable(text, "\n\t")
}

/** Streams that escape all text. Bytes, such as a backup, are written unchanged. */
export function safeIo(io: Io): Io {
  return {
    ...io,
    out: (content) => io.out(typeof content === "string" ? terminalSafe(content) : content),
    err: (text) => io.err(terminalSafe(text)),
    drawLine: (text) => io.drawLine(escapeUnprintable(text, "")),
  }
}
