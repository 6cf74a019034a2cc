import { describe, expect, test } from "bun:test"
import { createAgentKey } from "../../../src/actions/keys/keys.ts"
import { mint } from "../../../src/domain/keys/api-key.ts"
import { givenIngestKey, givenPackageLine } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { otherProgram } from "../../other-program.ts"
import { DELIVERY, post } from "./feed.ts"

const send = (app: TestApp, authorization: string | null) =>
  app.fetch(DELIVERY, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(authorization !== null && { Authorization: authorization }) },
    body: '{"items":[1]}',
  })

test("a missing key is 401 with a bare challenge", async () => {
  await using app = await startApp()
  for (const authorization of [null, "Basic dXNlcjpwYXNz"]) {
    const response = await send(app, authorization)
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="adbooth"'])
    expect(response.headers.get("ratelimit")).toBeNull()
  }
})

test("wrong, revoked, malformed and of the other kind are 401 and cannot be told apart", async () => {
  await using app = await startApp()
  const { seller } = await givenPackageLine(app)
  const revoked = await givenIngestKey(app, seller)
  await app.store.ingestKeys.revoke(revoked.slice(0, 12), seller.id, { actor: "test", at: app.clock() })
  const made = await createAgentKey(app, "A buyer", "test")
  const agentKey = made?.secret ?? ""
  expect(agentKey).toStartWith("aba_")
  const active = await givenIngestKey(app, seller)
  const bodies = new Set<string>()
  for (const key of [
    mint("ingest", app.random),
    revoked,
    agentKey,
    `${active.slice(0, -1)}${active.endsWith("0") ? "1" : "0"}`,
    active.toUpperCase(),
    `${active}, ${active}`,
    "abi_",
    "x",
    "",
    "é",
  ]) {
    const response = await send(app, `Bearer ${key}`)
    const { request_id, ...body } = (await response.json()) as Record<string, unknown>
    const headers = [...response.headers].filter(([name]) => !["date", "x-request-id"].includes(name))
    bodies.add(JSON.stringify([response.status, body, headers]))
    expect(request_id).toBeString()
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="adbooth", error="invalid_token"')
  }
  expect(bodies.size).toBe(1)
})

test("the scheme's letter case and extra spaces do not matter", async () => {
  await using app = await startApp()
  const { seller } = await givenPackageLine(app)
  const key = await givenIngestKey(app, seller)
  for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`, `Bearer ${key}  `]) {
    expect((await send(app, authorization)).status).toBe(200)
  }
})

describe("revoking a key stops it immediately", () => {
  test("in this process, while others go on", async () => {
    await using app = await startApp()
    const { seller } = await givenPackageLine(app)
    const [stopped, other] = [await givenIngestKey(app, seller), await givenIngestKey(app, seller)]
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      if (i === 3)
        await app.store.ingestKeys.revoke(stopped.slice(0, 12), seller.id, { actor: "test", at: app.clock() })
      statuses.push((await post(app, DELIVERY, stopped, { items: [1] })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 401, 401, 401])
    expect((await post(app, DELIVERY, other, { items: [1] })).status).toBe(200)
  })

  test("from another process", async () => {
    await using app = await startApp()
    const { seller } = await givenPackageLine(app)
    const key = await givenIngestKey(app, seller)
    expect((await post(app, DELIVERY, key, { items: [1] })).status).toBe(200)
    await using program = otherProgram(app)
    await program.change(`UPDATE ingest_key SET revoked_at = 1 WHERE prefix = '${key.slice(0, 12)}'`)
    expect((await post(app, DELIVERY, key, { items: [1] })).status).toBe(401)
  })
})

test("only the fingerprint and the prefix of a key are stored, and no key is ever logged", async () => {
  await using app = await startApp()
  const { seller, packageId } = await givenPackageLine(app)
  const key = await givenIngestKey(app, seller)
  await post(app, `${DELIVERY}?key=${key}`, key, { items: [{ package_id: packageId, impressions: 1 }] })
  await post(app, `/${key}`, `${key}x`, {})
  await app.store.flushWriteBuffer()
  const secretPart = key.slice(12)
  expect(app.logged.length).toBeGreaterThan(0)
  expect(app.logged.join("")).not.toContain(secretPart)
  await using program = otherProgram(app)
  const everything = await program.everything()
  expect(everything.includes(key.slice(0, 12))).toBe(true)
  expect(everything.includes(secretPart)).toBe(false)
})

test("last used is noted to the minute without a write of its own", async () => {
  await using app = await startApp()
  const { seller } = await givenPackageLine(app)
  const lastUsed = async () => (await app.store.ingestKeys.list(seller.id))[0]?.lastUsedAt
  const afterRequest = async () => {
    app.clock.advance({ minutes: 1 })
    await post(app, DELIVERY, await givenIngestKey(app, seller), { items: [1] })
    return lastUsed()
  }
  // What is buffered is written every five seconds, which may be just then, once; a write of its own would be there every time.
  const seen = await afterRequest()
  expect(seen === null ? null : await afterRequest()).toBeNull()
  await app.store.flushWriteBuffer()
  expect(await lastUsed()).toBe(app.clock())
})
