// Room for what stands before the result of an answer: the name of the protocol and the caller's id.
const ROOM = 128

/** JSON that is sent again and again, with other words before it each time. */
export interface PreserializedJson {
  /** The bytes of `before`, the JSON and `after`. They are good until the next call. */
  between(before: string, after: string): Uint8Array<ArrayBuffer>
  toString(): string
}

/** Keeps JSON as the bytes that are sent, with room on both sides: putting a long text together anew costs more than sending it. */
export function preserializedJson(json: string): PreserializedJson {
  const size = Buffer.byteLength(json)
  const end = ROOM + size
  const bytes = Buffer.allocUnsafe(end + ROOM)
  bytes.write(json, ROOM)

  return {
    toString: () => bytes.toString("utf8", ROOM, end),
    between(before, after) {
      const start = ROOM - Buffer.byteLength(before)
      // An id may be as long as a caller likes.
      if (start < 0) return Buffer.concat([Buffer.from(before), bytes.subarray(ROOM, end), Buffer.from(after)])
      bytes.write(before, start)
      return bytes.subarray(start, end + bytes.write(after, end))
    },
  }
}
