import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { addFormat, call, chooseSettings, givenProduct, givenShown, productOf } from "../harness/agent/agent.ts"
import { type Json, quickAjv } from "../harness/agent/official.ts"
import { startApp } from "../harness/app.ts"

// The schemas of these two files come with the official AdCP client.
const schemas = join(import.meta.dir, "../../node_modules/@adcp/sdk/dist/lib/schemas-data/3.0")

function problemsOf(file: string, value: unknown): string[] {
  const ajv = quickAjv()
  for (const path of readdirSync(schemas, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".json") || path.startsWith("bundled")) continue
    const schema = JSON.parse(readFileSync(join(schemas, path), "utf8"))
    if (schema.$id) ajv.addSchema(schema)
  }
  const { $id } = JSON.parse(readFileSync(join(schemas, file), "utf8"))
  return ajv.validate($id, value) ? [] : (ajv.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

const HTTPS = { options: { publicUrl: "https://ads.example.com" } }

test.each(["adagents.json", "brand.json", "else.json"])(
  "%s is missing unless the operator fills it in",
  async (file) => {
    await using app = await startApp(HTTPS)
    expect((await app.fetch(`/.well-known/${file}`)).status).toBe(404)
  },
)

test("adagents.json names this agent, whom to ask, and the domains, whatever is sold there", async () => {
  await using app = await startApp(HTTPS)
  await chooseSettings(app, { domains: ["news.example", "audio.example"], contact: "sales@example.com" })
  const publisher_properties = [{ publisher_domain: "audio.example", selection_type: "all" }]
  await givenProduct(app, productOf("hidden", { channels: ["podcast", "email"], publisher_properties }))
  const response = await app.fetch("/.well-known/adagents.json")
  expect(response.headers.get("access-control-allow-origin")).toBe("*")
  const file: Json = await response.json()
  const contact = { name: "sales@example.com", email: "sales@example.com", domain: "ads.example.com" }
  expect([file.contact, file.authorized_agents[0].url]).toEqual([contact, "https://ads.example.com/"])
  const properties = file.authorized_agents[0].properties
  expect(properties.map((one: Json) => [one.publisher_domain, one.property_type])).toEqual([
    ["news.example", "website"],
    ["audio.example", "website"],
  ])
  expect(problemsOf("adagents.json", file)).toEqual([])
})

test("brand.json names the company and its sales agent, and the capabilities say where it is", async () => {
  await using app = await startApp(HTTPS)
  await chooseSettings(app, { company: "Example Media" })
  const file: Json = await (await app.fetch("/.well-known/brand.json")).json()
  const agents = [{ type: "sales", url: "https://ads.example.com/" }]
  expect(file).toMatchObject({ agents, contact: { name: "Example Media" } })
  expect(problemsOf("brand.json", file)).toEqual([])
  const { identity } = await call(app, "get_adcp_capabilities")
  expect(identity).toEqual({ brand_json_url: "https://ads.example.com/.well-known/brand.json" })
})

test.each([
  ["", {}],
  ["a public URL without TLS", { publicUrl: "http://ads.example.com" }],
  ["an agent URL without TLS", { publicUrl: "https://a.example", agentUrl: "http://b.example" }],
])("brand.json isn't published where it would be invalid: %s", async (_, options) => {
  await using app = await startApp({ options })
  await chooseSettings(app, { company: "Example Media" })
  expect((await app.fetch("/.well-known/brand.json")).status).toBe(404)
  expect((await call(app, "get_adcp_capabilities")).identity).toBeUndefined()
})

test("last_updated moves only when the file changes", async () => {
  await using app = await startApp(HTTPS)
  await chooseSettings(app, { domains: ["news.example"] })
  const updated = async () => ((await (await app.fetch("/.well-known/adagents.json")).json()) as Json).last_updated
  const before = await updated()
  app.clock.advance({ seconds: 60 })
  await givenProduct(app, productOf("a"))
  expect(await updated()).toBe(before)
  await chooseSettings(app, { domains: ["news.example", "shop.example"] })
  expect(await updated()).toBe("2026-11-15T12:01:00Z")
})

test("a custom format says where its schema is, and the schema has the digest that was promised", async () => {
  await using app = await startApp(HTTPS)
  const canonical = { kind: "custom", format_shape: "multi_placement_takeover" }
  const assets = [{ item_type: "individual", asset_id: "story", asset_type: "text", required: true }]
  await addFormat(app, { format_id: { id: "takeover" }, name: "Takeover", canonical, assets })
  const { key } = await givenShown(app, [productOf("p", { format_ids: [{ id: "takeover" }] })])
  const { products } = await call(app, "get_products", {}, { key })
  const [option] = products[0].format_options
  expect(option).toMatchObject({ format_kind: "custom", format_shape: "multi_placement_takeover" })
  const { uri, digest } = option.format_schema
  expect(new URL(uri).origin).toBe("https://ads.example.com")
  const text = await (await app.fetch(new URL(uri).pathname)).text()
  expect(digest).toBe(`sha256:${new Bun.CryptoHasher("sha256").update(text).digest("hex")}`)
  expect(JSON.parse(text)).toMatchObject({ title: "Takeover", required: ["story"] })
  expect((await app.fetch("/formats/display_image.json")).status).toBe(404)
})
