// Room for what stands before the result of an answer: the name of the protocol and the caller's id.
const ROOM = 128

interface KeptBytes {
  /** With room on both sides of the JSON. */
  readonly bytes: Buffer<ArrayBuffer>
  readonly end: number
}

const kept = new WeakMap<object, KeptBytes>()

/**
 * Keeps the JSON of a result that is sent again and again as the bytes that are sent: putting a long text together anew costs more than
 * sending it (decision 9). They are kept beside the result, which itself stays what MCP says it is.
 */
export function cacheBytes(result: object, json: string): void {
  const end = ROOM + Buffer.byteLength(json)
  const bytes = Buffer.allocUnsafe(end + ROOM)
  bytes.write(json, ROOM)
  kept.set(result, { bytes, end })
}

/** The bytes of `before`, the kept JSON and `after`, good until the next call; undefined when none are kept of this result. */
export function cachedBytes(result: object, before: string, after: string): Uint8Array<ArrayBuffer> | undefined {
  const found = kept.get(result)
  if (found === undefined) return undefined
  const { bytes, end } = found
  const start = ROOM - Buffer.byteLength(before)
  // An id may be as long as a caller likes.
  if (start < 0) return Buffer.concat([Buffer.from(before), bytes.subarray(ROOM, end), Buffer.from(after)])
  bytes.write(before, start)
  return bytes.subarray(start, end + bytes.write(after, end))
}
