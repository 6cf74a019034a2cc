import { once } from "node:events"
import type { Readable } from "node:stream"
import { Busboy, type BusboyInstance } from "@fastify/busboy"
import { BodyRefused, bodyChunks } from "../../http/body/body-chunks.ts"
import { FormTooSlow, FormUnreadable, formRefused } from "../form.ts"
import { yieldToEventLoop } from "../yield-to-event-loop.ts"

/** A form with a file, while the file is still arriving. */
export interface ArrivingForm {
  /** The fields before the file. */
  readonly fields: ReadonlyMap<string, string>
  /** Null when no file was chosen. */
  readonly file: { readonly name: string; readonly chunks: AsyncIterable<Uint8Array> } | null
  /** Stops reading, where the file is refused. */
  stop(): Promise<void>
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
  const stopped = new AbortController()
  const pumping = pump(request, parser, stopped).catch((cause: unknown) =>
    fail(cause instanceof BodyRefused ? formRefused(cause.failure) : new FormTooSlow("it broke off", { cause })),
  )
  const file = await reached.promise
  const stop = () => {
    stopped.abort()
    return pumping
  }
  // Where no file was chosen, browsers send one without a name.
  if (file === null || file.name === "") return { fields, file: null, stop }
  return { fields, file: { name: file.name, chunks: file.stream }, stop }
}

function parserOf(type: string): BusboyInstance {
  const limits = { files: 1, fields: 10, fieldSize: 1_000, fieldNameSize: 100, headerPairs: 20 }
  try {
    return new Busboy({ headers: { "content-type": type }, limits })
  } catch (cause) {
    throw new FormUnreadable("the form has no boundary", { cause })
  }
}

async function pump(request: Request, parser: BusboyInstance, stopped: AbortController): Promise<void> {
  parser.once("error", () => stopped.abort())
  for await (const slice of bodyChunks(request, stopped.signal)) {
    const isTaken = parser.write(slice)
    if (!isTaken) await once(parser, "drain", { signal: stopped.signal })
    // Even after that: all of it may have been stored without a turn of the event loop.
    await yieldToEventLoop()
  }
  parser.end()
}
