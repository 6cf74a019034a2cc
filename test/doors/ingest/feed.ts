import type { AffiliateReport } from "../../../src/domain/affiliate/affiliate-report.ts"
import type { DeliveryReport } from "../../../src/domain/delivery/delivery-result.ts"
import type { TestApp } from "../../harness.ts"

export const DELIVERY = "/api/ingest/delivery/metrics"
export const CODES = "/api/ingest/affiliate/codes"
export const METRICS = "/api/ingest/affiliate/metrics"

/** Posts a body, as JSON unless it is a text already. */
export function post(
  app: TestApp,
  path: string,
  key: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.fetch(path, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })
}

/** Reports items and expects an answer. */
export async function report(
  app: TestApp,
  key: string,
  items: readonly unknown[],
  query = "",
): Promise<DeliveryReport> {
  return answer(await post(app, DELIVERY + query, key, { items }))
}

export async function sendCodes(
  app: TestApp,
  key: string,
  codes: readonly unknown[],
  query = "",
): Promise<AffiliateReport> {
  return answer(await post(app, CODES + query, key, { codes }))
}

export async function sendMetrics(
  app: TestApp,
  key: string,
  metrics: readonly unknown[],
  query = "",
): Promise<AffiliateReport> {
  return answer(await post(app, METRICS + query, key, { metrics }))
}

async function answer<Answer>(response: Response): Promise<Answer> {
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  return JSON.parse(text) as Answer
}

/** The current total of a line as `adbooth line list` shows it: null before the first report. */
export async function currentTotal(app: TestApp, packageId: string) {
  const lines = await app.store.packageLines.listWithTotals(null)
  return lines.find((line) => line.packageId === packageId)?.total ?? null
}

/** The history of a line, last arrival first. */
export async function historyOf(app: TestApp, seller: { readonly id: number }, packageId: string) {
  const [line] = (await app.store.deliveries.linesSold(seller.id, [packageId])).items
  if (line === undefined) return []
  return (await app.store.deliveryHistory.page(line.lineId, "seller", null, 1_000)).entries
}
