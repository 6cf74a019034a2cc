import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PLAIN_PRODUCT } from "../harness/agent/agent.ts"
import { startApp } from "../harness/app.ts"
import { importedKey } from "../harness/data/imported.ts"
import { temporaryFolder } from "../harness/folder.ts"
import { type RunningProgram, startProgram, tryProgram } from "../harness/program.ts"
import { BLOCKS, blockNamed, ROOT, runFiles } from "./guides.ts"

// The examples of the guides, run as written against the program.

const LINE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const line = (package_id: string, pricing_basis: string, name: string) => ({
  ...{ package_id, pricing_basis, name, seller: "acme-audio" },
  flight_start: dayFromNow(-10),
  flight_end: dayFromNow(10),
  ...(pricing_basis !== "flat_rate" && { booked: 500_000, rate: 12.5, currency: "EUR" }),
})

const FILE = {
  organizations: [
    { slug: "acme-audio", name: "Acme Audio" },
    { slug: "brand-co", name: "Brand Co" },
  ],
  campaigns: [{ slug: "autumn", name: "Autumn", buyer: "brand-co", lines: [line(LINE, "impressions", "Pre-roll")] }],
  products: [
    { ...PLAIN_PRODUCT, product_id: "city-walks", name: "City Walks", channels: ["podcast"] },
    { ...PLAIN_PRODUCT, product_id: "billboard", channels: ["display"] },
  ],
  agent_keys: [
    {
      label: "Buyer",
      buyer: "brand-co",
      opened: [
        { product_id: "city-walks", territories: ["DE", "AT"] },
        { product_id: "billboard", territories: ["DE"] },
      ],
    },
  ],
}

const folder = temporaryFolder()
let server: RunningProgram
let environment: Record<string, string>

beforeAll(async () => {
  server = await startProgram({ options: ["--agent-delivery"] })
  const data = ["--data", server.data]
  const file = join(folder.path, "file.json")
  writeFileSync(file, JSON.stringify(FILE))
  const imported = JSON.parse((await tryProgram(["import", file, "--json", ...data])).output)
  const key = await tryProgram(["key", "create", "--org", "acme-audio", "--label", "Ad server", ...data])
  environment = {
    AGENT: `${server.url}/`,
    KEY: imported.agent_keys[0].key,
    ADBOOTH_URL: server.url,
    ADBOOTH_KEY: key.output.trim(),
  }
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

describe("report.md", () => {
  test("the first total is accepted", async () => {
    const curl = BLOCKS.find(({ page, text }) => page === "docs/report.md" && text.startsWith("curl"))
    const { code, output } = await runFiles(["sh", "first.sh"], { "first.sh": curl?.text ?? "" }, environment)
    expect([code, JSON.parse(output)]).toMatchObject([0, { accepted: 1, results: [{ effect: "applied" }] }])
  })

  test("the Python program reports, and prints nothing if all is well", async () => {
    const script = BLOCKS.find(({ page, language }) => page === "docs/report.md" && language === "python")
    const text = (script?.text ?? "").replaceAll("2026-11-14T18:00:00+01:00", `${dayFromNow(-1)}T18:00:00+01:00`)
    expect(await runFiles(["python3", "report.py"], { "report.py": text }, environment)).toMatchObject({
      code: 0,
      output: "",
    })
  })
})

describe("errors.md", () => {
  const examples = BLOCKS.filter(({ words }) => words[0] === "wrong")

  test("has an example for every reason but our own mistakes", () => {
    expect(new Set(examples.map(({ words }) => words[1])).size).toBe(9)
  })

  test.each(examples)("$words is what its example gets", async ({ words, text }) => {
    await using app = await startApp()
    const lines = [
      line(LINE, "impressions", "A"),
      line("5c2c7a52-0d0f-4f0b-9a3e-3d2d5a7b1c02", "downloads", "B"),
      line("9e107d9d-372b-4b68-8f6b-2f1c3a4d5e03", "flat_rate", "C"),
    ].map((each) => ({ ...each, flight_start: "2026-11-01", flight_end: null }))
    const file = { ...FILE, campaigns: [{ ...FILE.campaigns[0], lines }], products: [], agent_keys: [] }
    const key = await importedKey(app, file, "acme-audio")
    const feed = { codes: "affiliate/codes", metrics: "affiliate/metrics" }[words[2] ?? ""] ?? "delivery/metrics"
    const send = (path: string, body: string) =>
      app.fetch(`/api/ingest/${path}`, {
        method: "POST",
        body,
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      })
    await send("affiliate/codes", JSON.stringify({ codes: [{ packageId: LINE, code: "AUTUMN10" }] }))
    const answer = JSON.stringify(await (await send(feed, text)).json())
    expect(answer).toContain(`"reason":"${words[1]}"`)
  })
})

describe("buyers.md", () => {
  const agent = blockNamed("agent.mjs")
  const expected = ["city-walks", "billboard"]

  test("curl finds the products", async () => {
    const { output } = await runFiles(["sh", "run.sh"], { "run.sh": blockNamed("get-products.sh") }, environment)
    const { products } = JSON.parse(output).result.structuredContent
    expect(products.map(({ product_id }: { product_id: string }) => product_id)).toEqual(expected)
  })

  test.each([
    ["mcp-sdk.mjs", agent],
    ["mcp-sdk.mjs", agent.replaceAll(/"@modelcontextprotocol\/sdk\/[^"]*"/g, '"@modelcontextprotocol/client"')],
    ["adcp-sdk.mjs", ""],
  ])("%s finds the products", async (name, beside) => {
    const files = { "agent.mjs": beside, [name]: blockNamed(name) }
    const { code, output, errors } = await runFiles(["node", name], files, environment)
    expect([code, code === 0 ? "" : errors]).toEqual([0, ""])
    for (const id of expected) expect(output).toContain(`${id}:`)
  })

  // The MCP SDK for Python isn't installed here, so the program isn't run.
  test("get_products.py is valid Python", async () => {
    const command = ["python3", "-m", "py_compile", "get_products.py"]
    const files = { "get_products.py": blockNamed("get_products.py") }
    expect(await runFiles(command, files, environment)).toMatchObject({ code: 0, errors: "" })
  })

  test("feed.mjs reads all pages, and then nothing new", async () => {
    const files = { "agent.mjs": agent, "feed.mjs": blockNamed("feed.mjs") }
    const { output } = await runFiles(["sh", "-c", "node feed.mjs && node feed.mjs"], files, environment)
    expect(output).toBe("2 products\nunchanged\n")
  })

  test("delivery.mjs prints what the buyer's campaigns delivered", async () => {
    const files = { "agent.mjs": agent, "delivery.mjs": blockNamed("delivery.mjs") }
    const { output } = await runFiles(["node", "delivery.mjs"], files, environment)
    expect(output).toMatch(/autumn: active, \d+ impressions, 0 downloads, [\d.]+ EUR/)
  })
})

test("the import file of products.md and the one of the README can be imported", async () => {
  const inGuide = BLOCKS.find(({ page, language }) => page === "docs/products.md" && language === "json")
  const file = join(folder.path, "guide.json")
  writeFileSync(file, inGuide?.text ?? "")
  for (const path of [file, join(ROOT, "docs/example.json")]) {
    JSON.parse(readFileSync(path, "utf8"))
    const { code, errors } = await tryProgram(["import", path, "--data", join(folder.path, `data-${path.length}`)])
    expect([path, code, errors]).toMatchObject([path, 0, expect.anything()])
  }
})
