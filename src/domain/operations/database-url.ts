import { checked } from "./setting-kinds.ts"

const FORM = /^(postgres(?:ql)?:\/\/)(?:([^/?@]*)@)?([^/?@]*)(\/[^?]*)?(\?.*)?$/

/** The URL without its password, or "***" if it can't be read: its password may be anywhere in it. */
export function withoutPassword(url: string): string {
  const [, scheme, user, host, path = "", query = ""] = FORM.exec(url) ?? []
  if (scheme === undefined || `${path}${query}`.includes("@")) return "***"
  const signsIn = user === undefined ? "" : `${user.replace(/(:|%3a).*$/i, ":***")}@`
  return `${scheme}${signsIn}${host}${path}${query.replace(/([?&]password=)[^&]*/gi, "$1***")}`
}

/** Whether the URL shows a password. */
export const hasPassword = (url: string): boolean => withoutPassword(url).includes("***")

export const DATABASE_URL = checked(
  "url",
  (text) => (FORM.test(text) ? text : null),
  "must be a URL such as postgres://user@host:5432/database (in a password, write / as %2F and @ as %40)",
)
