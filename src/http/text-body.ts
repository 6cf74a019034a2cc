// Bun gathers headers and body in a buffer of 16 KB.
const BUFFER_CHARACTERS = 8_192

/** A text as the body of an answer. Bun sends a large text with a system call for every part of each header, but not a stream. */
export function textBody(text: string): string | ReadableStream {
  if (text.length < BUFFER_CHARACTERS) return text
  const source = {
    type: "direct",
    pull(controller: ReadableStreamDirectController) {
      controller.write(text)
      controller.end()
    },
  }
  return new ReadableStream(source as unknown as UnderlyingSource)
}
