import { UNPRINTABLE } from "../../domain/short-text.ts"
import type { Io } from "./io.ts"

const UNSAFE = new RegExp(`[${UNPRINTABLE}]`, "g")
const LINE_PARTS = new Set(["\n", "\t"])

/**
 * A text whose characters only show and never act: what the database or a server says must not reach a terminal's own commands. The
 * written form is JSON's, so that a JSON document stays the same document.
 */
export function terminalSafe(text: string): string {
  return text.replace(UNSAFE, (character) =>
    LINE_PARTS.has(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}

/** The terminal for commands: whatever text they print is made safe on its way out. Bytes, such as a backup, go out as they are. */
export function safeIo(io: Io): Io {
  return {
    ...io,
    out: (content) => io.out(typeof content === "string" ? terminalSafe(content) : content),
    err: (text) => io.err(terminalSafe(text)),
  }
}
