import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { adbooth, hasBinary, type RunningBinary, serveBinary } from "./binary.ts"
import { runSnippet, type SnippetFile, snippets } from "./docs-snippets.ts"
import type { Json } from "./domain/adcp/schema/answers.ts"
import { givenProduct } from "./doors/agent/buyer.ts"
import { temporaryFolder } from "./harness.ts"

// The guide for buyers' engineers has a snippet for each client. Each is run here as it stands, by the client that it names, against
// the executable.

setDefaultTimeout(600_000)

const GUIDE = await Bun.file("docs/buyers.md").text()
const PYTHON = process.env["ADBOOTH_TEST_PYTHON"] ?? Bun.which("python3")

/** The block that is to be saved under this name. */
function snippetFor(name: string): SnippetFile {
  const all = ["sh", "js", "json", "python"].flatMap((language) => snippets(GUIDE, language))
  const found = all.find(({ words }) => words[0] === name)
  if (found === undefined) throw new Error(`the guide has no ${name}`)
  return { name, text: found.text }
}

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const hasPythonMcp = () =>
  PYTHON !== null && Bun.spawnSync([PYTHON, "-c", "import mcp.client.client, httpx2"]).exitCode === 0

describe.skipIf(!hasBinary)("the guide for buyers' engineers", () => {
  const folder = temporaryFolder()
  let server: RunningBinary
  let env: Record<string, string>

  beforeAll(async () => {
    const data = ["--data", join(folder.path, "data")]
    const products = [
      givenProduct("city-walks", { name: "City Walks", channels: ["podcast"] }),
      givenProduct("billboard", { channels: ["display"] }),
    ]
    const opened = [
      { product_id: "city-walks", territories: ["DE", "AT"] },
      { product_id: "billboard", territories: ["DE"] },
    ]
    const line = {
      package_id: "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01",
      seller: "acme-audio",
      name: "Pre-roll",
      pricing_basis: "impressions",
      flight_start: dayFromNow(-10),
      flight_end: dayFromNow(10),
      booked: 500_000,
      rate: 12.5,
      currency: "EUR",
    }
    const file = {
      organizations: ["acme-audio", "brand-co"].map((slug) => ({ slug, name: slug })),
      campaigns: [{ slug: "autumn", name: "Autumn", buyer: "brand-co", lines: [line] }],
      products,
      agent_keys: [{ label: "Buyer", buyer: "brand-co", opened }],
    }
    await Bun.write(join(folder.path, "products.json"), JSON.stringify(file))
    server = await serveBinary([...data, "--agent-delivery"])
    const imported = await adbooth(["import", join(folder.path, "products.json"), "--json", ...data])
    const { agent_keys: keys } = JSON.parse(imported.out) as { agent_keys: [{ key: string }] }
    env = { AGENT: `${server.url}/`, KEY: keys[0].key }
    const made = await adbooth(["key", "create", "--org", "acme-audio", "--label", "Ad server", ...data])
    await fetch(`${server.url}/api/ingest/delivery/metrics`, {
      method: "POST",
      headers: { Authorization: `Bearer ${made.out.trim()}`, "Content-Type": "application/json" },
      body: JSON.stringify({ items: [{ package_id: line.package_id, impressions: 40_000 }] }),
    })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  const relevance = {
    "city-walks": "Podcast, shown in AT.",
    billboard: "",
  }
  const lines = Object.entries(relevance).map(([id, reason]) => `${id}: ${reason}\n`)

  const expectProducts = (structuredContent: Json) => {
    const shown = structuredContent.products.map((product: Json) => [product.product_id, product.brief_relevance ?? ""])
    expect(shown).toEqual(Object.entries(relevance))
  }

  test("curl", async () => {
    const { code, out, err } = await runSnippet("sh", snippetFor("get-products.sh"), env)
    expect([code, err]).toEqual([0, ""])
    expectProducts((JSON.parse(out) as Json).result.structuredContent)
  })

  // What the guide says of the SDK's second version: everything comes from another package.
  const asSecondVersion = ({ name, text }: SnippetFile): SnippetFile => ({
    name,
    text: text.replaceAll(/"@modelcontextprotocol\/sdk\/[^"]*"/g, '"@modelcontextprotocol/client"'),
  })

  test.each([
    ["mcp-sdk.mjs", "", (shared: SnippetFile) => shared],
    ["mcp-sdk.mjs", " with the SDK's second version", asSecondVersion],
    ["adcp-sdk.mjs", "", (shared: SnippetFile) => shared],
  ])("%s%s, on Node", async (name, _, ofVersion) => {
    const node = Bun.which("node")
    if (node === null) return console.error("SKIPPED: this example needs Node.")
    const beside = [ofVersion(snippetFor("agent.mjs"))]
    const { code, out, err } = await runSnippet(node, { ...snippetFor(name), beside }, env)
    expect([code, code === 0 ? "" : err]).toEqual([0, ""])
    expect(out).toEndWith(lines.join(""))
  })

  test.each([
    ["feed.mjs", "2 products\nunchanged\n"],
    ["delivery.mjs", "\nautumn: active, 40000 impressions, 0 downloads, 500 EUR\n"],
  ])("the worked example %s, on Node", async (name, printed) => {
    if (Bun.which("node") === null) return console.error("SKIPPED: this example needs Node.")
    const text = name === "feed.mjs" ? `node ${name} && node ${name}` : `node ${name}`
    // In pages of one, so that there are several.
    const { text: script } = snippetFor(name)
    const beside = [snippetFor("agent.mjs"), { name, text: script.replace("max_results: 100", "max_results: 1") }]
    const { code, out, err } = await runSnippet("sh", { name: "run.sh", text, beside }, env)
    expect([code, code === 0 ? "" : err]).toEqual([0, ""])
    expect(out).toEndWith(printed)
  })

  test("get_products.py", async () => {
    if (PYTHON === null || !hasPythonMcp())
      return console.error("SKIPPED: this example needs Python with mcp 2; ADBOOTH_TEST_PYTHON names one.")
    expect(await runSnippet(PYTHON, snippetFor("get_products.py"), env)).toEqual({
      code: 0,
      out: lines.join(""),
      err: "",
    })
  })

  test("the configurations of VS Code and Claude Desktop name the address and the header", async () => {
    const placeholder = (name: string) => `\${${name}}`
    const code = JSON.parse(snippetFor("mcp.json").text) as Json
    expect(code.servers.ads).toEqual({
      type: "http",
      url: "https://ads.example.com/",
      headers: { Authorization: `Bearer ${placeholder(`input:${code.inputs[0].id}`)}` },
    })
    const claude = JSON.parse(snippetFor("claude_desktop_config.json").text) as Json
    const [program, url, option, header] = claude.mcpServers.ads.args
    expect([program, url, option]).toEqual(["mcp-remote", "https://ads.example.com/", "--header"])
    const [name = ""] = Object.keys(claude.mcpServers.ads.env)
    expect(header).toBe(`Authorization:${placeholder(name)}`)
  })
})
