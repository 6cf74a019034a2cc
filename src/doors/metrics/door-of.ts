import { pathOf } from "../http/request/path-of.ts"

export const DOORS = ["ingest", "agent", "app", "probe", "other"] as const

/** The door of a URL, as a metric label: a closed set, whatever addresses strangers try. */
export function doorOf(url: string): (typeof DOORS)[number] {
  const path = pathOf(url)
  if (path === "/") return "agent"
  if (path.startsWith("/api/ingest/")) return "ingest"
  if (path === "/app" || path.startsWith("/app/")) return "app"
  return path === "/healthz" || path === "/readyz" ? "probe" : "other"
}
