import type { CliContext } from "./context.ts"
import type { Io } from "./io.ts"

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

const MICROS_BETWEEN_DRAWINGS = 100_000
// Where a log is written, a line now and then is enough.
const MICROS_BETWEEN_LINES = 10_000_000

const VERBS: Readonly<Record<string, string>> = { copy: "Copying", check: "Checking" }

export function moveProgress(io: Io, clock: CliContext["clock"]) {
  const pause = io.isTerminal ? MICROS_BETWEEN_DRAWINGS : MICROS_BETWEEN_LINES
  let shownAt = clock()
  let isDrawn = false
  let said = ""

  function end(): void {
    if (isDrawn) io.drawLine("")
    isDrawn = false
  }

  return {
    end,
    rows(step: string, table: string, rows: number): void {
      const now = clock()
      if (now - shownAt < pause) return
      shownAt = now
      const text = `${VERBS[step] ?? step} ${table}: ${rows.toLocaleString("en")} rows`
      isDrawn = io.isTerminal
      if (io.isTerminal) io.drawLine(text)
      else io.err(`${text}\n`)
    },
    /** Says something, unless it was the last thing said. */
    say(text: string): void {
      if (text === said) return
      said = text
      end()
      io.err(`${text}\n`)
    },
  }
}
