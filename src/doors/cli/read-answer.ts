// Far more than a server of ours ever answers to a command.
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

/** All bytes of an answer; null when there are too many of them, which are not waited for. */
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
