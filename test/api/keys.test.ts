import { expect, test } from "bun:test"
import { startApp, type TestApp } from "../harness/app.ts"
import { givenApiKey, givenSeller } from "../harness/data/given.ts"
import { DELIVERY, givenFeed, givenKey, post } from "../harness/data/ingest.ts"
import { createSecret, keysOf, revokeKey } from "../harness/inside.ts"
import { eachEngine } from "../harness/store.ts"

const send = (app: TestApp, authorization: string) =>
  app.fetch(DELIVERY, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: authorization },
    body: '{"items":[7]}',
  })

eachEngine((engine) => {
  test("wrong, revoked, malformed and buyers' keys get one answer", async () => {
    await using app = await startApp({ engine })
    const { id: organizationId } = await givenSeller(app)
    const revoked = await givenApiKey(app, organizationId)
    await revokeKey(app, "test", { organizationId, prefix: revoked.prefix })
    const { key } = await givenApiKey(app, organizationId)
    const answers = new Set<string>()
    const wrong = [revoked.key, createSecret(), `aba_${key.slice(4)}`, `${key.slice(0, -1)}!`, key.toUpperCase()]
    for (const secret of [...wrong, `${key}, ${key}`, "abi_", "x", "é"]) {
      const response = await send(app, `Bearer ${secret}`)
      const { request_id, ...body } = (await response.json()) as Record<string, unknown>
      expect(request_id).toBe(response.headers.get("x-request-id"))
      const headers = [...response.headers].filter(([name]) => !["date", "x-request-id"].includes(name))
      answers.add(JSON.stringify([response.status, body, headers]))
    }
    expect(answers.size).toBe(1)
    expect([...answers][0]).toContain("invalid_token")
  })

  test("a revoked key is refused from the next request on, and other keys go on", async () => {
    await using app = await startApp({ engine })
    const { id: organizationId } = await givenSeller(app)
    const [stopped, other] = [await givenApiKey(app, organizationId), await givenApiKey(app, organizationId)]
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) {
      if (i === 2) await revokeKey(app, "test", { prefix: stopped.prefix })
      statuses.push((await post(app, { items: [7] }, { key: stopped.key })).status)
    }
    expect(statuses).toEqual([200, 200, 401, 401])
    expect((await post(app, { items: [7] }, { key: other.key })).status).toBe(200)
  })

  test("requests at once are each checked against their own key", async () => {
    await using app = await startApp({ engine })
    const keys = await Promise.all(Array.from({ length: 8 }, () => givenKey(app)))
    const wrong = keys.map((key) => `${key.slice(0, -1)}!`)
    const sent = keys.flatMap((key, i) => [key, wrong[i] ?? ""])
    const statuses = await Promise.all(sent.map(async (key) => (await post(app, { items: [7] }, { key })).status))
    expect(statuses).toEqual(keys.flatMap(() => [200, 401]))
  })

  test("only the fingerprint and the prefix of a key are stored, even if it's pasted into a label", async () => {
    await using app = await startApp({ engine })
    const { seller, key, packageId } = await givenFeed(app)
    await givenApiKey(app, seller.id, `for ${key}`)
    await post(app, { items: [{ package_id: key }, { package_id: packageId, note: key }, key] }, { key })
    await app.database.later.flush()
    const { db, apiKey, auditEntry, rejectedItem } = app.database.read
    const stored = JSON.stringify([
      await db.select().from(apiKey),
      await db.select().from(auditEntry),
      await db.select().from(rejectedItem),
    ])
    expect(stored).toContain(key.slice(0, 12))
    expect(stored).not.toContain(key.slice(0, 14))
    expect(stored).toContain("for abi_********")
  })

  test("last used is right to the minute", async () => {
    await using app = await startApp({ engine })
    const { id } = await givenSeller(app)
    const { key } = await givenApiKey(app, id)
    const lastUsed = async () => {
      await post(app, { items: [7] }, { key })
      await app.database.later.flush()
      return (await keysOf(app.database.read, id))[0]?.lastUsedAt
    }
    expect(await lastUsed()).toBe(app.clock())
    app.clock.advance({ hours: 1 })
    expect(await lastUsed()).toBe(app.clock())
  })
})
