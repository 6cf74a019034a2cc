import { COUNTER_MARK } from "../load/job.ts"
import type { BenchRequest } from "../load/requests-file.ts"
import { packageIds } from "./lines.ts"

export const ROWS_PER_REQUEST = 1_000
export const CODES = 1_000
export const DAYS = 28

export const codes: readonly string[] = Array.from({ length: CODES }, (_, code) => `SAVE-${code}`)

/** One request that registers every code, each on a line of its own. */
export function codesRequest(key: string): BenchRequest {
  const rows = codes.map((code, line) => ({ packageId: packageIds[line], code, slug: code.toLowerCase() }))
  return request(key, "codes", JSON.stringify({ codes: rows }))
}

/** A request for each day of a month: every code with new figures at each sending. */
export function metricsRequests(key: string): BenchRequest[] {
  return Array.from({ length: DAYS }, (_, day) => {
    const date = `2026-02-${String(day + 1).padStart(2, "0")}`
    const rows = codes.map(
      (code) => `{"code":"${code}","date":"${date}","clicks":1${COUNTER_MARK},"conversions":7,"conversionValue":12.5}`,
    )
    return request(key, "metrics", `{"metrics":[${rows.join(",")}]}`)
  })
}

function request(key: string, feed: "codes" | "metrics", body: string): BenchRequest {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
  return { path: `/api/ingest/affiliate/${feed}`, headers, body }
}
