import type { Io } from "../io.ts"

export interface Progress {
  /** How much of it is done, and that in words. */
  at(share: number, words: string): void
  say(sentence: string): void
  stop(): void
}

// Short enough that all of it fits into 60 columns.
const BAR_LENGTH = 12

/** A progress bar on a terminal; elsewhere only the sentences. */
export function progressOf(io: Io): Progress {
  if (!io.isTerminal) return { at() {}, say: (sentence) => io.err(`${sentence}\n`), stop() {} }
  let done = 0
  const percent = () => `${Math.floor(done * 100)}%`.padStart(4)
  const at = (share: number, words: string) => {
    done = Math.min(share, 1)
    io.drawLine(`${"=".repeat(Math.floor(done * BAR_LENGTH)).padEnd(BAR_LENGTH, "-")} ${percent()}  ${words}`)
  }
  at(0, "Sending")
  return {
    at,
    // Without the bar, so that the sentence fits into 60 columns.
    say: (sentence) => io.drawLine(`${percent()}  ${sentence}`),
    stop: () => io.drawLine(""),
  }
}
