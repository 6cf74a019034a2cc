import { expect, test } from "bun:test"
import { demandSince } from "../../../src/actions/operations/call-log.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { call, givenBuyers, givenProduct, loggedCalls, rpc } from "./buyer.ts"

const inPieces = (text: string, size: number, by: string) =>
  (text.match(new RegExp(`.{1,${size}}`, "g")) ?? []).join(by)

/** A key as people and programs write it where it does not belong. */
const FORMS: Readonly<Record<string, (key: string) => string>> = {
  "as it is": (key) => key,
  "with a space": (key) => key.replace("_", "_ "),
  "with an escaped underscore": (key) => key.replace("_", "\\_"),
  "with bold marks": (key) => `**${key.slice(0, 4)}**${key.slice(4)}`,
  "with a line break": (key) => key.replace("_", "_\n"),
  "in quotes": (key) => `"${key.slice(0, 4)}" "${key.slice(4)}"`,
  "with a zero-width space": (key) => key.replace("_", "_\u200b"),
  "in pieces": (key) => inPieces(key, 6, " "),
  "in single characters, far apart": (key) => inPieces(key, 1, " - - "),
}

/** Everything that is kept of calls, wherever somebody could read it, without what stands between letters. */
async function everythingKept(app: TestApp): Promise<string> {
  const calls = await loggedCalls(app)
  const { results } = app.store.agentCallLog
  const tally = await demandSince(app, "2000-01-01", "UTC")
  const kept = [calls, await results({}), tally, app.logged]
  return lettersOf(JSON.stringify(kept, (_, value) => (value instanceof Map ? [...value] : value)))
}

const lettersOf = (text: string) => text.replace(/\\[nrt]|\\u[0-9a-f]{4}|[^0-9A-Za-z]/g, "")

function expectNothingOf(key: string, kept: string): void {
  for (let at = 8; at + 8 <= key.length; at++) expect(kept).not.toContain(key.slice(at, at + 8))
}

test.each(Object.entries(FORMS))(
  "of a call with a key in its brief, %s, no argument is kept anywhere",
  async (_, form) => {
    await using app = await startApp()
    const { Buyer: key = "" } = await givenBuyers(app, [givenProduct("p")], { Buyer: { p: ["*"] } })
    const brief = `Podcasts in Germany, my key is ${form(key)}, thanks`
    const refused = await call(app, "get_products", { brief, filters: { countries: ["DE"] } }, { key })
    expect(refused.adcp_error.code).toBe("CREDENTIAL_IN_ARGS")
    expect(await loggedCalls(app)).toMatchObject([
      { tool: "get_products", outcome: "CREDENTIAL_IN_ARGS", arguments: null, demand: null },
    ])
    expectNothingOf(key, await everythingKept(app))
  },
)

test.each(Object.entries(FORMS))(
  "a key elsewhere in the arguments, %s, is not kept either, whatever comes of the call",
  async (_, form) => {
    await using app = await startApp()
    const { Buyer: key = "" } = await givenBuyers(app, [givenProduct("p")], { Buyer: { p: ["*"] } })
    const sent = form(key)
    await call(app, "get_products", { adcp_major_version: 2, brief: sent }, { key })
    await call(app, "get_products", { brief: "podcasts", ext: { note: sent } }, { key })
    await call(app, "get_products", { brief: "podcasts", ext: { list: sent.match(/.{1,7}/gs) } }, { key })
    await call(app, "get_products", { brief: "podcasts", ext: { [sent]: 1 } }, { key })
    await rpc(app, "tools/call", { name: "no_such_tool", arguments: { brief: sent } }, { key })
    await rpc(app, "tools/call", { name: sent, arguments: {} }, { key })
    await rpc(app, sent, {}, { key })
    expect(await loggedCalls(app)).toHaveLength(7)
    expectNothingOf(key, await everythingKept(app))
  },
)

test("what is sent beside a key in another call is kept as ever", async () => {
  await using app = await startApp()
  const { Buyer: key } = await givenBuyers(app, [givenProduct("p")], { Buyer: { p: ["*"] } })
  await call(app, "get_products", { brief: "abi_tur and snake_case campaigns" }, { key })
  expect(await loggedCalls(app)).toMatchObject([{ arguments: '{"brief":"abi_tur and snake_case campaigns"}' }])
})

test("of the addresses for notifications neither user, password nor query is kept", async () => {
  await using app = await startApp()
  const url = "https://user:hunter2@hooks.example:8443/adcp/in?token=s3cret&x=1#part"
  await call(app, "get_products", { brief: "podcasts", push_notification_config: { url, operation_id: "o 1" } })
  await call(app, "get_products", { brief: "radio", push_notification_config: { url: "https://u:hunter2@" } })
  const [unreadable, plain] = await loggedCalls(app)
  const config = { url: "https://hooks.example:8443/adcp/in", operation_id: "o 1" }
  expect(JSON.parse(plain?.arguments ?? "")).toEqual({ brief: "podcasts", push_notification_config: config })
  expect(unreadable?.arguments).not.toContain("hunter2")
})
