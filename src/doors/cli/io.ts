/** Thrown when the reader of standard output is gone, as with `| head`; the command then ends silently. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone"
}

/** Standard streams: data goes to `out`, messages go to `err`. */
export interface Io {
  /** Returns once everything is written. */
  out(content: string | Uint8Array): void
  /** Never fails: a lost message must not stop the work. */
  err(text: string): void
  /** Writes text with colours, whose parts are safe already: see output/text.ts. */
  outStyled(text: string): void
  /** Whether `err` goes to a terminal. */
  readonly isTerminal: boolean
  readonly outIsTerminal: boolean
  readonly outHasColours: boolean
  readonly errHasColours: boolean
  /** How wide the terminal is that `out` goes to; null where it goes elsewhere. */
  columns(): number | null
  /** Whether the program was started without a standard output, as with `>&-`. */
  readonly outIsClosed: boolean
  /** Draws a line on the terminal that the next one replaces; an empty text clears it. */
  drawLine(text: string): void
  /** Asks on the terminal; null where nobody sits at one. */
  ask(question: string): Promise<string | null>
  readInput(): Promise<string>
  inputStream(): ReadableStream<Uint8Array>
}

export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`)
}

/** A signal stopped the command. The message says what was done until then; the exit code tells the signal. */
export class Interrupted extends Error {
  override readonly name = "Interrupted"
  readonly exitCode: number

  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}
