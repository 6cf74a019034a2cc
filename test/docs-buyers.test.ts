import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { adbooth, hasBinary, type RunningBinary, serveBinary } from "./binary.ts"
import { runSnippet, type SnippetFile, snippets } from "./docs-snippets.ts"
import type { Json } from "./domain/adcp/schema/answers.ts"
import { givenProduct } from "./doors/agent/buyer.ts"
import { temporaryFolder } from "./harness.ts"

// The guide for buyers' engineers has a snippet for each client. Each is run here as it stands, by the client that it names, against
// the executable.

setDefaultTimeout(120_000)

const GUIDE = await Bun.file("docs/buyers.md").text()
const PYTHON = process.env["ADBOOTH_TEST_PYTHON"] ?? Bun.which("python3")

/** The block that is to be saved under this name. */
function snippetFor(name: string): SnippetFile {
  const all = ["sh", "js", "json", "python"].flatMap((language) => snippets(GUIDE, language))
  const found = all.find(({ words }) => words[0] === name)
  if (found === undefined) throw new Error(`the guide has no ${name}`)
  return { name, text: found.text }
}

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
    const file = { products, agent_keys: [{ label: "Buyer", opened }] }
    await Bun.write(join(folder.path, "products.json"), JSON.stringify(file))
    server = await serveBinary(data)
    const imported = await adbooth(["import", join(folder.path, "products.json"), "--json", ...data])
    const { agent_keys: keys } = JSON.parse(imported.out) as { agent_keys: [{ key: string }] }
    env = { AGENT: `${server.url}/`, KEY: keys[0].key }
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  const relevance = {
    "city-walks": "Podcast, open in Austria.",
    billboard: "Display, not podcast, not open in Austria.",
  }
  const lines = Object.entries(relevance).map(([id, reason]) => `${id}: ${reason}\n`)

  const expectProducts = (structuredContent: Json) => {
    const shown = structuredContent.products.map((product: Json) => [product.product_id, product.brief_relevance])
    expect(shown).toEqual(Object.entries(relevance))
  }

  test("curl", async () => {
    const { code, out, err } = await runSnippet("sh", snippetFor("get-products.sh"), env)
    expect([code, err]).toEqual([0, ""])
    expectProducts((JSON.parse(out) as Json).result.structuredContent)
  })

  test.each(["mcp-sdk.mjs", "mcp-client.mjs", "adcp-sdk.mjs"])("%s, on Node", async (name) => {
    const node = Bun.which("node")
    if (node === null) return console.error("SKIPPED: this example needs Node.")
    const { code, out, err } = await runSnippet(node, snippetFor(name), env)
    expect([code, code === 0 ? "" : err]).toEqual([0, ""])
    expect(out).toEndWith(lines.join(""))
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

  test("inspector.sh, on Node", async () => {
    if (Bun.which("npx") === null) return console.error("SKIPPED: this example needs npx.")
    // Found beside it, npx need not fetch it.
    const packages = {
      "@modelcontextprotocol/inspector": "inspector-v1",
      ".bin/mcp-inspector": "inspector-v1/cli/build/cli.js",
    }
    const { code, out, err } = await runSnippet("sh", { ...snippetFor("inspector.sh"), packages }, env)
    expect([code, code === 0 ? "" : err]).toEqual([0, ""])
    expectProducts((JSON.parse(out.slice(out.indexOf("{"))) as Json).structuredContent)
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
