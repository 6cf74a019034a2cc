import { pathOf } from "../http/request/path-of.ts"

/** The door of a URL, as a metric label: a closed set, whatever addresses strangers try. */
export function doorOf(url: string): "ingest" | "agent" | "app" | "probe" | "other" {
  const path = pathOf(url)
  if (path === "/") return "agent"
  if (path.startsWith("/api/ingest/")) return "ingest"
  if (path === "/app" || path.startsWith("/app/")) return "app"
  return path === "/healthz" || path === "/readyz" ? "probe" : "other"
}
