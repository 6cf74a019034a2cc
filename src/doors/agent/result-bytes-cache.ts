// For the JSON-RPC envelope around a result, with the caller's id.
const ROOM = 128

interface CachedBytes {
  /** With room on both sides of the JSON. */
  readonly bytes: Buffer<ArrayBuffer>
  readonly end: number
}

const cache = new WeakMap<object, CachedBytes>()

/**
 * Caches the JSON of a frequent result: putting it together costs more than sending it (docs/decisions/0009). Kept beside the
 * result, which stays a plain MCP result.
 */
export function cacheBytes(result: object, json: Buffer): void {
  const end = ROOM + json.length
  const bytes = Buffer.allocUnsafeSlow(end + ROOM)
  json.copy(bytes, ROOM)
  cache.set(result, { bytes, end })
}

/** `before`, the cached JSON and `after`, valid until the next call; undefined when the result is not cached. */
export function cachedBytes(result: object, before: string, after: string): Uint8Array<ArrayBuffer> | undefined {
  const found = cache.get(result)
  if (found === undefined) return undefined
  const { bytes, end } = found
  const start = ROOM - Buffer.byteLength(before)
  // The caller chose a very long id.
  if (start < 0) return Buffer.concat([Buffer.from(before), bytes.subarray(ROOM, end), Buffer.from(after)])
  bytes.write(before, start)
  return bytes.subarray(start, end + bytes.write(after, end))
}
