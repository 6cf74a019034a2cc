export interface GatheredLines {
  add(line: string): void
  /** Writes what was added since the last turn. */
  flush(): void
}

/** Writes the lines of one turn of the event loop together: under load that is one call to the system for many requests. */
export function gatherLines(write: (lines: string) => void): GatheredLines {
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
