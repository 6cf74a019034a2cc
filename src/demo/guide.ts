import { CITY_WALKS, LAUNCH_EVENT, NEWSLETTER, SEA_STORIES } from "./campaigns.ts"
import type { Days } from "./days.ts"
import { SEA_CODE, totalTonight } from "./reports.ts"
import type { DemoSecrets } from "./seed.ts"

export interface DemoAddresses {
  readonly url: string
  readonly agentUrl: string
}

/** Printed when the demo has started: accounts, and commands to copy. */
export function demoGuide({ url, agentUrl }: DemoAddresses, days: Days, secrets: DemoSecrets): string {
  const { ingestKey, agentKey, accounts } = secrets
  const ingest = (path: string, body: object) => post(`${url}/api/ingest/${path}`, ingestKey, body)
  const agent = (key: string | null, body: object) =>
    post(agentUrl, key, { jsonrpc: "2.0", id: 1, ...body }, "Accept: application/json, text/event-stream")
  const tool = (key: string | null, name: string, given: object = {}) =>
    agent(key, { method: "tools/call", params: { name, arguments: given } })
  const sections: [string, string][] = [
    ["Sign in to the app", signIn(url, accounts)],
    [
      "Report delivery: totals so far for two lines",
      ingest("delivery/metrics", {
        items: [totalTonight(SEA_STORIES, days), totalTonight(CITY_WALKS, days)],
      }),
    ],
    [
      "Rejected items say why: a flat-rate line with a figure, and a line of another seller",
      ingest("delivery/metrics", {
        items: [{ package_id: LAUNCH_EVENT, impressions: 1 }, { package_id: NEWSLETTER }],
      }),
    ],
    [
      "Add an affiliate code",
      ingest("affiliate/codes", { codes: [{ packageId: SEA_STORIES, code: "COAST5", slug: "coast-5" }] }),
    ],
    [
      "Report clicks and conversions of today",
      ingest("affiliate/metrics", {
        metrics: [{ code: SEA_CODE, date: days.date(0), clicks: 97, conversions: 4, conversionValue: 512.4 }],
      }),
    ],
    ["Ask the sales agent what it can do", tool(null, "get_adcp_capabilities")],
    [
      "Ask for products as a buyer's agent with a key",
      tool(agentKey, "get_products", { buying_mode: "brief", brief: "podcast listeners who plan trips" }),
    ],
    ["Look up creative formats", tool(null, "list_creative_formats")],
    ["List the agent's tools", agent(null, { method: "tools/list" })],
    ["Guides and API reference, for people and for programs", `${url}/docs\ncurl ${url}/openapi.json`],
    ["Health checks", `curl ${url}/healthz\ncurl ${url}/readyz`],
  ]
  const text = sections.map(([title, lines]) => `# ${title}\n${lines}\n`).join("\n")
  return `\nThis is the demo. Its temporary database is deleted when you stop it (Ctrl-C).\n\n${text}\n`
}

function signIn(url: string, accounts: DemoSecrets["accounts"]): string {
  const longest = Math.max(...accounts.map(({ email }) => email.length))
  const rows = accounts.map(({ email, password, does }) => `  ${email.padEnd(longest)}  ${password}  ${does}`)
  return [`${url}/app`, ...rows].join("\n")
}

function post(url: string, key: string | null, body: object, ...headers: string[]): string {
  const sent = [...(key === null ? [] : [`Authorization: Bearer ${key}`]), "Content-Type: application/json", ...headers]
  const options = sent.map((header) => `-H '${header}'`).join(" ")
  return `curl -X POST ${url} ${options} \\\n  -d '${JSON.stringify(body)}'`
}
