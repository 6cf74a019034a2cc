const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
// The shortest of our tokens is the code of an order. A token may be percent-encoded, or a mail program may have added a full stop.
const TOKEN = /[A-Za-z0-9_-]{22,}/g
const ENCODED = /%(2D|5F|3\d|[46][1-9A-F]|[57][0-9A])/gi
const CHARACTERS_MAX = 200

/** A path for the log, with anything that may be a one-time or share token masked. */
export function logPath(path: string): string {
  const decoded = path.includes("%") ? path.replace(ENCODED, decodeURIComponent) : path
  return decoded.replace(TOKEN, (part) => (UUID.test(part) ? part : "***")).slice(0, CHARACTERS_MAX)
}
