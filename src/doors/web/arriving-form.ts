import { once } from "node:events"
import type { Readable } from "node:stream"
import { Busboy, type BusboyInstance } from "@fastify/busboy"
import { nextTurn } from "../../next-turn.ts"
import { BodyRefused, bodyChunks } from "../http/body-chunks.ts"
import { FormRefused, formRefused } from "./form.ts"

/**
 * Reads a form up to its file, which is null where none was chosen; `stop` is for a file that is refused. `held` is how much of the file is in
 * memory at a time. Null when this is no such form.
 */
export async function arrivingForm(request: Request, held: number) {
  const type = request.headers.get("content-type") ?? ""
  if (request.body === null || !/^multipart\/form-data/i.test(type)) return null
  const fields = new Map<string, string>()
  const parser = parserOf(type)
  const reached = Promise.withResolvers<{ name: string; chunks: Readable } | null>()
  let stream: Readable | undefined
  parser.on("field", (name, value) => fields.set(name, value))
  parser.on("file", (_, content, name) => {
    stream = content
    // Listened to even if nobody reads it: an error that nobody hears would end the process.
    content.on("error", () => undefined)
    reached.resolve({ name: name ?? "", chunks: content })
  })
  parser.on("finish", () => reached.resolve(null))
  const fail = (error: Error) => {
    stream?.destroy(error)
    reached.reject(error)
  }
  parser.on("error", (cause) => fail(new FormRefused("unreadable", { cause })))
  const stopped = new AbortController()
  const pumping = pump(request, parser, held, stopped).catch((cause: unknown) =>
    fail(cause instanceof BodyRefused ? formRefused(cause.failure) : new FormRefused("too slow", { cause })),
  )
  const file = await reached.promise
  const stop = () => {
    stopped.abort()
    return pumping
  }
  // Where no file was chosen, browsers send one without a name.
  return { fields, file: file?.name ? file : null, stop }
}

function parserOf(type: string): BusboyInstance {
  const limits = { files: 1, fields: 10, fieldSize: 1_000, fieldNameSize: 100, headerPairs: 20 }
  try {
    return new Busboy({ headers: { "content-type": type }, limits })
  } catch (cause) {
    throw new FormRefused("unreadable", { cause })
  }
}

async function pump(request: Request, parser: BusboyInstance, held: number, stopped: AbortController): Promise<void> {
  parser.once("error", () => stopped.abort())
  for await (const slice of bodyChunks(request, held, stopped.signal)) {
    const isTaken = parser.write(slice)
    if (!isTaken) await once(parser, "drain", { signal: stopped.signal })
    // Even after that: all of it may have been stored without a turn of the event loop.
    await nextTurn()
  }
  parser.end()
}
