import { CITY_WALKS, LAUNCH_EVENT, NEWSLETTER, SEA_STORIES } from "./data.ts"
import type { Days } from "./days.ts"
import { totalTonight } from "./reports.ts"
import type { DemoSecrets } from "./seed.ts"

export type DemoAddresses = Readonly<{ url: string; agentUrl: string }>

/** Commands to copy, with keys that work. */
export function demoExamples({ url, agentUrl }: DemoAddresses, days: Days, secrets: DemoSecrets): string {
  const { ingestKey, agentKey } = secrets
  const ingest = (path: string, body: object) => post(`${url}/api/ingest/${path}`, ingestKey, body)
  const agent = (key: string | null, body: object) =>
    post(agentUrl, key, { jsonrpc: "2.0", id: 1, ...body }, "Accept: application/json, text/event-stream")
  const tool = (key: string | null, name: string, given: object = {}) =>
    agent(key, { method: "tools/call", params: { name, arguments: given } })
  const sections: [string, string][] = [
    [
      "Report delivery: totals so far for two lines",
      ingest("delivery/metrics", { items: [totalTonight(SEA_STORIES, days), totalTonight(CITY_WALKS, days)] }),
    ],
    [
      "Rejected items say why: a flat-rate line with a figure, and a line of another seller",
      ingest("delivery/metrics", { items: [{ package_id: LAUNCH_EVENT, impressions: 1 }, { package_id: NEWSLETTER }] }),
    ],
    [
      "Add an affiliate code",
      ingest("affiliate/codes", { codes: [{ packageId: SEA_STORIES, code: "COAST5", slug: "coast-5" }] }),
    ],
    [
      "Report clicks and conversions of today",
      ingest("affiliate/metrics", {
        metrics: [{ code: "SEA10", date: days.date(0), clicks: 97, conversions: 4, conversionValue: 512.4 }],
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
  return sections.map(([title, lines]) => `# ${title}\n${lines}\n`).join("\n")
}

/** Printed when the demo has started. Where to sign in comes last, so that it is on the screen. */
export function demoGuide({ url }: DemoAddresses, examples: string, { accounts }: DemoSecrets): string {
  const longest = Math.max(...accounts.map(({ email }) => email.length))
  return [
    "This is the demo, with sample data. Everything is deleted when you stop it (Ctrl-C).",
    `Commands to try, with keys that work: ${examples}`,
    `Sign in at ${url}/app as one of these:`,
    ...accounts.map(({ email, password, does }) => `  ${email.padEnd(longest)}  ${password}  ${does}`),
    "",
  ].join("\n")
}

function post(url: string, key: string | null, body: object, ...headers: string[]): string {
  const sent = [...(key === null ? [] : [`Authorization: Bearer ${key}`]), "Content-Type: application/json", ...headers]
  const options = sent.map((header) => `-H '${header}'`).join(" ")
  return `curl -X POST ${url} ${options} \\\n  -d '${JSON.stringify(body)}'`
}
