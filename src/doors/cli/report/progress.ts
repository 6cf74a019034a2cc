import { SingleBar } from "cli-progress"
import type { Io } from "../io.ts"
import type { Tally } from "./tally.ts"

export interface Progress {
  /** So many bytes of the file were read so far. */
  bytes(count: number): void
  /** One more row was read. */
  row(): void
  /** What became of the rows that were sent so far. */
  sent(tally: Tally): void
  /** A sentence of its own; the bar goes on below it. */
  say(sentence: string): void
  stop(): void
}

/** A bar on a terminal while a file is sent; elsewhere only the sentences. Of a stream nobody knows how long it is. */
export function progressOf(io: Io, totalBytes: number | null): Progress {
  if (!io.isTerminal) return { bytes() {}, row() {}, sent() {}, say: (sentence) => io.err(`${sentence}\n`), stop() {} }
  const known = "{bar} {percentage}%  "
  const bar = new SingleBar({
    format: `${totalBytes === null ? "" : known}{accepted} accepted, {rejected} rejected  {say}`,
    barsize: 30,
    hideCursor: true,
    // Signals are the command's: it stops the bar, which shows the cursor again.
    gracefulExit: false,
    clearOnComplete: true,
    stream: io.errorStream,
  })
  bar.start(totalBytes ?? 1, 0, { accepted: 0, rejected: 0, say: "" })
  let bytes = 0
  let rows = 0
  return {
    bytes(count) {
      bytes = count
    },
    row() {
      rows++
    },
    // Rows that are read and wait for their turn are not done yet.
    sent: ({ rows: done, accepted, rejected }) =>
      bar.update(totalBytes === null ? 0 : (bytes * done) / rows, { accepted, rejected, say: "" }),
    say: (say) => bar.update({ say }),
    stop: () => bar.stop(),
  }
}
