import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { FILES_PATH } from "../../../src/domain/feed-addresses.ts"
import { BODY_BYTES_MAX } from "../../../src/domain/limits.ts"
import { openapiWithoutServer } from "../../../src/doors/ingest/openapi.ts"
import { feedRoutes, fileRoutes } from "../../../src/doors/ingest/routes.ts"
import { givenIngestKey, givenOrganization } from "../../given.ts"
import { startApp, type TestApp, temporaryFolder } from "../../harness.ts"
import { CODES, DELIVERY, METRICS, post } from "./feed.ts"
import { type Content, checkers, type OpenApi, type Operation, publishedBy } from "./published-schemas.ts"

const LIMITS = { requestsPerMinute: 60, bodyBytesMax: 1_048_576 }

async function document(options: Record<string, string> = {}): Promise<OpenApi> {
  await using app = await startApp({ options })
  return await publishedBy(app)
}

/** The feeds. Whole files are another matter: test/doors/ingest/files.test.ts. */
function postsOf({ paths }: OpenApi): [string, Operation][] {
  const posts = Object.entries(paths).flatMap(([path, { post }]): [string, Operation][] =>
    post === undefined ? [] : [[path, post]],
  )
  return posts.filter(([path]) => path !== FILES_PATH)
}

function contentsOf({ requestBody, responses }: Operation): Content[] {
  return [requestBody, ...Object.values(responses)].flatMap(({ content }) => Object.values(content))
}

