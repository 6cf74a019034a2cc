import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { Busboy, type BusboyInstance } from "@fastify/busboy"
import { Refused } from "../../http/problem.ts"
import { scopeOf } from "../../http/request.ts"

interface StreamedFile {
  readonly name: string
  readonly chunks: AsyncIterable<Uint8Array>
}

const LIMITS = { files: 1, fields: 0, headerPairs: 20 } as const

/**
 * Hands over the one file of a form while it arrives, so that it's never in memory as a whole. Null if no file was chosen. If `take`
 * fails, the rest isn't read.
 */
export async function takeFile<Result>(
  request: Request,
  take: (file: StreamedFile) => Promise<Result>,
): Promise<Result | null> {
  if (request.body === null) return null
  const parser = parserFor(request)
  const reached = Promise.withResolvers<StreamedFile | null>()
  let arriving: Readable | undefined
  parser.on("file", (_, chunks, name) => {
    arriving = chunks
    // If the sender disconnects, no listener may be left, and an unhandled error would end the process.
    chunks.on("error", () => undefined)
    // Browsers send a file without a name if none was chosen.
    if (name) reached.resolve({ name, chunks })
    else chunks.resume()
  })
  parser.on("finish", () => reached.resolve(null))
  const stopping = new AbortController()
  const { signal } = scopeOf(request).timeout
  const sent = pipeline(Readable.fromWeb(request.body as never), parser, {
    signal: AbortSignal.any([signal, request.signal, stopping.signal]),
  })
  sent.catch(() => {
    const refused = new Refused("invalid_request", "The form didn’t arrive as a whole.")
    reached.reject(refused)
    // Otherwise the reader of the file would wait for the rest forever.
    arriving?.destroy(refused)
  })
  try {
    const file = await reached.promise
    return file === null ? null : await take(file)
  } finally {
    stopping.abort()
    await sent.catch(() => undefined)
  }
}

function parserFor({ headers }: Request): BusboyInstance {
  try {
    return new Busboy({ headers: { "content-type": headers.get("content-type") ?? "" }, limits: LIMITS })
  } catch {
    throw new Refused("invalid_request", "The form can’t be read.")
  }
}
