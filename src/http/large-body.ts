// Bun gathers headers and body in a buffer of 16 KB.
const BUFFER_CHARACTERS = 8_192

/** A text as the body of an answer. A large one is streamed. */
export const textBody = (text: string): string | ReadableStream =>
  text.length < BUFFER_CHARACTERS ? text : largeBody([text])

/**
 * A body of several parts that aren't copied. Bun sends a large text or many bytes with a system call for every part of each header,
 * but not a stream.
 */
export function largeBody(parts: readonly (string | Uint8Array)[]): ReadableStream {
  const source = {
    type: "direct",
    pull(controller: ReadableStreamDirectController) {
      for (const part of parts) controller.write(part as string)
      controller.end()
    },
  }
  return new ReadableStream(source as unknown as UnderlyingSource)
}
