import { describe, expect, test } from "bun:test"
import { Ajv2020 } from "ajv/dist/2020.js"
import { startApp } from "../../harness.ts"
import { CODES, DELIVERY, METRICS } from "./feed.ts"

interface Content {
  readonly schema: object
  readonly example: unknown
}
interface Operation {
  readonly parameters: readonly { readonly name: string }[]
  readonly requestBody: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<
    Record<string, { readonly headers: object; readonly content: Readonly<Record<string, Content>> }>
  >
}
interface OpenApi {
  readonly openapi: string
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: object
}

async function document(options: Record<string, string> = {}): Promise<OpenApi> {
  await using app = await startApp({ options })
  const response = await app.fetch("/openapi.json")
  expect(response.headers.get("content-type")).toStartWith("application/json")
  return (await response.json()) as OpenApi
}

describe("the OpenAPI document", () => {
  test("is version 3.1 and describes the three endpoints", async () => {
    const { openapi, paths } = await document()
    expect(openapi).toMatch(/^3\.1\.\d+$/)
    expect(Object.keys(paths)).toEqual([DELIVERY, CODES, METRICS])
    for (const path of Object.values(paths)) {
      expect(Object.keys(path)).toEqual(["post"])
      expect(path.post.parameters.map(({ name }) => name)).toEqual(["dry_run"])
    }
  })

  test("names every status with its headers", async () => {
    for (const { post } of Object.values((await document()).paths)) {
      const statuses = ["200", "400", "401", "405", "408", "413", "415", "429", "500", "503"]
      expect(Object.keys(post.responses)).toEqual(statuses)
      for (const { headers } of Object.values(post.responses)) expect(headers).toHaveProperty("X-Request-Id")
      expect(post.responses["429"]?.headers).toHaveProperty("Retry-After")
      expect(post.responses["401"]?.headers).toHaveProperty("WWW-Authenticate")
    }
  })

  test("names the limits in force, not those that are usual", async () => {
    const usual = JSON.stringify(await document())
    const ours = JSON.stringify(await document({ limitIngest: "17", maxBody: "2345" }))
    expect(usual).toContain("More than 60 requests")
    expect(usual).toContain("larger than 1048576 bytes")
    expect(ours).toContain("More than 17 requests of this key to this feed within 60 seconds")
    expect(ours).toContain('\\"delivery\\";q=17;w=60: 17 requests')
    expect(ours).toContain("larger than 2345 bytes")
  })

  test("has examples that its own schemas accept, and that would be refused if they were wrong", async () => {
    const { paths, components } = await document()
    const ajv = new Ajv2020({ strict: false })
    ajv.addSchema({ $id: "http://openapi/", components })
    const check = ({ schema, example }: Content, value: unknown = example) => {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"http://openapi/#/components')
      return ajv.validate(JSON.parse(text), value)
    }
    for (const { post } of Object.values(paths)) {
      const contents = [post.requestBody, ...Object.values(post.responses)].flatMap(({ content }) =>
        Object.values(content),
      )
      for (const content of contents) {
        expect(check(content)).toBe(true)
        expect(check(content, {})).toBe(false)
      }
    }
  })

  test("bounds requests as the feeds do", async () => {
    const { paths } = await document()
    const bounds = Object.values(paths).map(({ post }) => {
      const schema = post.requestBody.content["application/json"]?.schema as {
        properties: Record<string, { minItems: number; maxItems: number }>
      }
      return Object.entries(schema.properties).map(([name, { minItems, maxItems }]) => [name, minItems, maxItems])
    })
    expect(bounds).toEqual([[["items", 1, 500]], [["codes", 0, 1000]], [["metrics", 0, 1000]]])
  })
})

describe("the reference page", () => {
  test("and everything it loads comes from this server, and nothing else may be loaded", async () => {
    await using app = await startApp()
    const page = await app.fetch("/docs")
    const html = await page.text()
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? "")
    expect(loaded).toEqual(["data:,", "/openapi.json", "/docs/viewer.js", "/docs/start.js"])
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self';")
    for (const path of ["/docs/viewer.js", "/docs/start.js"]) {
      const script = await app.fetch(path)
      expect([script.status, script.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"])
      expect((await script.text()).length).toBeGreaterThan(100)
    }
  })
})
