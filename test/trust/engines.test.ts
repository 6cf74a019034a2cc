import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import { openSession } from "../../src/actions/people/sessions.ts"
import { type DemoSecrets, seedDemo } from "../../src/demo/seed.ts"
import { fingerprintOf } from "../../src/domain/keys/api-key.ts"
import { SESSION_COOKIE } from "../../src/doors/web/cookies.ts"
import { routes } from "../../src/doors/web/routes.ts"
import { createLog } from "../../src/log/log.ts"
import { move } from "../../src/storage/open.ts"
import { post as ask } from "../doors/agent/buyer.ts"
import { CODES, DELIVERY, METRICS, post } from "../doors/ingest/feed.ts"
import { oddRows } from "../doors/ingest/odd-rows.ts"
import { type Content, publishedBy, type Schema } from "../doors/ingest/published-schemas.ts"
import { crawl } from "../doors/web/crawl.ts"
import { type Visitor, visitor } from "../doors/web/visitor.ts"
import { ON_POSTGRES } from "../engine.ts"
import { startApp, type TestApp, temporaryFolder } from "../harness.ts"
import { emptyDatabase, noPostgres } from "../storage/postgres/server.ts"

// Two servers with the same content and the same clock, one on each engine, answer alike whatever they are asked.

const LIMITS = { limitIngest: "100000", limitAgentKeyed: "100000", limitAgentAnonymous: "100000" }
// What these pages tell is about the engine, or made up anew each time.
const OF_THE_ENGINE = /^\/app\/(?:operator\/(?:system|backups)|account\/two-factor)/

interface Twins extends AsyncDisposable {
  readonly both: readonly [TestApp, TestApp]
  readonly secrets: DemoSecrets
  /** The same person with the same session at each. */
  readonly people: readonly (readonly [Visitor, Visitor])[]
  /** The same people in browsers of their own: what those remember changes no comparison. */
  readonly readers: readonly Visitor[]
  /** Asks both for a page, and expects the same. */
  get(who: number, path: string): Promise<void>
}

async function givenTwins(): Promise<Twins> {
  await using opening = new AsyncDisposableStack()
  const data = join(opening.use(temporaryFolder()).path, "data")
  const database = opening.use(await emptyDatabase())
  const { secrets, tokens } = await filled(data)
  await move(data, database.url, { waitUntilFree: inUse, begins: () => undefined })
  const sqlite = opening.use(await startApp({ options: { data, ...LIMITS } }))
  const postgres = opening.use(await startApp({ options: { databaseUrl: `${database.url}&pool_size=4`, ...LIMITS } }))
  const at = (app: TestApp, token: string) => visitor(app, new Map([[SESSION_COOKIE, token]]))
  const people = tokens.map((token) => [at(sqlite, token), at(postgres, token)] as const)
  const readers = tokens.map((token) => at(sqlite, token))
  const get = (who: number, path: string) => alike(path, people[who]?.map((person) => person.get(path)) ?? [])
  const opened = opening.move()
  return { both: [sqlite, postgres], secrets, people, readers, get, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function inUse(whoUsesIt: string): Promise<never> {
  throw new Error(`not free: ${whoUsesIt}`)
}

/** The demo's content, and a session of each of its people. */
async function filled(data: string) {
  await using app = await startApp({ options: { data } })
  const secrets = await seedDemo({
    ...app,
    log: createLog({ format: "json", clock: app.clock, write: () => undefined }),
  })
  const users = await app.store.users.list()
  const tokens = await Promise.all(users.map(async ({ id }) => (await openSession(app, id, null)).token))
  return { secrets, tokens }
}

/** What an answer says, without what is another's at every request. */
async function said(response: Response): Promise<string> {
  const text = (await response.text())
    .replaceAll(new URL(response.url).host, "HOST")
    // A move counts as a change of the catalogue.
    .replace(/name="revision" value="\d+"/g, "REVISION")
    // Numbers are handed out with gaps.
    .replace(/(\/affiliates\/)\d+/g, "$1ID")
    .replace(/\b[\d.,]+ ms\b/g, "TIME")
    .replace(/"request_id":"[^"]*"|request [0-9a-f-]{36}/gi, "REQUEST")
  return `${response.status} ${response.headers.get("location") ?? ""}\n${text}`
}

async function alike(asked: string, answers: readonly Promise<Response>[]): Promise<void> {
  const [first = "", second] = await Promise.all(answers.map((answer) => answer.then(said)))
  expect(`${asked} ${second}`).toBe(`${asked} ${first}`)
  expect(`${asked} ${first.slice(0, 3)}`).not.toBe(`${asked} 500`)
}

interface Page {
  readonly who: number
  readonly path: string
  readonly route: string
  /** Of the fields in it. */
  readonly names: readonly string[]
}

const ROWS_MAX = 1_500
// The package of the published examples.
const EXAMPLE_ID = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"

/** Pages that links lead to, for each person: of those that one route makes, with the same parameters, one. */
async function pagesOf({ readers }: Twins): Promise<Page[]> {
  const pages: Page[] = []
  for (const [who, person] of readers.entries()) {
    const known = new Set<string>()
    const isWanted = (path: string) => {
      const { pathname, searchParams } = new URL(path, "http://here")
      const kind = `${routeOf(pathname)} ${[...searchParams.keys()].join()}`
      if (known.has(kind) || OF_THE_ENGINE.test(pathname)) return false
      known.add(kind)
      return true
    }
    for (const { path, html } of await crawl(person, ["/app"], { isWanted })) {
      const names = [...html.matchAll(/<(?:input|select)[^>]* name="([\w-]+)"/g)].map(([, name = ""]) => name)
      pages.push({ who, path, route: routeOf(path.split("?")[0] ?? ""), names: [...new Set(names)] })
    }
  }
  return pages
}

const routeOf = (pathname: string) => routes.find(({ path }) => patternOf(path).test(pathname))?.path ?? pathname
const patternOf = (route: string) => new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+")}$`)

const ODD = [
  ...["\0", "a\0b", "'", '"', "%", "_", "\\", "\\\\", "\u{10ffff}", "e\u0301", "ß", "İ", "\u202e", " ", "a b", "<b>"],
  ...["0", "-1", "1e9", "9007199254740993", "99999999999999999999", "NaN", "1.5", "00", "２", "2026-02-30"],
  ...[
    "0001-01-01",
    "9999-12-31",
    "2026-11-14",
    "null",
    "true",
    "[]",
    "..",
    "acme",
    "*",
    "desc",
    "name",
    "x".repeat(3_000),
  ],
]
const NAMES = ["q", "page", "sort", "from", "to", "before", "after", "campaign", "state"]

describe.skipIf(noPostgres !== null || ON_POSTGRES)("SQLite and PostgreSQL with the same content", () => {
  test("answer alike: every page, odd queries, feeds and agents, and every page after them", async () => {
    await using at = await givenTwins()
    const pages = await pagesOf(at)
    expect(pages.length).toBeGreaterThan(100)
    const samePages = async () => {
      // What no request waits for is written every few seconds, by each in its own time.
      for (const { store } of at.both) await store.flushWriteBuffer()
      for (const { who, path } of pages) await at.get(who, path)
    }
    await samePages()
    // Every field of every kind of page, with one odd value after the other.
    const fields = pages.flatMap(({ who, path, route, names }) =>
      names.map((name) => ({ who, path: path.split("?")[0], field: `${route} ${name}`, name })),
    )
    const once = [...new Map(fields.map((one) => [one.field, one])).values()]
    for (const [n, { who, path, name }] of once.entries()) {
      for (const value of ["\0", ODD[n % ODD.length] ?? ""]) await at.get(who, `${path}?${name}=${encoded(value)}`)
    }
    const values = fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: "binary", maxLength: 5 }))
    const query = fc.array(fc.tuple(fc.constantFrom(...NAMES), values), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...pages), query, async ({ who, path }, asked) => {
        const parameters = asked.map(([name, value]) => `${name}=${encoded(value)}`).join("&")
        await at.get(who, `${path.split("?")[0]}?${parameters}`)
      }),
      { numRuns: 100 },
    )
    await feeds(at)
    await agents(at)
    await samePages()
  })
})

