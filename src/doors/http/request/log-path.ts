import { pathOf } from "./path-of.ts"

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const TOKEN = /[A-Za-z0-9_-]{24,}/
const TOKENS = new RegExp(TOKEN, "g")
const ENCODED_TOKEN_CHARACTER = /%(?:2D|5F|3\d|[46][1-9A-F]|[57][0-9A])/gi
const SHOWN_CHARACTERS_MAX = 200

/** The path of a URL for the log: without the query, and with anything that may be a one-time or share token masked. */
export function logPath(url: string): string {
  const path = decoded(pathOf(url))
  // Not only whole segments: mail programs take the full stop after a link as part of it.
  const shown = TOKEN.test(path) ? path.replace(TOKENS, (part) => (UUID.test(part) ? part : "***")) : path
  return shown.slice(0, SHOWN_CHARACTERS_MAX)
}

/** Decodes characters of tokens only: others could break a line of the log. */
function decoded(path: string): string {
  return path.includes("%") ? path.replace(ENCODED_TOKEN_CHARACTER, decodeURIComponent) : path
}
