import { SingleBar } from "cli-progress"
import type { Io } from "../io.ts"
import type { Tally } from "./tally.ts"

export interface Progress {
  bytes(count: number): void
  rows(tally: Tally): void
  /** A sentence of its own; the bar goes on below it. */
  say(sentence: string): void
  stop(): void
}

/** A bar on a terminal while a file is sent; elsewhere only the sentences. Of a stream nobody knows how long it is. */
export function progressOf(io: Io, totalBytes: number | null): Progress {
  if (!io.isTerminal) return { bytes() {}, rows() {}, say: (sentence) => io.err(`${sentence}\n`), stop() {} }
  const known = "{bar} {percentage}%  "
  const bar = new SingleBar({
    format: `${totalBytes === null ? "" : known}{accepted} accepted, {rejected} rejected  {say}`,
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    stream: io.errorStream,
  })
  bar.start(totalBytes ?? 1, 0, { accepted: 0, rejected: 0, say: "" })
  return {
    bytes: (count) => bar.update(totalBytes === null ? 0 : count),
    rows: ({ accepted, rejected }) => bar.update({ accepted, rejected, say: "" }),
    say: (say) => bar.update({ say }),
    stop: () => bar.stop(),
  }
}
