import type { CliContext } from "./context.ts"
import type { Io } from "./io.ts"

const MICROS_BETWEEN_DRAWINGS = 100_000
// Where a log is written, a line now and then is enough.
const MICROS_BETWEEN_LINES = 10_000_000

const VERBS: Readonly<Record<string, string>> = { copy: "Copying", update: "Updating", check: "Checking" }

/** Shows on standard error how far a move is. */
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
