const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const TOKEN = /^[A-Za-z0-9_-]{24,}$/
const LONG_PART = /[A-Za-z0-9_-]{24}/
const SHOWN_CHARACTERS_MAX = 200

/** The path of an address for the log: without its query, and with every part that may be a one-time or share token masked. */
export function logPath(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2)
  const query = url.indexOf("?", start)
  const path = url.slice(start, query < 0 ? undefined : query)
  // Most paths are plain; only a long part can be a secret.
  if (!LONG_PART.test(path)) return path.slice(0, SHOWN_CHARACTERS_MAX)
  const parts = path.split("/").map((part) => (TOKEN.test(part) && !UUID.test(part) ? "***" : part))
  return parts.join("/").slice(0, SHOWN_CHARACTERS_MAX)
}
