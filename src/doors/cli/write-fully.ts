import { writeSync } from "node:fs"
import { UserError } from "../../domain/user-error.ts"
import { ReaderGone } from "./io.ts"

// A pipe that is full is tried again after so long; longer each time, while nothing moves.
const PAUSE_MS_MAX = 32
const TRY_AGAIN = ["EAGAIN", "EWOULDBLOCK", "EINTR"]

/**
 * Writes every byte before it returns. Whoever else has the pipe open can make it non-blocking for all, so that a write takes only a
 * part, or nothing. Throws ReaderGone when nobody reads any more, and a UserError when the rest cannot be written.
 */
export function writeFully(descriptor: number, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content
  let written = 0
  let pause = 1
  while (written < bytes.length) {
    const count = writeSome(descriptor, bytes, written)
    written += count
    if (count > 0) pause = 1
    else {
      Bun.sleepSync(pause)
      pause = Math.min(pause * 2, PAUSE_MS_MAX)
    }
  }
}

function writeSome(descriptor: number, bytes: Uint8Array, start: number): number {
  try {
    return writeSync(descriptor, bytes, start)
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
    if (TRY_AGAIN.includes(code)) return 0
    if (code === "EPIPE") throw new ReaderGone("nobody reads the output any more", { cause })
    throw new UserError(`The output could not be written: ${inWords(code, cause)}. What is there is not complete.`, {
      cause,
    })
  }
}

function inWords(code: string, cause: unknown): string {
  if (code === "ENOSPC" || code === "EDQUOT") return "no space is left"
  return cause instanceof Error ? cause.message : String(cause)
}