/** Every odd row of every feed: some are kept, and all answers are alike. */
async function feeds({ both, secrets }: Twins): Promise<void> {
  const packageId = await packageOf(both[0], secrets.ingestKey)
  const document = await publishedBy(both[0])
  for (const path of [CODES, DELIVERY, METRICS]) {
    const body = document.paths[path]?.["post"]?.requestBody.content["application/json"] as Content
    const [[field, list] = ["", {} as Schema]] = Object.entries(body.schema.properties ?? {})
    const row = document.components.schemas[list.items?.$ref?.split("/").at(-1) ?? ""] as Schema
    const rows = oddRows(row).map((text) => text.replaceAll(EXAMPLE_ID, packageId))
    const every = Math.ceil(rows.length / ROWS_MAX)
    const some = rows.filter((_, n) => n % every === 0)
    for (let start = 0; start < some.length; start += 100) {
      const text = `{"${field}":[${some.slice(start, start + 100).join(",")}]}`
      await alike(
        `${path} ${text}`,
        both.map((app) => post(app, path, secrets.ingestKey, text)),
      )
    }
  }
}

async function agents({ both, secrets }: Twins): Promise<void> {
  const args = ODD.flatMap((odd) => [
    { buying_mode: "brief", brief: odd },
    { buying_mode: "wholesale", filters: { countries: [odd], name_search: odd } },
    { context: { odd }, publisher_domain: odd, fields: [odd] },
  ])
  for (const [n, given] of args.entries()) {
    const name = n % 4 === 0 ? "list_creative_formats" : "get_products"
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }
    const key = n % 3 === 0 ? undefined : secrets.agentKey
    await alike(
      JSON.stringify(call),
      both.map((app) => ask(app, call, { key })),
    )
  }
}

/** A line that the demo's key reports for. */
async function packageOf(app: TestApp, key: string): Promise<string> {
  const admitted = await app.store.admissions.ingest(fingerprintOf(key), { name: "test", limit: 1 }, app.clock())
  return (await app.store.packageLines.example(admitted?.key.organizationId ?? 0))?.packageId ?? ""
}

/** Half of a pair cannot be sent; any other character is. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
