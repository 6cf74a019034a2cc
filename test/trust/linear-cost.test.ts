import { expect, test } from "bun:test"
import type { TSchema } from "@sinclair/typebox"
import { GetProductsInput } from "../../src/domain/adcp/tools/get-products-input.ts"
import { CapabilitiesInput, ListCreativeFormatsInput } from "../../src/domain/adcp/tools/input.ts"
import { csvRows } from "../../src/domain/csv/csv-reader.ts"
import { FEEDS } from "../../src/doors/ingest/feeds.ts"
import { givenBuyers, givenProduct, MCP_HEADERS } from "../doors/agent/buyer.ts"
import { givenSeller } from "../doors/cli/exports.ts"
import { crawl } from "../doors/web/crawl.ts"
import { givenMarket, givenPerson, startMarket } from "../doors/web/given.ts"
import { sendFile } from "../doors/web/uploaded.ts"
import { signedIn, type Visitor } from "../doors/web/visitor.ts"
import { startApp, type TestApp } from "../harness.ts"
import { placesIn } from "./cost/arguments.ts"
import { FILES, FORMS, VALUES } from "./cost/bodies.ts"
import { growthOf, type Work } from "./cost/growth.ts"
import { BRIEFS, lists, TEXTS } from "./cost/texts.ts"
import { EVERY_ADDRESS } from "./every-address.ts"
import { ANSWERED_MAX, answersIn, rawConnection } from "./raw-connection.ts"

// A caller chooses not only what is sent, but how many of it. Whatever that is, what it costs grows in proportion, up to a limit.

const PATIENCE_MS = 600_000
const KIBIBYTE = 1_024
const BODY = 1_024 * KIBIBYTE
// What a server takes as one request line, or as all headers.
const HEAD = 12_000
const FIELDS = 20_000

type Row = readonly [name: string, work: Work, most: number]

const UNLIMITED = { limitIngest: "1000000", limitAgentAnonymous: "1000000", limitAgentKeyed: "1000000" }

/** Everything whose cost grows faster than what is sent. */
async function complaintsAbout(rows: Iterable<Row>): Promise<string[]> {
  const complaints: string[] = []
  for (const [name, work, most] of rows) {
    const figures = await growthOf(work, most)
    if (figures !== null) complaints.push(`${name}: ${figures}`)
  }
  return complaints
}

const rowsOf = <Kind>(
  kinds: ReadonlyMap<string, Kind>,
  name: string,
  most: number,
  work: (kind: Kind) => Work,
): Row[] => [...kinds].map(([kind, of]) => [`${name}: ${kind}`, work(of), most])

/** Whatever was sent, the answer is no failure of ours, and not many times as long. */
async function expectModest(response: Response, asked: number): Promise<void> {
  const length = (await response.bytes()).length
  expect([response.url, response.status === 500, length > BODY + 4 * asked]).toEqual([response.url, false, false])
}

async function send(
  app: TestApp,
  path: string,
  init: Omit<RequestInit, "body"> & { body?: string } = {},
): Promise<void> {
  app.clock.advance({ minutes: 2 })
  const response = await app.fetch(path, { redirect: "manual", ...init })
  await expectModest(response, path.length + (init.body ?? "").length)
}

interface Member {
  readonly visitor: Visitor
  readonly cookie: string
}

async function givenMember(app: TestApp): Promise<Member> {
  await givenMarket(app)
  const visitor = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  return { visitor, cookie: `adbooth_session=${visitor.cookie("adbooth_session")}` }
}

const STARTS = ["/app", "/app/o/acme-audio/campaigns", "/app/account"]

/** The same for pages of the same kind. */
const shapeOf = (path: string) => path.replace(/\?.*/, "").replaceAll(/[0-9a-f-]{36}|\d+|(?<=campaigns\/)[^/]+/g, ":")

const sendForm = (app: TestApp, path: string, body: string, cookie = "", type = "application/x-www-form-urlencoded") =>
  send(app, path, { method: "POST", headers: { origin: app.url, cookie, "content-type": type }, body })

const formRows = (app: TestApp, path: string, cookie = "") =>
  rowsOf(
    FORMS,
    path,
    FIELDS,
    ({ type, of }) =>
      (n) =>
        sendForm(app, path, of(n), cookie, type),
  )

test(
  "a stranger's forms",
  async () => {
    await using app = await startMarket({ options: UNLIMITED })
    const paths = ["/app/o/x/keys", "/app/sign-in/code", "/app/o/x/upload", "/app/theme"]
    expect(await complaintsAbout(paths.flatMap((path) => formRows(app, path)))).toEqual([])
    const texts = ["next", "kept", "code"].flatMap((field) =>
      rowsOf(TEXTS, field, 64 * KIBIBYTE, (text) => (n) => {
        const body = new URLSearchParams({ [field]: text(n) }).toString()
        return sendForm(app, "/app/sign-in/code", body)
      }),
    )
    expect(await complaintsAbout(texts)).toEqual([])
  },
  PATIENCE_MS,
)