describe("the OpenAPI document", () => {
  test("is version 3.1 and describes the three feeds and the files", async () => {
    const published = await document()
    expect(published.openapi).toMatch(/^3\.1\.\d+$/)
    expect(Object.keys(published.paths)).toEqual([DELIVERY, CODES, METRICS, FILES_PATH])
    for (const [, post] of postsOf(published)) expect(post.parameters.map(({ name }) => name)).toEqual(["dry_run"])
  })

  test("has every route under /api that answers, and no other", async () => {
    await using app = await startApp()
    const { paths } = await publishedBy(app)
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((one) => `${one} ${path}`),
    )
    const nothing = async () => new Response()
    const { routes } = feedRoutes(LIMITS, () => nothing).use(fileRoutes(LIMITS, nothing))
    const answered = routes
      .filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(":id", "{id}")}`)
    expect(documented).toEqual(answered)
    for (const path of Object.keys(paths))
      for (const method of ["GET", "PUT", "PATCH", "DELETE", "POST"]) {
        const isDocumented = documented.includes(`${method.toLowerCase()} ${path}`)
        expect([path, method, (await app.fetch(path, { method })).status]).toEqual([
          path,
          method,
          isDocumented ? 401 : 405,
        ])
      }
  })

  test("names the address that callers use: the public one, else the one that was asked", async () => {
    expect((await document({ publicUrl: "https://ads.example.com" })).servers).toEqual([
      { url: "https://ads.example.com" },
    ])
    await using app = await startApp()
    expect((await publishedBy(app)).servers).toEqual([{ url: app.url }])
    const misled = await app.fetch("/openapi.json", { headers: { Host: "evil.example" } })
    expect(((await misled.json()) as OpenApi).servers).toEqual([{ url: app.url }])
  })

  test("is the same without a server, but for the address", async () => {
    const printed = JSON.parse(JSON.stringify(await openapiWithoutServer(LIMITS, "http://127.0.0.1:3000"))) as OpenApi
    expect({ ...printed, servers: [] }).toEqual({ ...(await document()), servers: [] })
    expect(printed.servers).toEqual([{ url: "http://127.0.0.1:3000" }])
  })

  test("passes Redocly's linter with all recommended rules, and warnings count", async () => {
    await using app = await startApp()
    using folder = temporaryFolder()
    const file = join(folder.path, "openapi.json")
    await Bun.write(file, await (await app.fetch("/openapi.json")).text())
    expect(await lint(file)).toEqual([])
    // It does look: without an address it complains.
    await Bun.write(file, JSON.stringify({ ...(await publishedBy(app)), servers: [] }))
    expect(await lint(file)).toEqual(["no-empty-servers: Servers must be a non-empty array."])
  })

  test("names every status with its headers", async () => {
    for (const [, post] of postsOf(await document())) {
      const statuses = ["200", "400", "401", "405", "408", "413", "415", "429", "500", "503"]
      expect(Object.keys(post.responses)).toEqual(statuses)
      for (const { headers } of Object.values(post.responses)) expect(headers).toHaveProperty("X-Request-Id")
      expect(post.responses["429"]?.headers).toHaveProperty("Retry-After")
      expect(post.responses["401"]?.headers).toHaveProperty("WWW-Authenticate")
    }
  })

  test("describes every problem that a caller can run into", async () => {
    await using app = await startApp({ options: { limitIngest: "5" } })
    const key = await givenIngestKey(app, await givenOrganization(app))
    const published = await publishedBy(app)
    const checkerOf = checkers(published)
    for (const [path, { responses }] of postsOf(published)) {
      const seen: number[] = []
      for (const response of await problems(app, path, key)) {
        seen.push(response.status)
        const described = responses[response.status]
        const content = described?.content["application/problem+json"] as Content
        const isProblem = checkerOf(content.schema)
        expect([isProblem(await response.json()), isProblem.errors]).toEqual([true, null])
        expect(response.headers.get("content-type")).toBe("application/problem+json")
        for (const name of Object.keys(described?.headers ?? {}))
          expect([name, response.headers.has(name)]).toEqual([name, true])
      }
      expect(seen).toEqual([401, 401, 405, 400, 400, 400, 415, 413, 429])
    }
  })

  test("names the limits in force, not those that are usual", async () => {
    const usual = JSON.stringify(await document())
    const ours = JSON.stringify(await document({ limitIngest: "17" }))
    expect(usual).toContain("More than 60 requests")
    expect(usual).toContain("larger than 1048576 bytes")
    expect(ours).toContain("More than 17 requests of this key to this feed within 60 seconds")
    expect(ours).toContain('\\"delivery\\";q=17;w=60: 17 requests')
  })

  test("has examples that its own schemas accept, and that would be refused if they were wrong", async () => {
    const published = await document()
    const checkerOf = checkers(published)
    for (const { schema, example } of postsOf(published).flatMap(([, post]) => contentsOf(post))) {
      const check = checkerOf(schema)
      expect(check(example)).toBe(true)
      expect(check({})).toBe(false)
    }
  })

  test("bounds requests as the feeds do", async () => {
    const bounds = postsOf(await document()).map(([, { requestBody }]) => {
      const { properties = {} } = requestBody.content["application/json"]?.schema ?? {}
      return Object.entries(properties).map(([name, { minItems, maxItems }]) => [name, minItems, maxItems])
    })
    expect(bounds).toEqual([[["items", 1, 500]], [["codes", 0, 1000]], [["metrics", 0, 1000]]])
  })
})

/** One response for each way to be refused, in the order in which things are checked. */
async function problems(app: TestApp, path: string, key: string): Promise<Response[]> {
  return [
    await app.fetch(path, { method: "POST" }),
    await post(app, path, "wrong", {}),
    await app.fetch(path, { method: "PUT" }),
    await post(app, path, key, "{"),
    await post(app, path, key, {}),
    await post(app, `${path}?dry_run=maybe`, key, { items: [{}], codes: [], metrics: [] }),
    await post(app, path, key, {}, { "Content-Type": "text/csv" }),
    await post(app, path, key, `"${"x".repeat(BODY_BYTES_MAX)}"`),
    await post(app, path, key, {}),
  ]
}

interface Linted {
  readonly problems: readonly { readonly ruleId: string; readonly message: string }[]
}

/** What Redocly finds in a file. No rule is switched off. */
async function lint(file: string): Promise<string[]> {
  const program = join("node_modules", "@redocly", "cli", "bin", "cli.js")
  const linter = Bun.spawn([process.execPath, program, "lint", "--extends", "recommended", "--format", "json", file], {
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    stderr: "ignore",
  })
  const { problems } = JSON.parse(await new Response(linter.stdout).text()) as Linted
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

describe("the reference page", () => {
  test("and everything it loads comes from this server, and nothing else may be loaded", async () => {
    await using app = await startApp()
    const page = await app.fetch("/docs/api")
    const html = await page.text()
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? "")
    expect(loaded.filter((address) => !/^(?:[/#]|data:image)/.test(address))).toEqual([])
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self';")
  })

  test("says every address, field, status and code that the document has, and needs no script", async () => {
    await using app = await startApp()
    const html = await (await app.fetch("/docs/api")).text()
    const document = JSON.stringify(await (await app.fetch("/openapi.json")).json())
    const { paths } = JSON.parse(document) as { paths: Record<string, Record<string, { summary: string }>> }
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    const names = [...document.matchAll(/"properties":\{"(\w+)"/g), ...document.matchAll(/"code":"(\w+)"/g)]
    const wanted = [
      ...Object.keys(paths),
      ...operations.map(({ summary }) => summary),
      ...names.map(([, name]) => name),
    ]
    expect(wanted.length).toBeGreaterThan(20)
    expect(wanted.filter((text) => text !== undefined && !html.includes(text))).toEqual([])
  })
})
