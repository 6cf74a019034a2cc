const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
// The shortest of our tokens is the code of an order. A token may be percent-encoded, or a mail program may have added a full stop.
const TOKEN = /[A-Za-z0-9_-]{22,}/g
const ENCODED = /%(2D|5F|3\d|[46][1-9A-F]|[57][0-9A])/gi
const CHARACTERS_MAX = 200

/** The path of a URL for the log: without the query, and with anything that may be a one-time or share token masked. */
export function logPath(url: string): string {
  const path = new URL(url).pathname.replace(ENCODED, decodeURIComponent)
  return path.replace(TOKEN, (part) => (UUID.test(part) ? part : "***")).slice(0, CHARACTERS_MAX)
}
