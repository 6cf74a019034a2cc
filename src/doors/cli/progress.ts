import { MICROS_PER_SECOND, type Moment } from "../../domain/time/moment.ts"
import type { CliContext } from "./context.ts"
import type { Io } from "./io.ts"

export interface Progress {
  /** Rows of this many bytes were answered; `tally` counts all rows so far. */
  answered(bytes: number, tally: { readonly accepted: number; readonly rejected: number }): void
  /** Shows a sentence next to the bar. */
  say(sentence: string): void
  stop(): void
}

// Short enough that all of it fits into 60 columns.
const BAR_LENGTH = 12

/** A progress bar on a terminal; elsewhere only the sentences. A stream has no known size, and so no bar. */
export function progressOf(io: Io, totalBytes: number | null, clock: () => Moment): Progress {
  if (!io.isTerminal) return { answered() {}, say: (sentence) => io.err(`${sentence}\n`), stop() {} }
  const left = timeLeft(totalBytes, clock)
  let bytes = 0
  let counts = "0 accepted, 0 rejected"
  const draw = (...parts: readonly string[]) => io.drawLine(parts.filter((part) => part !== "").join("  "))
  const share = () => Math.min(bytes / (totalBytes || 1), 1)
  const drawBar = () => draw(totalBytes === null ? "" : bar(share()), counts, left.inWords())
  drawBar()
  return {
    answered(more, { accepted, rejected }) {
      bytes += more
      counts = `${accepted.toLocaleString("en")} accepted, ${rejected.toLocaleString("en")} rejected`
      left.answered(bytes)
      drawBar()
    },
    // Without the bar, so that the sentence fits into 60 columns.
    say: (sentence) => draw(totalBytes === null ? "" : percent(share()), sentence),
    stop: () => io.drawLine(""),
  }
}

// A file may grow while it is sent, so the share is capped.
function bar(share: number): string {
  return `${"=".repeat(Math.floor(share * BAR_LENGTH)).padEnd(BAR_LENGTH, "-")} ${percent(share)}`
}

const percent = (share: number) => `${Math.floor(share * 100)}%`.padStart(4)

// A guess from less would be far off.
const MEASURED_MIN = 2 * MICROS_PER_SECOND

/**
 * How long the rest will take at the speed so far, pauses included. The first answer is where the measuring begins: it also counts the
 * bytes of rows that were skipped.
 */
function timeLeft(totalBytes: number | null, clock: () => Moment) {
  let first: { readonly at: Moment; readonly bytes: number } | undefined
  let seconds: number | undefined
  return {
    answered(bytes: number): void {
      const at = clock()
      first ??= { at, bytes }
      if (totalBytes === null || at - first.at < MEASURED_MIN) return
      const perByte = (at - first.at) / (bytes - first.bytes)
      seconds = (Math.max(0, totalBytes - bytes) * perByte) / MICROS_PER_SECOND
    },
    inWords: () => (seconds === undefined ? "" : `${spanInWords(seconds)} left`),
  }
}

function spanInWords(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

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
