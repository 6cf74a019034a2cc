import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { routes } from "../../src/doors/web/routes.ts"
import { type Booth, furnish, must, type Server, serve } from "../harness/booth.ts"
import { type Part, scratch } from "../harness/part.ts"
import { makeOperator, pageAfter, signIn } from "../harness/visitor.ts"

const PASSWORD = "correct horse battery staple"
const MCP = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" }

export const secrets: Part = {
  name: "secrets",
  promise: "no key, password, token or session value stands in a log, a file of the database, an error or a page",
  async run() {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 5 })
    const setupLink = JSON.parse(await must(["user", "setup-link", "--data", booth.data, "--json"])) as { link: string }
    await makeOperator(booth.data, PASSWORD)
    const member = ["--email", "m@example.com", "--name", "M", "--org", "acme-audio", "--role", "admin"]
    const passwordLink = await must(["user", "create", ...member, "--data", booth.data])
    await using server = await serve(booth.data)
    const cookie = await signIn(server, PASSWORD)
    const shareToken = await shareCampaign(server, cookie)
    const known = new Map([
      ["the ingest key", booth.ingestKey],
      ["the agent key", booth.agentKey],
      ["the operator's password", PASSWORD],
      ["the session", cookie.split("=")[1] ?? ""],
      ["the set-up token", setupLink.link.split("/").at(-1) ?? ""],
      ["the password token", /\/app\/password\/([\w-]+)/.exec(passwordLink)?.[1] ?? ""],
      ["the share token", shareToken],
    ])
    const problems = [...known].filter(([, value]) => value.length < 16).map(([name]) => `${name} was not made`)
    const answers = await useAndAbuse(server, booth, cookie, [...known.values()])
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    const places = new Map([["the log", server.log()], ...answers, ...filesOf(booth.data)])
    for (const [place, content] of places) {
      for (const [name, value] of known) if (content.includes(value)) problems.push(`${name} stands in ${place}`)
    }
    return {
      done: `${known.size} secrets used rightly and wrongly at every door, in headers, paths, queries and bodies`,
      figures: `${places.size} places searched: the log, every file of the data directory, ${answers.size} answers; ${problems.length} found`,
      problems,
    }
  },
}

async function shareCampaign(server: Server, cookie: string): Promise<string> {
  const fields = { label: "For the buyer", days: "30" }
  const page = await pageAfter(server, cookie, "/app/o/acme-audio/campaigns/torture/share", fields)
  return /\/app\/share\/([\w-]+)/.exec(page)?.[1] ?? ""
}

/** Uses every secret where it belongs and puts each where it does not. The answers, by what was asked. */
async function useAndAbuse(
  { url }: Server,
  { ingestKey, agentKey, packageIds }: Booth,
  cookie: string,
  values: readonly string[],
): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  const ask = async (name: string, path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { redirect: "manual", ...init })
    answers.set(`${name} (${init.method ?? "GET"} ${path.split(/[?]/)[0]?.slice(0, 40)})`, await response.text())
  }
  const report = (key: string, body: unknown) => ({
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  })
  const rpc = (key: string, name: string, args: unknown) => ({
    method: "POST",
    headers: { ...MCP, Authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  })
  await ask(
    "a report",
    "/api/ingest/delivery/metrics",
    report(ingestKey, { items: [{ package_id: packageIds[0], impressions: 1 }] }),
  )
  await ask("a call", "/", rpc(agentKey, "get_products", { brief: "podcast" }))
  for (const [i, value] of values.entries()) {
    const inUrl = encodeURIComponent(value)
    await ask(`secret ${i} as a path`, `/${inUrl}`)
    await ask(`secret ${i} as a page`, `/app/o/${inUrl}/campaigns`, { headers: { Cookie: cookie } })
    await ask(`secret ${i} in a query`, `/readyz?key=${inUrl}`)
    await ask(`secret ${i} in a header`, "/nothing", {
      headers: { "User-Agent": value, "X-Api-Key": value, Cookie: `a=${value}` },
    })
    await ask(`secret ${i} as a key`, "/api/ingest/delivery/metrics", report(value, {}))
    await ask(`secret ${i} as an agent key`, "/", rpc(value, "get_products", {}))
    await ask(
      `secret ${i} as a code`,
      "/api/ingest/affiliate/metrics",
      report(ingestKey, { metrics: [{ code: value, date: "x" }] }),
    )
    await ask(`secret ${i} as an argument`, "/", rpc(agentKey, "get_products", { api_key: value }))
    // What a caller sends as context it gets back, as the protocol demands; it must not be kept.
    await fetch(`${url}/`, rpc(agentKey, "get_products", { context: { token: value } }))
  }
  for (const { method, path } of routes) {
    const filled = path
      .replace(":org", "acme-audio")
      .replace(":campaign", "torture")
      .replace(":package", packageIds[0] ?? "")
    if (method === "GET" && !filled.includes(":")) await ask("a page", filled, { headers: { Cookie: cookie } })
  }
  return answers
}

function filesOf(data: string): Map<string, string> {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map(({ parentPath, name }) => [`the file ${name}`, readFileSync(join(parentPath, name), "latin1")]),
  )
}
