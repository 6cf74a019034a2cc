import type { Io } from "../io.ts"
import type { Tally } from "./tally.ts"

export interface Progress {
  /** Rows of this many bytes were answered; `tally` counts all rows so far. */
  answered(bytes: number, tally: Tally): void
  /** Shows a sentence next to the bar. */
  say(sentence: string): void
  stop(): void
}

const BAR_LENGTH = 30

/** A progress bar on a terminal; elsewhere only the sentences. A stream has no known size, and so no bar. */
export function progressOf(io: Io, totalBytes: number | null): Progress {
  if (!io.isTerminal) return { answered() {}, say: (sentence) => io.err(`${sentence}\n`), stop() {} }
  let bytes = 0
  let counts = "0 accepted, 0 rejected"
  const draw = (said = "") => io.drawLine(`${totalBytes === null ? "" : bar(bytes / totalBytes)}${counts}  ${said}`)
  draw()
  return {
    answered(more, { accepted, rejected }) {
      bytes += more
      counts = `${accepted} accepted, ${rejected} rejected`
      draw()
    },
    say: draw,
    stop: () => io.drawLine(""),
  }
}

// A file may grow while it is sent, so the share is capped.
function bar(share: number): string {
  const done = Math.min(share || 0, 1)
  return `${"=".repeat(Math.floor(done * BAR_LENGTH)).padEnd(BAR_LENGTH, "-")} ${Math.floor(done * 100)}%  `
}
