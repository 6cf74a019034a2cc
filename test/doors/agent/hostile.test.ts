import { expect, test } from "bun:test"
import { expectValid, type Json } from "../../adcp/answers.ts"
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
