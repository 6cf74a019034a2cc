// Far more than our server ever sends to a command.
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

/** The body of a response; null when it is too large. */
export async function readAnswer({ body }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > ANSWER_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
