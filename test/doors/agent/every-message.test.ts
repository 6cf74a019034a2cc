import { expect, test } from "bun:test"
import { notifications, requests } from "../../../torture/fuzz/engine-messages.ts"
import { wrongOnes } from "../../../torture/fuzz/from-schema.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { post } from "./buyer.ts"

// Messages made from the protocol engine's own schemas, one part of them wrong at a time.

const AT_A_TIME = 20

const givenApp = () => startApp({ options: { limitAgentAnonymous: "1000000" } })

/** Everything about an answer that is not as promised. */
async function complaints(app: TestApp, body: Record<string, unknown>): Promise<string[]> {
  const response = await post(app, body)
  const text = await response.text()
  const answer = text === "" ? undefined : JSON.parse(text)
  const isAnswered = response.status === 200 && answer.id === body["id"] && ("result" in answer || "error" in answer)
  const isNoted = response.status === 202 && text === ""
  return ("id" in body ? isAnswered : isNoted) ? [] : [`${JSON.stringify(body)}: ${response.status} ${text}`]
}

async function complaintsAbout(app: TestApp, bodies: Iterable<Record<string, unknown>>): Promise<string[]> {
  const left = Iterator.from(bodies)
  const found: string[] = []
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (const body of left) found.push(...(await complaints(app, body)))
    }),
  )
  return found
}

function* variants(message: object, params: unknown): Generator<Record<string, unknown>> {
  let id = 0
  for (const wrong of [params, undefined, ...wrongOnes(params)]) {
    id++
    yield { jsonrpc: "2.0", id: id % 2 === 0 ? id : `id ${id}`, ...message, params: wrong }
  }
}

test.each(requests)(
  "$method is answered with the caller's id, whichever part of its params is wrong",
  async (message) => {
    await using app = await givenApp()
    expect(await complaintsAbout(app, variants({ method: message.method }, message.params))).toEqual([])
  },
)

test.each(notifications)("$method gets 202, whichever part of its params is wrong", async ({ method, params }) => {
  await using app = await givenApp()
  const notices = [params, undefined, ...wrongOnes(params)].map((wrong) => ({ jsonrpc: "2.0", method, params: wrong }))
  expect(await complaintsAbout(app, notices)).toEqual([])
})

test.each([
  ["null", "null"],
  ["a number", "5"],
  ["a list", "[]"],
  ["a bad progressToken", '{"progressToken":{}}'],
  ["a bad related task", '{"io.modelcontextprotocol/related-task":5}'],
  ["a list of thousands of levels", `${"[".repeat(4_000)}${"]".repeat(4_000)}`],
])("_meta as %s is answered as invalid params", async (_, meta) => {
  await using app = await givenApp()
  for (const method of ["ping", "tools/list", "no/such/method"]) {
    const response = await post(app, `{"jsonrpc":"2.0","id":7,"method":"${method}","params":{"_meta":${meta}}}`)
    expect(await response.json()).toMatchObject({ id: 7, error: { code: -32602 } })
  }
})
