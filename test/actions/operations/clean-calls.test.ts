import { expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { cleanCalls } from "../../../src/actions/operations/clean-calls.ts"
import { setSetting } from "../../../src/actions/settings.ts"
import { mint } from "../../../src/domain/keys/api-key.ts"
import type { LoggedCall, NewCall } from "../../../src/storage/port/store.ts"
import { startApp, type TestApp } from "../../harness.ts"

const key = mint("agent", randomBytes)
const rest = key.slice(4)

/** Calls as an earlier version logged them. */
async function givenLogged(app: TestApp, calls: readonly Partial<NewCall>[]): Promise<void> {
  for (const call of calls)
    app.store.agentCallLog.note({
      at: app.clock(),
      agentKeyId: "k",
      address: null,
      method: "tools/call",
      tool: "get_products",
      arguments: null,
      outcome: "completed",
      durationMicros: 1,
      ...call,
    })
  await app.store.flushWriteBuffer()
  // The server has looked through its own log when it started.
  await app.store.transact((tx) => setSetting(tx, "calls_cleaned_through", "0"))
}

async function logged(app: TestApp): Promise<readonly LoggedCall[]> {
  return app.store.agentCallLog.after(0, 10_000)
}

const sent = (brief: string, more: object = {}) => JSON.stringify({ brief, ...more })

test("calls that an earlier version logged with a key in them are cleaned once, in whatever form the key was sent", async () => {
  await using app = await startApp()
  const forms = [
    `aba_ ${rest}`,
    `aba\\_${rest}`,
    `**aba_**${rest}`,
    `aba_\n${rest}`,
    `"aba_" "${rest}"`,
    `aba_\u200b${rest}`,
  ]
  const demand = (brief: string) => JSON.stringify({ brief, countries: ["DE"], formats: [], matched: 0, products: [] })
  await givenLogged(app, [
    ...forms.map((form) => ({ outcome: "CREDENTIAL_IN_ARGS", arguments: sent(`my key is ${form}`) })),
    ...forms.map((form) => ({ arguments: sent(`my key is ${form}`), demand: demand(`my key is ${form}`) })),
    {
      outcome: "VERSION_UNSUPPORTED",
      arguments: sent("podcasts", { ext: { list: ["aba_", rest.slice(0, 8), rest.slice(8)] } }),
    },
    { outcome: "CREDENTIAL_IN_ARGS", arguments: sent("podcasts", { api_key: "********" }) },
    { arguments: JSON.stringify({ shortened: true, start: `{"brief":"aba_ ${rest}` }) },
    { tool: `aba_ ${rest}`, method: `aba_ ${rest}`, outcome: "-32602", arguments: "{}" },
    { arguments: "no JSON" },
  ])
  app.clock.advance({ hours: 1 })
  await cleanCalls(app)
  const calls = await logged(app)
  const text = JSON.stringify(calls).replace(/[^0-9A-Za-z]/g, "")
  for (let at = 0; at + 8 <= rest.length; at++) expect(text).not.toContain(rest.slice(at, at + 8))
  expect(calls.map(({ arguments: args }) => args)).toEqual([...new Array(15).fill(null), "{}", null])
  expect(calls.every(({ demand: kept }) => kept === null)).toBe(true)
  expect((await app.store.agentCallLog.search({ caller: "k" }, { before: null, limit: 100 })).calls).toHaveLength(17)
})

test("all other calls stay as they are, however many there are; of addresses for notifications user, password and query go", async () => {
  await using app = await startApp()
  const push = (url: string) => ({ push_notification_config: { url, operation_id: "o" } })
  const cut = { shortened: true, start: `{"push_notification_config":{"url":"https://hooks.example/?to` }
  const plain = Array.from({ length: 500 }, (_, i) => ({
    arguments: sent(`abi_tur campaign ${i}`),
    demand: '{"brief":"x"}',
  }))
  await givenLogged(app, [
    ...plain,
    { arguments: sent("radio", push("https://u:hunter2@hooks.example/in?token=1")) },
    { arguments: JSON.stringify(cut) },
  ])
  await cleanCalls(app)
  const calls = await logged(app)
  expect(calls.slice(0, 500).map(({ arguments: args, demand }) => ({ arguments: args, demand }))).toEqual(plain)
  expect(calls[500]?.arguments).toBe(sent("radio", push("https://hooks.example/in")))
  expect(calls[501]?.arguments).toBeNull()
})

test("it is done once: later starts read nothing of the log again", async () => {
  await using app = await startApp()
  await givenLogged(app, [{ arguments: sent("radio") }])
  await cleanCalls(app)
  app.store.agentCallLog.note({ ...(await logged(app))[0], arguments: sent(`aba_ ${rest}`) } as NewCall)
  await app.store.flushWriteBuffer()
  await cleanCalls(app)
  expect((await logged(app))[1]?.arguments).toContain(rest)
})
