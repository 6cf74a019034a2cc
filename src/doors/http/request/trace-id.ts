// W3C Trace Context: version, trace id, id of the caller's span, flags. Lower case only. A later version may have more after them.
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/
const FIRST_VERSION = "00"

/** The trace id of a `traceparent` header; null where there is none or it is malformed, which must not fail a request. */
export function traceIdOf(traceparent: string | null): string | null {
  if (traceparent === null) return null
  const [, version, traceId = null, more] = TRACEPARENT.exec(traceparent) ?? []
  return version === FIRST_VERSION && more !== undefined ? null : traceId
}
