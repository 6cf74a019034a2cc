import { once } from "node:events"
import type { Readable } from "node:stream"
import { Busboy, type BusboyInstance } from "@fastify/busboy"
import { metaOf } from "../../http/request/request-meta.ts"
import { FormUnreadable } from "../form.ts"
import { yieldToEventLoop } from "../yield-to-event-loop.ts"

// What arrives while we are busy comes as one large piece. Others are served between slices of it.
const SLICE_BYTES = 65_536

/** A form with a file, while the file is still arriving. */
export interface ArrivingForm {
  /** The fields before the file. */
  readonly fields: ReadonlyMap<string, string>
  /** Null when no file was chosen. */
  readonly file: { readonly name: string; readonly chunks: AsyncIterable<Uint8Array> } | null
  /** Reads and drops what is left, so that the browser gets to read the answer. */
  drain(): Promise<void>
}

/** Thrown when the connection broke before all of the form arrived. */
export class FormBroken extends Error {
  override readonly name = "FormBroken"
}

/** Reads a form up to its file. The file is never in memory as a whole. Null when this is no such form. */
export async function arrivingForm(request: Request): Promise<ArrivingForm | null> {
  const type = request.headers.get("content-type") ?? ""
  if (request.body === null || !/^multipart\/form-data/i.test(type)) return null
  const fields = new Map<string, string>()
  const parser = parserOf(type)
  const reached = Promise.withResolvers<{ name: string; stream: Readable } | null>()
  let stream: Readable | undefined
  parser.on("field", (name, value) => fields.set(name, value))
  parser.on("file", (_, found, name) => {
    stream = found
    // Listened to even if nobody reads it: an error that nobody hears would end the process.
    found.on("error", () => undefined)
    reached.resolve({ name: name ?? "", stream: found })
  })
  parser.on("finish", () => reached.resolve(null))
  const fail = (error: Error) => {
    stream?.destroy(error)
    reached.reject(error)
  }
  parser.on("error", (cause) => fail(new FormUnreadable("the form is not written as one", { cause })))
  const pumping = pump(request, request.body, parser).catch((cause: unknown) =>
    fail(new FormBroken("the form did not arrive completely", { cause })),
  )
  const file = await reached.promise
  const drain = async () => {
    file?.stream.resume()
    await pumping
  }
  // Where no file was chosen, browsers send one without a name.
  if (file === null || file.name === "") return { fields, file: null, drain }
  return { fields, file: { name: file.name, chunks: file.stream }, drain }
}

function parserOf(type: string): BusboyInstance {
  const limits = { files: 1, fields: 10, fieldSize: 1_000, fieldNameSize: 100, headerPairs: 20 }
  try {
    return new Busboy({ headers: { "content-type": type }, limits })
  } catch (cause) {
    throw new FormUnreadable("the form has no boundary", { cause })
  }
}

async function pump(request: Request, body: ReadableStream<Uint8Array>, parser: BusboyInstance): Promise<void> {
  const meta = metaOf(request)
  const failed = new AbortController()
  parser.once("error", () => failed.abort())
  for await (const chunk of body) {
    // As long as something arrives, the request is not late, however long it takes.
    meta.bodyArrivedAt = performance.now()
    for (let from = 0; from < chunk.length; from += SLICE_BYTES) {
      const isTaken = parser.write(chunk.subarray(from, from + SLICE_BYTES))
      if (!isTaken) await once(parser, "drain", { signal: failed.signal })
      // Even after that: all of it may have been stored without a turn of the event loop.
      await yieldToEventLoop()
    }
  }
  parser.end()
}
