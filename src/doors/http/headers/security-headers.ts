/** For every response that does not set them itself. HSTS only when the public address uses TLS. */
export function securityHeaders(publicUrl: string | null): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    ...(publicUrl?.startsWith("https:") && { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }),
  }
}
