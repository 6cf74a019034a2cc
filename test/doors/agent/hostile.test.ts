import { expect, test } from "bun:test"
import { expectValid, type Json } from "../../domain/adcp/schema/answers.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { call, givenBuyers, givenProduct, post } from "./buyer.ts"

const MEGABYTE = 1_048_576

async function givenBuyer(): Promise<{ app: TestApp; key: string | undefined }> {
  const app = await startApp()
  const { Buyer } = await givenBuyers(app, [givenProduct("p")], { Buyer: { p: ["*"] } })
  return { app, key: Buyer }
}

test("a body of a whole megabyte with a brief in it is answered", async () => {
  const { app, key } = await givenBuyer()
  await using _ = app
  const empty = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "get_products", arguments: { brief: "" } },
  })
  const brief = "banner ".repeat(MEGABYTE).slice(0, MEGABYTE - empty.length)
  expect((await call(app, "get_products", { brief }, { key })).products).toHaveLength(1)
})

test.each([
  ["NUL", "ba\u0000nner"],
  ["quotes", `"'\\" OR 1=1; --`],
  ["search operators", 'NEAR("a" b) AND NOT * ^2'],
  ["emoji", "🎧👩‍🚀".repeat(1000)],
  ["right-to-left text", "\u202eلافتة\u202c banner"],
  ["broken surrogates", "\ud800banner\udfff"],
  ["only stop words", "the and of"],
  ["markup", "<script>alert(1)</script>"],
])("a brief of %s gets a valid answer", async (_, brief) => {
  const { app, key } = await givenBuyer()
  await using __ = app
  expect((await call(app, "get_products", { brief }, { key })).products).toHaveLength(1)
})

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`

test.each([
  ["arguments nested thousands of levels deep", `{"filters":{"ext":${deep(5_000)}}}`, "INVALID_REQUEST"],
  ["a context nested thousands of levels deep", `{"context":${deep(5_000)}}`, "INVALID_REQUEST"],
  [
    "every argument of the wrong type",
    '{"buying_mode":1,"brief":[],"refine":{},"filters":"x","fields":5,"pagination":null,"context":7}',
    "INVALID_REQUEST",
  ],
  [
    "a key from the prototype",
    '{"__proto__":{"brief":1},"constructor":1,"filters":{"__proto__":{"channels":["x"]},"toString":1}}',
    undefined,
  ],
  ["a credential", '{"filters":{"ext":{"client_secret":"x"}}}', "CREDENTIAL_IN_ARGS"],
  [
    "a list of two hundred thousand entries",
    `{"filters":{"countries":[${'"x",'.repeat(200_000)}"x"]}}`,
    "INVALID_REQUEST",
  ],
  [
    "an address of most of a megabyte",
    `{"property_list":{"list_id":"l","agent_url":"https://a.example/${"a".repeat(900_000)}"}}`,
    "INVALID_REQUEST",
  ],
  ["numbers beyond all bounds", '{"pagination":{"max_results":1e999}}', "INVALID_REQUEST"],
])("%s get a valid answer or a valid AdCP error, never a 5xx", async (_, args, code) => {
  const { app, key } = await givenBuyer()
  await using __ = app
  const response = await post(
    app,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_products","arguments":${args}}}`,
    { key },
  )
  expect(response.status).toBe(200)
  const { result } = (await response.json()) as Json
  const payload = expectValid("get_products", result.structuredContent)
  expect(payload.adcp_error?.code).toBe(code as string)
})

test("a body nested so deeply that it cannot be read is refused as bad JSON", async () => {
  const { app } = await givenBuyer()
  await using _ = app
  for (const body of ["[".repeat(500_000), `{"jsonrpc":"2.0","id":1,"method":"ping","params":${deep(100_000)}}`]) {
    expect((await post(app, body)).status).toBeLessThan(500)
  }
})

const asked = (args: string, id = "7") =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"list_creative_formats","arguments":${args}}}`

test.each([
  ["entries", `[${"0,".repeat(6_000)}0]`],
  ["fields", `{${Array.from({ length: 6_000 }, (_, n) => `"${n}":0`).join(",")}}`],
  ["levels", deep(6_000)],
])("more %s than an anonymous caller may send are refused with its id, wherever they stand", async (_, many) => {
  await using app = await startApp()
  for (const args of [`{"context":{"a":${many}}}`, `{"ext":${many}}`]) {
    const text = await (await post(app, asked(args, "12345678901234567890123"))).text()
    expect(text).toStartWith('{"jsonrpc":"2.0","id":12345678901234567890123,')
    const { result } = JSON.parse(text) as Json
    expect(expectValid("list_creative_formats", result.structuredContent).adcp_error.code).toBe("INVALID_REQUEST")
  }
  const other = await post(
    app,
    `{"jsonrpc":"2.0","id":"x","method":"ping","params":{"a":${many},"b":"${" ".repeat(9_999)}"}}`,
  )
  expect(await other.json()).toMatchObject({ id: "x", error: { code: -32600 } })
  const late = await post(
    app,
    `{"jsonrpc":"2.0","method":"ping","params":{"a":${many},"b":"${" ".repeat(9_999)}"},"id":1}`,
  )
  expect([late.status, await late.json()]).toMatchObject([400, { id: null, error: { code: -32600 } }])
})

test("a large context comes back as it was sent", async () => {
  await using app = await startApp()
  const context = `{ "order": 1234567890123456789, "text": "${"\\n".repeat(20_000)}", "list": [${"1.50, ".repeat(1_000)}2] }`
  const text = await (await post(app, asked(`{"context":${context}}`))).text()
  expect(text).toEndWith(`"context":${context}}}}`)
})

test("a text that is longer than anything it could be compared with is refused", async () => {
  await using app = await startApp()
  const { result } = (await (await post(app, asked(`{"name_search":"${"x".repeat(20_001)}"}`))).json()) as Json
  expect(result.structuredContent.adcp_error).toMatchObject({ code: "INVALID_REQUEST", field: "name_search" })
})

test("whoever goes on sending long bodies is refused before they are read", async () => {
  await using app = await startApp({ options: { limitAgentAnonymous: "1" } })
  const long = asked(`{"context":{"a":"${"x".repeat(20_000)}"}}`)
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) statuses.push((await post(app, long)).status)
  expect(statuses).toEqual([200, ...Array.from({ length: 11 }, () => 429)])
  // The twelfth was not read: its id is not known.
  const last = await post(app, long)
  expect(await last.json()).toMatchObject({ id: null, error: { code: -32029 } })
  expect(last.headers.get("retry-after")).toBe("60")
})
