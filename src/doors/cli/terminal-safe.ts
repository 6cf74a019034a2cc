import { escapeUnprintable } from "../../domain/text/short-text.ts"
import type { Io } from "./io.ts"

/** What the database or a server says must not reach a terminal's own commands; lines and columns stay. */
export function terminalSafe(text: string): string {
  return escapeUnprintable(text, "\n\t")
}

/** The terminal for commands: whatever text they print is made safe on its way out. Bytes, such as a backup, go out as they are. */
export function safeIo(io: Io): Io {
  return {
    ...io,
    out: (content) => io.out(typeof content === "string" ? terminalSafe(content) : content),
    err: (text) => io.err(terminalSafe(text)),
    drawLine: (text) => io.drawLine(escapeUnprintable(text, "")),
  }
}
