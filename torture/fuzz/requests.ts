import type { Booth } from "../harness/booth.ts"
import type { Random } from "../harness/part.ts"
import type { Server } from "../harness/program.ts"
import { oddBytes, oddHeader, oddJson, oddMethod, oddPath, oddText } from "./mutate.ts"
import type { Raw } from "./send.ts"

/** A request that makes sense, from which odd ones are made. */
interface Template {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly json?: unknown
  /** The names of a form's fields. */
  readonly fields?: readonly string[]
}

const PAGES_MAX = 150
const OTHER_PATHS = ["/healthz", "/readyz", "/docs", "/openapi.json", "/", "/.well-known/agent.json", "/nothing"]
// Signing out would end the rest, and a backup for each request would only test the disk.
const LEFT_OUT = /sign-out|backup|sessions|\/once/
const MCP = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" }

/** Groups that get an equal share of the requests: the feeds, the sales agent, pages, forms and the rest. */
export async function templates(server: Server, booth: Booth, cookie: string): Promise<Template[][]> {
  const { pages, forms } = await crawl(server, cookie)
  const others = OTHER_PATHS.map((path): Template => ({ method: "GET", path, headers: {} }))
  return [feeds(booth), calls(booth), pages, forms, others]
}

export function oddRequest(groups: readonly Template[][], cookie: string, random: Random): Raw {
  const group = groups[random.below(groups.length)] ?? []
  const template = group[random.below(group.length)]
  if (template === undefined) throw new Error("There is nothing to mutate.")
  const headers: Record<string, string> = { ...template.headers }
  if (template.path.startsWith("/app")) headers["Cookie"] = cookie
  for (let count = random.below(3); count > 0; count--) {
    const [name, value] = oddHeader(random)
    // Most requests keep what admits them, or nothing behind the first check would be tried.
    if (!(name in headers) || random.below(4) === 0) headers[name] = value
  }
  const method = random.below(12) === 0 ? oddMethod(random) : template.method
  return { method, path: oddPath(template.path, random), headers, body: bodyOf(template, random) }
}

function bodyOf({ json, fields }: Template, random: Random): Buffer | null {
  if (json !== undefined) return oddJson(json, random)
  if (fields === undefined) return random.below(20) === 0 ? Buffer.from("unexpected") : null
  const form = new URLSearchParams()
  for (const name of fields) {
    for (let count = random.below(6) > 0 ? 1 : random.below(3); count > 0; count--) form.append(name, oddText(random))
  }
  const bytes = Buffer.from(form.toString())
  return random.below(8) === 0 ? oddBytes(bytes, random) : bytes
}

function feeds({ ingestKey, packageIds }: Booth): Template[] {
  const headers = { Authorization: `Bearer ${ingestKey}`, "Content-Type": "application/json" }
  const post = (path: string, json: unknown): Template => ({
    method: "POST",
    path: `/api/ingest/${path}`,
    headers,
    json,
  })
  const [first, second] = packageIds
  const items = [
    { package_id: first, impressions: 5, as_of: "2026-11-01" },
    { package_id: second, downloads: 1.5, as_of: "2026-11-01T10:00:00+02:00" },
  ]
  const metrics = [{ code: "SAVE", date: "2026-11-01", clicks: 1, conversions: 1, conversionValue: 1.25 }]
  return [
    post("delivery/metrics", { items }),
    post("affiliate/codes", { codes: [{ packageId: first, code: "SAVE", slug: "save" }] }),
    post("affiliate/metrics", { metrics }),
    {
      ...post("files?name=totals.csv", "package_id,impressions\n"),
      headers: { ...headers, "Content-Type": "text/csv" },
    },
  ]
}

function calls({ agentKey }: Booth): Template[] {
  const message = (method: string, params?: object) => ({ jsonrpc: "2.0", id: 1, method, params })
  const tool = (name: string, args: object) => message("tools/call", { name, arguments: args })
  const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } }
  const messages = [
    message("initialize", client),
    message("tools/list"),
    message("server/discover"),
    tool("get_adcp_capabilities", {}),
    tool("get_products", {
      buying_mode: "brief",
      brief: "podcast in Germany",
      filters: { countries: ["DE"], channels: ["podcast"] },
    }),
    tool("get_products", { buying_mode: "wholesale", pagination: { max_results: 1 }, fields: ["product_id"] }),
    tool("get_products", {
      buying_mode: "refine",
      refine: [{ scope: "product", product_id: "morning-show", action: "include" }],
    }),
    tool("list_creative_formats", { name_search: "video", pagination: { max_results: 3 }, adcp_major_version: 3 }),
    tool("get_media_buy_delivery", { media_buy_ids: ["autumn"], start_date: "2026-01-01", end_date: "2026-02-01" }),
  ]
  const keyed = { ...MCP, Authorization: `Bearer ${agentKey}` }
  return messages.flatMap((json) =>
    [MCP, keyed].map((headers): Template => ({ method: "POST", path: "/", headers, json })),
  )
}

/** Follows the links of all pages that somebody sees, and notes their forms. */
async function crawl({ url }: Server, cookie: string): Promise<{ pages: Template[]; forms: Template[] }> {
  const found = new Set(["/app", "/app/operator", "/app/sign-in"])
  const forms = new Map<string, Set<string>>()
  for (const path of found) {
    const response = await fetch(url + path, { headers: { Cookie: cookie } })
    const html = await response.text()
    const note = (address: string) => {
      const { origin, pathname, search } = new URL(address.replaceAll("&amp;", "&"), response.url)
      if (origin !== url || LEFT_OUT.test(pathname)) return null
      if (found.size < PAGES_MAX && pathname.startsWith("/app")) found.add(pathname + search)
      return pathname
    }
    for (const [, address = ""] of html.matchAll(/<a [^>]*href="([^"#]+)"/g)) note(address)
    for (const [, attributes = "", content = ""] of html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)) {
      const target = note(/action="([^"]*)"/.exec(attributes)?.[1] || path)
      if (target === null) continue
      const fields = forms.get(target) ?? new Set()
      for (const [, name = ""] of content.matchAll(/ name="([^"]+)"/g)) fields.add(name)
      forms.set(target, fields)
    }
  }
  const headers = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded" }
  return {
    pages: [...found].map((path) => ({ method: "GET", path, headers: {} })),
    forms: [...forms].map(([path, fields]) => ({ method: "POST", path, headers, fields: [...fields] })),
  }
}
