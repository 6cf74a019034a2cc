import { COUNTER_MARK } from "../load/job.ts"
import type { BenchRequest } from "../load/requests-file.ts"
import { packageIds } from "./lines.ts"

export const ITEMS_PER_REQUEST = 500
const DAY_MS = 86_400_000

/** Requests of 500 items that together name every line. Each sending has a new total and a newer as_of for each line. */
export function batchRequests(key: string, pass: number): BenchRequest[] {
  const requests: BenchRequest[] = []
  for (let from = 0; from < packageIds.length; from += ITEMS_PER_REQUEST) {
    requests.push(deliveryRequest(key, packageIds.slice(from, from + ITEMS_PER_REQUEST), pass))
  }
  return requests
}

/** One request that names the same 500 lines at each sending, with totals that rise: each is measured when it is received. */
export function sameLinesRequests(key: string, pass: number): BenchRequest[] {
  const ids = packageIds.slice(0, ITEMS_PER_REQUEST)
  return [
    itemsRequest(
      key,
      ids.map((id) => `{"package_id":"${id}","impressions":${pass + 1}${COUNTER_MARK}}`),
    ),
  ]
}

/** Requests of one item, one for each line. */
export function singleRequests(key: string, pass: number): BenchRequest[] {
  return packageIds.map((id) => deliveryRequest(key, [id], pass))
}

/** The same requests sent in turn by many senders, each with a key of its own. */
export function fromManySenders(requests: readonly BenchRequest[], keys: readonly string[]): BenchRequest[] {
  return Array.from({ length: Math.max(requests.length, keys.length) }, (_, place) => {
    const request = requests[place % requests.length]
    if (request === undefined) throw new Error("a load has at least one request")
    return { ...request, headers: { ...request.headers, Authorization: `Bearer ${keys[place % keys.length]}` } }
  })
}

function deliveryRequest(key: string, ids: readonly string[], pass: number): BenchRequest {
  const asOf = `${yesterdayPlus(pass)}.${COUNTER_MARK}Z`
  return itemsRequest(
    key,
    ids.map((id) => `{"package_id":"${id}","impressions":1${COUNTER_MARK},"as_of":"${asOf}"}`),
  )
}

function itemsRequest(key: string, items: readonly string[]): BenchRequest {
  return {
    path: "/api/ingest/delivery/metrics",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: `{"items":[${items.join(",")}]}`,
  }
}

/** A second of yesterday, later with every pass; the counter mark gives the part after the point. */
function yesterdayPlus(pass: number): string {
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS
  return new Date(midnight + pass * 1000).toISOString().slice(0, 19)
}
