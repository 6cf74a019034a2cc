import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import Ajv from "ajv"
import addFormats from "ajv-formats"
import type { Json } from "../../domain/adcp/schema/answers.ts"
import { startApp } from "../../harness.ts"
import { call, givenBuyers, givenProduct } from "./buyer.ts"

// The schemas of these two files come with the official AdCP client.
const schemas = join(import.meta.dir, "../../../node_modules/@adcp/sdk/dist/lib/schemas-data/3.0")

function complaints(file: string, value: unknown): string[] {
  const ajv = new Ajv({ strict: false })
  addFormats(ajv)
  for (const path of readdirSync(schemas, { recursive: true, encoding: "utf8" }).filter((each) =>
    each.endsWith(".json"),
  )) {
    const schema = JSON.parse(readFileSync(join(schemas, path), "utf8"))
    if (schema.$id && !path.startsWith("bundled")) ajv.addSchema(schema)
  }
  const { $id } = JSON.parse(readFileSync(join(schemas, file), "utf8"))
  return ajv.validate($id, value) ? [] : (ajv.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

test.each(["adagents.json", "brand.json"])("%s is absent unless the operator switches it on", async (file) => {
  await using app = await startApp()
  expect((await app.fetch(`/.well-known/${file}`)).status).toBe(404)
})

test("adagents.json names this agent as the seller for the operator's domains", async () => {
  await using app = await startApp({
    options: { publicUrl: "https://ads.example.com" },
    chosen: { adagents_domains: "news.example.com,shop.example.com" },
  })
  const response = await app.fetch("/.well-known/adagents.json")
  const file = (await response.json()) as {
    authorized_agents: { url: string; properties: { publisher_domain: string }[] }[]
  }
  expect(file.authorized_agents[0]?.url).toBe("https://ads.example.com/")
  expect(file.authorized_agents[0]?.properties.map((property) => property.publisher_domain)).toEqual([
    "news.example.com",
    "shop.example.com",
  ])
  expect(complaints("adagents.json", file)).toEqual([])
})

test("adagents.json says whom to ask, and has the podcasts and newsletters of its domains", async () => {
  const chosen = { adagents_domains: "news.example,audio.example", agent_contact: "sales@example.com" }
  await using app = await startApp({ options: { publicUrl: "https://ads.example.com" }, chosen })
  const at = (publisher_domain: string) => ({ publisher_properties: [{ publisher_domain, selection_type: "all" }] })
  const products = [
    givenProduct("a", { channels: ["podcast"], ...at("audio.example") }),
    givenProduct("b", { channels: ["email", "display"], ...at("audio.example") }),
    givenProduct("c", { channels: ["podcast"], ...at("elsewhere.example") }),
  ]
  await givenBuyers(app, products, {})
  const file = (await (await app.fetch("/.well-known/adagents.json")).json()) as Json
  expect(file.contact).toEqual({ name: "sales@example.com", email: "sales@example.com", domain: "ads.example.com" })
  const properties = file.authorized_agents[0].properties.map((one: Json) => [
    one.publisher_domain,
    one.property_type,
    one.supported_channels,
  ])
  expect(properties).toEqual([
    ["news.example", "website", undefined],
    ["audio.example", "website", undefined],
    ["audio.example", "podcast", ["podcast"]],
    ["audio.example", "website", ["email"]],
  ])
  expect(complaints("adagents.json", file)).toEqual([])
})

test("brand.json names the company and its sales agent", async () => {
  const chosen = { brand_name: "Example Media" }
  await using app = await startApp({ options: { publicUrl: "https://ads.example.com" }, chosen })
  const file = await (await app.fetch("/.well-known/brand.json")).json()
  expect(file).toMatchObject({
    agents: [{ type: "sales", url: "https://ads.example.com/" }],
    contact: { name: "Example Media" },
  })
  expect(complaints("brand.json", file)).toEqual([])
})

test("brand.json is published under https only, where it is valid, and the capabilities say where", async () => {
  const chosen = { brand_name: "Example Media" }
  for (const options of [
    {} as Record<string, string>,
    { publicUrl: "http://ads.example.com" },
    { publicUrl: "https://a.example", agentUrl: "http://b.example" },
  ]) {
    await using app = await startApp({ options, chosen })
    expect((await app.fetch("/.well-known/brand.json")).status).toBe(404)
    expect((await call(app, "get_adcp_capabilities")).identity).toBeUndefined()
  }
  await using app = await startApp({ options: { publicUrl: "https://ads.example.com" }, chosen })
  const { identity } = await call(app, "get_adcp_capabilities")
  expect(identity).toEqual({ brand_json_url: "https://ads.example.com/.well-known/brand.json" })
})
