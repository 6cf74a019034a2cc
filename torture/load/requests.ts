/** What is asked, by a number that is new in every request. */
export interface Wish {
  readonly kind: Kind
  readonly ingestKey: string
  readonly agentKey: string
  readonly cookie: string
  readonly packageIds: readonly string[]
}

/** mixed: half reports, a third agent calls, the rest pages. addresses: anonymous agent calls, each from another address. */
export type Kind = "mixed" | "addresses"

const ITEMS = 5
const FIRST_AS_OF_MS = Date.UTC(2025, 0, 1)
const MCP = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"

/** The bytes of the request of this number. */
export function requestOf(wish: Wish, number: number): Buffer {
  if (wish.kind === "addresses")
    return agentCall("get_adcp_capabilities", {}, `X-Forwarded-For: ${address(number)}\r\n`)
  const turn = number % 12
  if (turn < 6) return report(wish, number)
  const key = `Authorization: Bearer ${wish.agentKey}\r\n`
  if (turn < 8) return agentCall("get_products", { buying_mode: "wholesale" }, key)
  if (turn < 10) return agentCall("list_creative_formats", { name_search: "video" }, key)
  return page(turn === 10 ? "/app/o/acme-audio/campaigns" : "/app/operator/system", wish.cookie)
}

function report({ ingestKey, packageIds }: Wish, number: number): Buffer {
  const items = Array.from({ length: ITEMS }, (_, i) => {
    const place = number * ITEMS + i
    const as_of = new Date(FIRST_AS_OF_MS + place).toISOString()
    return { package_id: packageIds[place % packageIds.length], impressions: place, as_of }
  })
  const headers = `Authorization: Bearer ${ingestKey}\r\nContent-Type: application/json\r\n`
  return post("/api/ingest/delivery/metrics", headers, { items })
}

function agentCall(name: string, args: object, headers: string): Buffer {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
  return post("/", MCP + headers, body)
}

function post(path: string, headers: string, body: object): Buffer {
  const text = JSON.stringify(body)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}Content-Length: ${text.length}\r\n\r\n${text}`,
  )
}

function page(path: string, cookie: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookie}\r\n\r\n`)
}

function address(number: number): string {
  return `11.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
}
