export interface BufferedWriter {
  add(line: string): void
  /** Writes what was added since the last turn. */
  flush(): void
}

/** Writes the lines of one turn of the event loop together: under load that is one call to the system for many requests. */
export function bufferedWriter(write: (lines: string) => void): BufferedWriter {
  let gathered = ""

  function flush(): void {
    const lines = gathered
    gathered = ""
    if (lines !== "") write(lines)
  }

  return {
    add(line) {
      if (gathered === "") setImmediate(flush)
      gathered += line
    },
    flush,
  }
}
