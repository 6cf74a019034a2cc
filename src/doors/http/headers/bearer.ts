/**
 * The bearer token of a request: null without one, "" when it is malformed. `found` comes from @elysiajs/bearer, which also looks in
 * the query, where keys would end up in proxy logs, and accepts only one spelling of "Bearer". So only the header counts, in any case.
 */
export function secretOf(request: Request, found: string | undefined): string | null {
  const header = request.headers.get("authorization")
  if (header === null || !/^bearer(?: |$)/i.test(header)) return null
  const secret = (header.startsWith("Bearer") && found ? found : header.slice("bearer".length)).trim()
  return secret.includes(" ") ? "" : secret
}
