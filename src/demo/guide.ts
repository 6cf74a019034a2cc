import { CITY_WALKS, LAUNCH_EVENT, NEWSLETTER, SEA_STORIES } from "./data.ts"
import { totalTonight } from "./reports.ts"
import type { Demo } from "./seed.ts"

/** The text to print once the demo has started. The sign-in URL comes last, so that it stays on the screen. */
export const demoGuide =
  (demo: Demo) =>
  (url: string): string => {
    const width = Math.max(...demo.accounts.map(({ email }) => email.length))
    const accounts = demo.accounts.map(({ email, password, does }) => `  ${email.padEnd(width)}  ${password}  ${does}`)
    return [
      "",
      "This is the demo, with sample data. Everything is deleted when you stop it (Ctrl-C).",
      "",
      ...examples(demo, url),
      `A report that a seller has shared: ${url}/app/share/${demo.shareToken}`,
      "",
      `Sign in at ${url}/app as one of these:`,
      ...accounts,
      "",
    ].join("\n")
  }

/** Commands to copy, with keys that work. */
function examples({ apiKey, buyerKey, days }: Demo, url: string): string[] {
  const totals = { items: [totalTonight(SEA_STORIES, days), totalTonight(CITY_WALKS, days)] }
  const wrong = { items: [{ package_id: LAUNCH_EVENT, impressions: 1 }, { package_id: NEWSLETTER }] }
  const brief = { buying_mode: "brief", brief: "podcast listeners who plan trips" }
  const call = { method: "tools/call", params: { name: "get_products", arguments: brief } }
  const delivery = `${url}/api/ingest/delivery/metrics`
  return [
    "# Report the totals of two lines",
    post(delivery, apiKey, totals),
    "",
    "# Rejected items say why: a flat-rate line with a quantity, and a line of another seller",
    post(delivery, apiKey, wrong),
    "",
    "# Ask for products, as a buyer's agent does",
    post(`${url}/`, buyerKey, { jsonrpc: "2.0", id: 1, ...call }, "Accept: application/json, text/event-stream"),
    "",
  ]
}

function post(url: string, key: string, body: object, ...headers: readonly string[]): string {
  const all = [`Authorization: Bearer ${key}`, "Content-Type: application/json", ...headers]
  return `curl ${url} ${all.map((header) => `-H '${header}'`).join(" ")} \\\n  -d '${JSON.stringify(body)}'`
}
