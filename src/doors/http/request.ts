import { type Failure, failure } from "../../domain/failure.ts"
import { withoutKey } from "../../domain/keys/api-key.ts"

/**
 * The path of a request's URL, without query and fragment. Slicing is faster than parsing, and enough: Bun has already resolved dots,
 * and leaves out a host that it cannot read. Use this for every decision by path.
 */
export function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2)
  const query = url.indexOf("?", start)
  const fragment = url.indexOf("#", start)
  const end = query < 0 || (fragment >= 0 && fragment < query) ? fragment : query
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
// The shortest is the code of an order.
const TOKEN = /[A-Za-z0-9_-]{22,}/
const TOKENS = new RegExp(TOKEN, "g")
const ENCODED_TOKEN_CHARACTER = /%(?:2D|5F|3\d|[46][1-9A-F]|[57][0-9A])/gi
const SHOWN_CHARACTERS_MAX = 200
// Room for a key that begins in what is shown, with a space between its letters.
const SEARCHED_CHARACTERS_MAX = 400

/** The path of a URL for the log: without the query, and with anything that may be a one-time or share token masked. */
export function logPath(url: string): string {
  const path = decoded(pathOf(url))
  // Not only whole segments: mail programs take the full stop after a link as part of it.
  const safe = TOKEN.test(path) ? path.replace(TOKENS, (part) => (UUID.test(part) ? part : "***")) : path
  return withoutKey(safe.slice(0, SEARCHED_CHARACTERS_MAX)).slice(0, SHOWN_CHARACTERS_MAX)
}

/** Decodes characters of tokens only: others could break a line of the log. */
const decoded = (path: string): string =>
  path.includes("%") ? path.replace(ENCODED_TOKEN_CHARACTER, decodeURIComponent) : path

export const DOORS = ["ingest", "agent", "app", "probe", "other"] as const

/** The door of a URL, as a metric label: a closed set, whatever addresses strangers try. */
export function doorOf(url: string): (typeof DOORS)[number] {
  const path = pathOf(url)
  if (path === "/") return "agent"
  if (path.startsWith("/api/ingest/")) return "ingest"
  if (path === "/app" || path.startsWith("/app/") || path.startsWith("/order/")) return "app"
  return path === "/healthz" || path === "/readyz" ? "probe" : "other"
}

/**
 * The bytes of a body as announced: 0 without a body, infinite where they are not announced. Null for a length that is repeated ("3, 3")
 * or has anything but digits.
 */
export function contentLength({ headers }: Request): number | null {
  const announced = headers.get("content-length")
  if (announced === null) return headers.has("transfer-encoding") ? Number.POSITIVE_INFINITY : 0
  return /^\d{1,15}$/.test(announced) ? Number(announced) : null
}

export function wrongLength(): Failure {
  const detail = "The header Content-Length must be sent once, with nothing but digits."
  return failure("invalid_request", detail, { Connection: "close" })
}

export function lengthRequired(): Failure {
  const detail = "Send the header Content-Length. Only callers with a valid key or session may leave it out."
  return failure("length_required", detail, { Connection: "close" })
}

// W3C Trace Context: version, trace id, id of the caller's span, flags. Lower case only. A later version may have more after them.
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/
const FIRST_VERSION = "00"

/** The trace id of a `traceparent` header; null where there is none or it is malformed, which must not fail a request. */
export function traceIdOf(traceparent: string | null): string | null {
  if (traceparent === null) return null
  const [, version, traceId = null, more] = TRACEPARENT.exec(traceparent) ?? []
  return version === FIRST_VERSION && more !== undefined ? null : traceId
}

/** Cheap ids that are unique across restarts: a random prefix and a counter. Those of a traced request begin with the id of the trace. */
export function requestIds(random: (bytes: number) => Uint8Array): (traceId: string | null) => string {
  const start = random(6).toHex()
  let count = 0
  return (traceId) => {
    const id = `${start}-${(count++).toString(36)}`
    return traceId === null ? id : `${traceId}-${id}`
  }
}
