// Promise: a body is read up to its limit and within its time, or refused in words.
// Held by test/trust/bounds.test.ts and test/trust/overload.test.ts.
import { peek } from "bun"
import { bodyTooLarge, type Failure, failure, overloaded } from "../../domain/failure.ts"
import { BODY_SECONDS_MAX, JSON_LEVELS_MAX } from "../../domain/limits.ts"
import { isDeeperThan, parseJson } from "../../domain/schema/json.ts"
import { chunkCheck } from "./body-chunks.ts"
import { lengthRequired } from "./request.ts"
import { metaOf, type RequestMeta } from "./request-meta.ts"

/**
 * The body of a request, or why it was refused. Here and elsewhere, a caller that is refused while still sending is answered at once, and the
 * runtime receives the rest without keeping it: closing the connection instead would often lose the answer.
 */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array | Failure> {
  const meta = metaOf(request)
  const { length } = meta
  const isAnnounced = Number.isFinite(length)
  if (isAnnounced && length > bytesMax) return bodyTooLarge(bytesMax)
  if (!isAnnounced && meta.foundToBe === null) return lengthRequired()
  if (!meta.take(Math.min(length, bytesMax))) return overloaded()

  // The runtime reads no more bytes than Content-Length says, so only a body without it needs counting.
  const body = isAnnounced ? request.bytes() : countedBody(request, bytesMax)
  // A small body mostly arrives with its headers and is not waited for.
  const arrived = peek(body)
  return arrived instanceof Uint8Array ? arrived : whole(body, meta)
}

function whole(body: Promise<Uint8Array | Failure>, meta: RequestMeta): Promise<Uint8Array | Failure> {
  const from = performance.now()
  return new Promise((resolve) => {
    const finish = (outcome: Uint8Array | Failure) => {
      meta.waitsNoMore()
      meta.bodyArrivedAt = performance.now()
      meta.bodyWaitedMs = meta.bodyArrivedAt - from
      resolve(outcome)
    }
    // The runtime goes on receiving what it was asked for, unless the connection is closed.
    const refuse = (failed: Failure) => finish({ ...failed, headers: { ...failed.headers, Connection: "close" } })
    meta.waits((why) => refuse(why === "late" ? bodyTimeout() : overloaded()))
    // Rejected when the client disconnects: nobody reads this response.
    body.then(finish, () =>
      finish(failure("invalid_request", "The connection was closed before the whole body arrived.")),
    )
  })
}

async function countedBody(request: Request, bytesMax: number): Promise<Uint8Array | Failure> {
  const reader = request.body?.getReader()
  const check = chunkCheck()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    size += read.value.length
    const refused = size > bytesMax ? bodyTooLarge(bytesMax) : await check(read.value)
    if (refused !== undefined) {
      reader?.cancel().catch(() => undefined)
      return refused
    }
    chunks.push(read.value)
  }
  return Buffer.concat(chunks, size)
}

function bodyTimeout(): Failure {
  const detail = `The body must arrive within ${BODY_SECONDS_MAX} s. Send it again.`
  return failure("body_timeout", detail)
}

const UTF8 = new TextDecoder("utf-8", { fatal: true })

/** Refuses a body that is not declared as uncompressed JSON. Parameters such as `charset` are ignored. */
export function wrongContentType(request: Request): Failure | undefined {
  const type = request.headers.get("content-type") ?? ""
  if (type !== "application/json" && !/^application\/json\s*(?:;|$)/i.test(type)) {
    return failure("unsupported_media_type", "Send the header Content-Type: application/json.")
  }
  const encoding = request.headers.get("content-encoding")
  if (encoding === null || encoding.toLowerCase() === "identity") return undefined
  const detail = "Compressed bodies are not supported. Send the body uncompressed, without Content-Encoding."
  return failure("unsupported_media_type", detail, { "Accept-Encoding": "identity" })
}

/** The parsed JSON body, or why it was refused. */
export async function readJson(request: Request, bytesMax: number): Promise<{ value: unknown } | Failure> {
  const bytes = await readBody(request, bytesMax)
  if (!(bytes instanceof Uint8Array)) return bytes
  const value = parseJson(decode(bytes))
  if (value === undefined) return failure("invalid_json", "The body must be valid JSON in UTF-8.")
  return isDeeperThan(value, JSON_LEVELS_MAX)
    ? failure("invalid_json", `The body may have at most ${JSON_LEVELS_MAX} levels of arrays and objects.`)
    : { value }
}

/** Invalid UTF-8 becomes "", which is not JSON. */
function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    return ""
  }
}
