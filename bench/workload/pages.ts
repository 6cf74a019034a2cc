import type { BenchRequest } from "../load/requests-file.ts"

/** Pages that anybody may open. */
export function pageRequests(): BenchRequest[] {
  return ["/openapi.json", "/readyz"].map((path) => ({ method: "GET", path, headers: {}, body: "" }))
}
