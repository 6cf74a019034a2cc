import { escapeUnprintable } from "../../domain/short-text.ts"
import type { Io } from "./io.ts"

/** What the database or a server says must not reach a terminal's own commands; lines and columns stay. */
export function terminalSafe(text: string): string {
  return escapeUnprintable(text, "\n\t")
}

/** The terminal for commands: whatever they print is made safe on its way out. */
export function safeIo(io: Io): Io {
  return { ...io, out: (text) => io.out(terminalSafe(text)), err: (text) => io.err(terminalSafe(text)) }
}
