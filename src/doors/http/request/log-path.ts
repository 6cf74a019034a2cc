import { pathOf } from "./path-of.ts"

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const TOKEN = /[A-Za-z0-9_-]{24,}/
const TOKENS = new RegExp(TOKEN, "g")
const ENCODED_TOKEN_CHARACTER = /%(?:2D|5F|3\d|[46][1-9A-F]|[57][0-9A])/gi
const SHOWN_CHARACTERS_MAX = 200

/** The path of an address for the log: without its query, and with everything that may be a one-time or share token masked. */
export function logPath(url: string): string {
  const path = decoded(pathOf(url))
  // Most paths are plain; only a long part can be a secret. It may stand between other signs: a mail program takes the full stop
  // behind a link for a part of it.
  const shown = TOKEN.test(path) ? path.replace(TOKENS, (part) => (UUID.test(part) ? part : "***")) : path
  return shown.slice(0, SHOWN_CHARACTERS_MAX)
}

/** Undoes the percent signs that could hide a token. All others stay, so that no path breaks a line of the log. */
function decoded(path: string): string {
  return path.includes("%") ? path.replace(ENCODED_TOKEN_CHARACTER, decodeURIComponent) : path
}
