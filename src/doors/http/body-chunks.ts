// Promise: a file arrives as fast as it must, in pieces that are worth their work, or is refused in words, and others are served meanwhile.
// Held by test/trust/bounds.test.ts, test/trust/pipelined.test.ts and torture/parts/chunks.ts.
import { type Failure, failure, overloaded } from "../../domain/failure.ts"
import { UPLOAD_BYTES_PER_SECOND_MIN } from "../../domain/limits.ts"
import { nextTurn } from "../../next-turn.ts"
import { lengthRequired } from "./request.ts"
import { metaOf, type RequestMeta } from "./request-meta.ts"
import { IDLE_SECONDS } from "./reserved-port.ts"

// What arrives while we are busy comes as one large piece. Others are served between slices of it.
const SLICE_BYTES = 65_536

// Receiving a chunk takes some microseconds, however small it is, and a receive buffer holds a hundred thousand of one byte.
const TINY_BYTES = 16
const TINY_MAX = 1_000
// More than that: nothing but tiny ones are refused before anybody waits, because meanwhile the runtime would receive as many again.
const CHUNKS_AT_ONCE = 2 * TINY_MAX
const BYTES_PER_TINY = 1_024

/**
 * Called with each chunk of a body. Others are served after many of them. Where too many are tiny, the body is refused, and its connection
 * closed: the runtime would go on receiving them. They are counted, because while nobody reads, the runtime makes one large chunk of many.
 * Each kilobyte allows one more: networks cut chunks in two.
 */
export function chunkCheck(): (chunk: Uint8Array) => Promise<Failure | undefined> | undefined {
  let count = 0
  let tiny = 0
  let received = 0
  return (chunk) => {
    received += chunk.length
    if (chunk.length < TINY_BYTES && ++tiny > TINY_MAX + received / BYTES_PER_TINY) return Promise.resolve(tinyChunks())
    return ++count % CHUNKS_AT_ONCE === 0 ? nextTurn()?.then(() => undefined) : undefined
  }
}

/** Thrown where no more of a body is read: there is no room for it, or it arrives too slowly. */
export class BodyRefused extends Error {
  override readonly name = "BodyRefused"
  readonly failure: Failure
  constructor(refused: Failure) {
    super(refused.detail)
    this.failure = refused
  }
}

/**
 * A body as it arrives, in slices. `held` is how much of it is in memory at a time: all of it where somebody collects the slices. Aborting
 * `stop` ends waiting for more.
 */
export async function* bodyChunks(request: Request, held: number, stop?: AbortSignal): AsyncGenerator<Uint8Array> {
  const { body } = request
  if (body === null) return
  const meta = metaOf(request)
  if (meta.length === Number.POSITIVE_INFINITY && meta.foundToBe === null) throw new BodyRefused(lengthRequired())
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => undefined)
  stop?.addEventListener("abort", () => ended.reject(stop.reason))
  if (!meta.take(held)) throw new BodyRefused(overloaded())
  meta.waits((why) => ended.reject(new BodyRefused(why === "late" ? tooSlow() : overloaded())))
  const reader = body.getReader()
  // The runtime would cut a slow connection without a word.
  meta.idleSeconds(0)
  try {
    const next = () => Promise.race([reader.read(), ended.promise])
    for await (const chunk of inTime(next, meta)) {
      for (let from = 0; from < chunk.length; from += SLICE_BYTES) yield chunk.subarray(from, from + SLICE_BYTES)
    }
  } finally {
    meta.waitsNoMore()
    meta.idleSeconds(IDLE_SECONDS)
    reader.cancel().catch(() => undefined)
  }
}

type Read = { readonly done: boolean; readonly value?: Uint8Array | undefined }

/** Only waiting for the caller counts against its time, not what we do with what has arrived. */
async function* inTime(next: () => Promise<Read>, meta: RequestMeta): AsyncGenerator<Uint8Array> {
  const enough = (UPLOAD_BYTES_PER_SECOND_MIN * meta.bodyMs) / 1_000
  const check = chunkCheck()
  let leftMs = meta.bodyMs
  let received = 0
  for (;;) {
    const from = performance.now()
    meta.waitsUntil = from + leftMs
    const { value } = await next()
    const now = performance.now()
    meta.waitsUntil = null
    meta.bodyArrivedAt = now
    if (value === undefined) return
    const refused = await check(value)
    if (refused !== undefined) throw new BodyRefused(refused)
    leftMs -= now - from
    received += value.length
    if (received >= enough) {
      leftMs = meta.bodyMs
      received = 0
    }
    yield value
  }
}

function tinyChunks(): Failure {
  const detail = `Too much of the body came in chunks of less than ${TINY_BYTES} bytes. Send it in larger ones, or with a Content-Length.`
  return failure("invalid_request", detail, { Connection: "close" })
}

function tooSlow(): Failure {
  const detail = `The file arrived too slowly: it needs ${UPLOAD_BYTES_PER_SECOND_MIN / 1_000} KB a second. Nothing of it was kept. Send it again.`
  return failure("body_timeout", detail, { Connection: "close" })
}
