/** Thrown by a write to standard output that nobody reads any more, as behind `| head`: the command ends without a word. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone"
}

/** The terminal as the commands see it: data goes out, messages for people go to err. */
export interface Io {
  /** Returns once everything is written. */
  out(content: string | Uint8Array): void
  /** Never fails: that a message reaches nobody stops no work. */
  err(text: string): void
  /** Whether err goes to a terminal. */
  readonly isTerminal: boolean
  /** Whether out goes to a terminal. */
  readonly outIsTerminal: boolean
  /** Whether there was no standard output when we were started: whatever is printed reaches nobody. */
  readonly outIsClosed: boolean
  /** On the terminal that err goes to: a line that the next one replaces. An empty one leaves nothing behind. */
  drawLine(text: string): void
  /** The whole of standard input. */
  readInput(): Promise<string>
  /** Standard input as it comes. */
  inputStream(): ReadableStream<Uint8Array>
}

/** One JSON document on standard output, nothing else. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`)
}

/** Rows under a header, columns as wide as their widest entry. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((name, column) => Math.max(name.length, ...rows.map((row) => (row[column] ?? "").length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd()
  return `${[line(header), ...rows.map(line)].join("\n")}\n`
}
