const SAFE = new Set(["GET", "HEAD"])

/**
 * Whether a request may change something: it must come from one of our own pages. Browsers say where a request comes from in
 * Sec-Fetch-Site and Origin; a request with neither is not from a browser with a session.
 */
export function isSameOrigin(request: Request, publicUrl: string | null): boolean {
  if (SAFE.has(request.method)) return true
  const site = request.headers.get("sec-fetch-site")
  const origin = request.headers.get("origin")
  if (site !== null && site !== "same-origin") return false
  if (origin === null) return site === "same-origin"
  return origin === publicUrl || isOwnHost(origin, request.headers.get("host"))
}

/** A proxy may terminate TLS, so the scheme is not compared. */
function isOwnHost(origin: string, host: string | null): boolean {
  return host !== null && (origin === `http://${host}` || origin === `https://${host}`)
}