test(
  "a seller's forms",
  async () => {
    await using app = await startApp({ options: UNLIMITED })
    const { visitor, cookie } = await givenMember(app)
    const found = (await crawl(visitor, STARTS)).flatMap(({ forms }) => forms)
    // Whoever has signed out tries nothing afterwards.
    const isEnding = (action: string) => /sign-out|sessions|revoke|remove|delete|password|two-factor/.test(action)
    const forms = found.filter(({ action }) => !isEnding(action))
    const different = [...new Map(forms.map((form) => [shapeOf(form.action), form])).values()]
    expect(different.length).toBeGreaterThan(8)
    const texts = different.flatMap(({ action, given, typed }) =>
      rowsOf(TEXTS, action, 64 * KIBIBYTE, (text) => (n) => {
        const all = Object.fromEntries(typed.map((field) => [field, text(n / typed.length)]))
        return sendForm(app, action, new URLSearchParams({ ...given, ...all }).toString(), cookie)
      }),
    )
    expect(await complaintsAbout(texts)).toEqual([])
    expect(await complaintsAbout(different.flatMap(({ action }) => formRows(app, action, cookie)))).toEqual([])
  },
  PATIENCE_MS,
)

const QUERY = "q next sort state from before page campaign".split(" ")
const escaped = (text: string) => encodeURIComponent(text.toWellFormed())

function addressRows(app: TestApp, path: string, cookie = ""): Row[] {
  const get = (query: string) => send(app, `${path}?${query}`.slice(0, HEAD), { headers: { cookie } })
  return [
    ...rowsOf(TEXTS, path, HEAD / 3, (text) => (n) => {
      const value = escaped(text(n / QUERY.length))
      return get(QUERY.map((name) => `${name}=${value}`).join("&"))
    }),
    [`${path}: different names`, (n) => get(lists.different(n, (i) => `f${i}`).join("&")), HEAD / 6],
    [`${path}: one name`, (n) => get("q=a&".repeat(n)), HEAD / 4],
  ]
}

test(
  "addresses",
  async () => {
    await using app = await startApp({ options: UNLIMITED })
    const { visitor, cookie } = await givenMember(app)
    const pages = (await crawl(visitor, STARTS)).map(({ path }) => path.replace(/\?.*/, ""))
    const different = [...new Map(pages.map((path) => [shapeOf(path), path])).values()]
    const rows = [
      ...["/app/sign-in", "/docs/buyers", "/"].flatMap((path) => addressRows(app, path)),
      ...different.flatMap((path) => addressRows(app, path, cookie)),
      ...rowsOf(TEXTS, "path", HEAD / 3, (text) => (n) => send(app, `/app/o/${escaped(text(n))}`)),
    ]
    expect(await complaintsAbout(rows)).toEqual([])
  },
  PATIENCE_MS,
)

const HEADERS =
  "accept accept-language authorization content-type cookie host if-none-match mcp-protocol-version origin referer traceparent user-agent x-forwarded-for"

test(
  "headers and cookies",
  async () => {
    await using app = await startApp({ options: { ...UNLIMITED, trustProxy: "127.0.0.1,10.0.0.0/8" } })
    const printable = [...TEXTS].filter(([, text]) => /^[ -~]*$/.test(text(64)))
    const texts = new Map([...printable, ["addresses", (n: number) => "10.0.0.1, ".repeat(n / 10)] as const])
    const rows = ["/app", "/", "/api/ingest/delivery/metrics"].flatMap((path) =>
      HEADERS.split(" ").flatMap((header) =>
        rowsOf(texts, `${path}, ${header}`, HEAD, (text) => (n) => {
          const headers = { ...MCP_HEADERS, [header]: text(n).trim() }
          return send(app, path, path === "/app" ? { headers } : { method: "POST", headers, body: "{}" })
        }),
      ),
    )
    expect(await complaintsAbout(rows)).toEqual([])
  },
  PATIENCE_MS,
)

test(
  "requests on a connection, sent without waiting for answers",
  async () => {
    await using app = await startApp({ options: UNLIMITED })
    const rows = EVERY_ADDRESS.map((request): Row => {
      const pipeline = async (n: number) => {
        const connection = await rawConnection(app.url)
        connection.send(request.repeat(n))
        const answers = await connection.closed
        // The connection ends after a few dozen, however many were sent.
        expect([request, answersIn(answers) > ANSWERED_MAX]).toEqual([request, false])
      }
      return [request, pipeline, 10_000]
    })
    expect(await complaintsAbout(rows)).toEqual([])
  },
  PATIENCE_MS,
)

