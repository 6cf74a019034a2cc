/** The terminal as the commands see it: data goes out, messages for people go to err. */
export interface Io {
  out(text: string): void
  err(text: string): void
  readonly isTerminal: boolean
  /** Where err goes, for what draws on a terminal. */
  readonly errorStream: NodeJS.WritableStream
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
