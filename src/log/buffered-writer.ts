export interface BufferedWriter {
  add(line: string): void
  flush(): void
}

/** Writes the lines of one turn of the event loop together: under load that is one system call for many requests. */
export function bufferedWriter(write: (lines: string) => void): BufferedWriter {
  let buffered = ""

  function flush(): void {
    const lines = buffered
    buffered = ""
    if (lines !== "") write(lines)
  }

  return {
    add(line) {
      if (buffered === "") setImmediate(flush)
      buffered += line
    },
    flush,
  }
}