/** A text in every place, and many of everything of which the schema has a list. */
function schemaRows(name: string, schema: TSchema, most: number, post: (json: string) => Promise<void>): Row[] {
  const { texts, many } = placesIn(schema)
  return [
    ...texts.flatMap(({ name: place, of }) =>
      rowsOf(
        /brief|ask/.test(place) ? BRIEFS : TEXTS,
        `${name}, ${place}`,
        most,
        (text) => (n) => post(JSON.stringify(of(text(n)))),
      ),
    ),
    ...many.map(({ name: place, of }): Row => [`${name}, ${place}`, (n) => post(JSON.stringify(of(n))), 4_000]),
  ]
}

test(
  "what a seller's system sends",
  async () => {
    await using app = await startApp({ options: UNLIMITED })
    const { key } = await givenSeller(app)
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
    const rows = FEEDS.flatMap(({ path, field, batch: { schema } }) => {
      const post = (body: string) => send(app, `${path}?dry_run=true`, { method: "POST", headers, body })
      const fields = Object.keys(schema.properties[field]?.["items"].properties)
      const inRow = (value: string) => post(`{"${field}":[{${fields.map((name) => `"${name}":${value}`).join(",")}}]}`)
      return [
        ...schemaRows(path, schema, 128 * KIBIBYTE, post),
        ...rowsOf(VALUES, path, BODY - 100, (value) => (n) => post(value(n))),
        ...rowsOf(VALUES, `${path}, in a row`, 128 * KIBIBYTE, (value) => (n) => inRow(value(n))),
      ]
    })
    expect(await complaintsAbout(rows)).toEqual([])
  },
  PATIENCE_MS,
)

const TOOLS: readonly (readonly [tool: string, input: TSchema])[] = [
  ["get_adcp_capabilities", CapabilitiesInput],
  ["get_products", GetProductsInput],
  ["list_creative_formats", ListCreativeFormatsInput],
]

test(
  "what a buyer's agent sends",
  async () => {
    await using app = await startApp({ options: UNLIMITED })
    const products = lists.different(100, (i) => givenProduct(`x${i}`))
    const opened = Object.fromEntries(lists.different(100, (i) => [`x${i}`, ["*"]]))
    const { Buyer } = await givenBuyers(app, products, { Buyer: opened })
    const headers = { ...MCP_HEADERS, Authorization: `Bearer ${Buyer}` }
    const rows = TOOLS.flatMap(([tool, input]) => {
      const call = (args: string) => {
        const params = `{"name":"${tool}","arguments":${args}}`
        const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
        return send(app, "/", { method: "POST", headers, body })
      }
      const values = ["context", "filters", "brief"].flatMap((field) =>
        rowsOf(VALUES, `${tool}, ${field}`, BODY - 200, (value) => (n) => call(`{"${field}":${value(n)}}`)),
      )
      return [...schemaRows(tool, input, 20_000, call), ...values]
    })
    expect(await complaintsAbout(rows)).toEqual([])
  },
  PATIENCE_MS,
)

test(
  "files that a seller uploads",
  async () => {
    await using app = await startApp({ options: UNLIMITED })
    const { visitor } = await givenMember(app)
    const upload = async (text: string) => {
      const sent = await sendFile(visitor, "delivery", text)
      const address = sent.headers.get("location")
      if (address === null) return expectModest(sent, text.length)
      await expectModest(await visitor.get(address), text.length)
      await visitor.post(`${address}/discard`)
    }
    const rows = [
      ...rowsOf(FILES, "file", 64 * KIBIBYTE, (file) => (n) => upload(file(n))),
      ...rowsOf(
        TEXTS,
        "cell",
        30_000,
        (text) => (n) => upload(`package_id,impressions,as_of\n${`${text(n)},`.repeat(3)}\n`),
      ),
    ]
    expect(await complaintsAbout(rows)).toEqual([])
    const columns = FILES.get("unknown columns")?.(400 * KIBIBYTE) ?? ""
    await upload(columns)
  },
  PATIENCE_MS,
)

test(
  "a CSV file that arrives in one piece",
  async () => {
    const rows = rowsOf(new Map([...FILES, ...TEXTS]), "file", 256 * KIBIBYTE, (file) => (n) => {
      try {
        for (const _ of csvRows(file(n), ","));
      } catch {
        // No CSV: it only matters what it costs to find out.
      }
    })
    expect(await complaintsAbout(rows)).toEqual([])
  },
  PATIENCE_MS,
)
