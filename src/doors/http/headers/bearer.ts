/**
 * The secret of a request: null when there is none, and an empty text, which is no key of ours, when it is malformed. `found` is what
 * @elysiajs/bearer made of the request. It also looks into the query, where a key would end up in logs of proxies, so only a key
 * of the header counts; and it knows only one spelling of the scheme, whose letter case and spaces do not matter.
 */
export function secretOf(request: Request, found: string | undefined): string | null {
  const header = request.headers.get("authorization")
  if (header === null || !/^bearer(?: |$)/i.test(header)) return null
  const secret = (header.startsWith("Bearer") && found ? found : header.slice("bearer".length)).trim()
  return secret.includes(" ") ? "" : secret
}
