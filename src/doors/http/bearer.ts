/**
 * The secret that a request carries as `Authorization: Bearer <API_KEY>`: null when there is none, and an empty text, which is no
 * key of ours, when it is malformed. The scheme's letter case and the number of spaces do not matter.
 */
export function bearerOf(request: Request): string | null {
  const header = request.headers.get("authorization")
  if (header === null || !/^bearer(?: |$)/i.test(header)) return null
  const secret = header.slice("bearer".length).trim()
  return secret.includes(" ") ? "" : secret
}
