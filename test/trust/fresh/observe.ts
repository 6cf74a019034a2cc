import { MCP_HEADERS } from "../../doors/agent/buyer.ts"
import { CODES, DELIVERY, METRICS } from "../../doors/ingest/feed.ts"
import { DOWNLOADS_LINE, FLAT_LINE, FUTURE_LINE, LINE, OTHER_SELLERS_LINE, OWN_LINE } from "../../doors/web/given.ts"
import type { TestApp } from "../../harness.ts"
import type { World } from "./world.ts"

const PACKAGES = [LINE, DOWNLOADS_LINE, FLAT_LINE, FUTURE_LINE, OTHER_SELLERS_LINE, OWN_LINE]
// It is 2026-11-15T12:00Z: which of these are over, or have begun, depends on the time zone.
const DATES = ["2026-10-31", "2026-11-14", "2026-11-15", "2026-11-16"]
const QUANTITIES = [{ impressions: 5 }, { downloads: 5 }, {}]

const PAGES: Readonly<Record<string, readonly string[]>> = {
  admin: [
    "/app/o/acme-audio/campaigns",
    "/app/o/acme-audio/campaigns/acme-only",
    `/app/o/acme-audio/campaigns/acme-only/lines/${OWN_LINE}`,
    `/app/o/acme-audio/campaigns/acme-only/lines/${OWN_LINE}/edit`,
    "/app/o/acme-audio/affiliates",
    "/app/o/acme-audio/keys",
    "/app/o/acme-audio/members",
    "/app/o/acme-audio/settings",
    "/app/account",
  ],
  buyer: ["/app/o/brand-co/campaigns.csv", "/app/o/brand-co/campaigns/autumn", "/app/o/brand-co/affiliates"],
  operator: [
    "/app/operator/organizations",
    "/app/operator/users",
    "/app/operator/products",
    "/app/operator/product/p/order-links",
    "/app/o/acme-audio/orders",
    "/app/operator/agent-keys",
  ],
}

/** All that a server tells anybody, by what was asked. */
export async function observe(app: TestApp, world: World): Promise<Record<string, string>> {
  const told: Record<string, string> = {}
  const tell = async (question: string, path: string, init?: RequestInit) => {
    const response = await app.fetch(path, { redirect: "manual", ...init })
    told[question] = `${response.status} ${withoutChance(await response.text())}`
  }
  for (const [who, key] of Object.entries(world.ingestKeys)) {
    const post = (path: string, body: object) =>
      tell(`${who} ${path} ${JSON.stringify(body).slice(0, 200)}`, `${path}?dry_run=true`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      })
    const items = (fields: object) => ({ items: PACKAGES.map((package_id) => ({ ...fields, package_id })) })
    for (const quantity of QUANTITIES) await post(DELIVERY, items(quantity))
    for (const as_of of DATES) await post(DELIVERY, items({ as_of, impressions: 5 }))
    await post(CODES, { codes: PACKAGES.map((packageId) => ({ packageId, code: "A10" })) })
    await post(METRICS, { metrics: DATES.flatMap((date) => ["A10", "NEW"].map((code) => ({ code, date, clicks: 1 }))) })
  }
  for (const [who, key] of Object.entries({ ...world.agentKeys, nobody: undefined })) {
    for (const name of ["get_products", "list_creative_formats", "get_adcp_capabilities"]) {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } }
      const bearer: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` }
      const init = { method: "POST", headers: { ...MCP_HEADERS, ...bearer }, body: JSON.stringify(message) }
      await tell(`${who} ${name}`, "/", init)
    }
  }
  for (const [who, pages] of Object.entries(PAGES)) {
    for (const path of pages) await tell(`${who} ${path}`, path, { headers: { cookie: world.cookies[who] ?? "" } })
  }
  await tell("requester", world.orderPage)
  await tell("guest", `/app/share/${world.share}`)
  await app.store.flushWriteBuffer()
  return told
}

/** What differs from one response to the next, whoever gives it. */
function withoutChance(text: string): string {
  return (
    text
      .replaceAll(/"request_id":"[^"]*"/g, "")
      .replaceAll(/nonce="[^"]*"/g, "")
      // Asking the agent is part of looking, and is counted.
      .replaceAll(/(data-label="(?:Shown in \d+|7) days">)\d+(<small>\d+)?/g, "$1")
      // A server dates what an agent sees from the moment in which it first saw it: the start, for a fresh one.
      .replaceAll(/"last_updated":"[^"]*"/g, "")
      .replaceAll(/[0-9a-f]{32}/g, "")
  )
}
