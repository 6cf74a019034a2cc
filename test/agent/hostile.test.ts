import { expect, test } from "bun:test"
import { ask, givenShown, post, productOf } from "../harness/agent/agent.ts"
import { type Json, problemsOfAnswer } from "../harness/agent/official.ts"
import { startApp } from "../harness/app.ts"

const MEGABYTE = 1_048_576

const callOf = (args: string, id = "7") =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"get_products","arguments":${args}}}`

test("a body of a whole megabyte with a brief in it is answered, and one byte more is refused", async () => {
  await using app = await startApp()
  const { key } = await givenShown(app, [productOf("p")])
  const brief = "banner ".repeat(MEGABYTE).slice(0, MEGABYTE - callOf('{"brief":""}').length)
  const response = await post(app, callOf(`{"brief":"${brief}"}`), { key })
  const { result }: Json = await response.json()
  expect(result.structuredContent.products).toHaveLength(1)
  expect((await post(app, callOf(`{"brief":"${brief}x"}`), { key })).status).toBe(413)
})

test.each([
  ["NUL", "ba\u0000nner"],
  ["quotes", `"'\\" OR 1=1; --`],
  ["search operators", 'NEAR("a" b) AND NOT * ^2'],
  ["emoji", "🎧👩‍🚀".repeat(1_000)],
  ["right-to-left text", "\u202eلافتة\u202c banner"],
  ["broken surrogates", "\ud800banner\udfff"],
  ["common words", "the and of"],
  ["markup", "<script>alert(1)</script>"],
  ["nothing", ""],
])("a brief of %s gets a valid answer", async (_, brief) => {
  await using app = await startApp()
  const buyer = await givenShown(app, [productOf("p")])
  expect((await ask(app, buyer, { brief })).products).toHaveLength(1)
})

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`

test.each([
  ["arguments", callOf(`{"filters":{"ext":${nested(5_000)}}}`)],
  ["a context", callOf(`{"context":${nested(200)}}`)],
  ["a list", "[".repeat(500_000)],
  ["params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":${nested(100_000)}}`],
  ["200,000 countries", callOf(`{"filters":{"countries":[${'"x",'.repeat(200_000)}"x"]}}`)],
])("%s, nested too deep or too many, are refused, and never a 5xx", async (_, body) => {
  await using app = await startApp()
  const response = await post(app, body)
  expect([response.status, ((await response.json()) as Json).error.code]).toEqual([400, -32600])
})

test("brackets in a text aren't nesting", async () => {
  await using app = await startApp()
  const response = await post(app, callOf(`{"context":${nested(90)},"brief":"${'[{\\"'.repeat(5_000)}"}`))
  expect(((await response.json()) as Json).result.structuredContent.status).toBe("completed")
})

test.each([
  [
    "every argument of the wrong type",
    '{"buying_mode":1,"brief":[],"refine":{},"filters":"x","fields":5,"pagination":null,"context":7}',
    "INVALID_REQUEST",
  ],
  [
    "names from the prototype",
    '{"__proto__":{"brief":1},"constructor":1,"filters":{"__proto__":{"channels":["x"]},"toString":1}}',
    undefined,
  ],
  ["10,000 countries", `{"filters":{"countries":[${'"x",'.repeat(10_000)}"x"]}}`, "INVALID_REQUEST"],
  [
    "a URL of most of a megabyte",
    `{"property_list":{"list_id":"l","agent_url":"https://a.example/${"a".repeat(900_000)}"}}`,
    "INVALID_REQUEST",
  ],
  ["a huge number", '{"pagination":{"max_results":1e999}}', "INVALID_REQUEST"],
  ["a long cursor", `{"pagination":{"cursor":"${"A".repeat(10_000)}"}}`, "INVALID_REQUEST"],
])("%s gets a valid answer or a valid error", async (_, args, code) => {
  await using app = await startApp()
  const { key } = await givenShown(app, [productOf("p")])
  const response = await post(app, callOf(args), { key })
  expect(response.status).toBe(200)
  const { result }: Json = await response.json()
  expect(problemsOfAnswer("get_products", result.structuredContent)).toEqual([])
  expect(result.structuredContent.adcp_error?.code).toBe(code)
})

test("a neighbor gets an answer while a stranger sends 1 MB of small values", async () => {
  await using app = await startApp()
  const many = callOf(`{"ext":[${"0.5,".repeat(250_000)}1]}`)
  const hostile = Promise.all([post(app, many), post(app, many)])
  const startedAt = performance.now()
  await app.fetch("/healthz")
  expect(performance.now() - startedAt).toBeLessThan(1_000)
  for (const response of await hostile) expect(response.status).toBe(400)
})
