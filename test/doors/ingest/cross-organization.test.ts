import { describe, expect, test } from "bun:test"
import { givenIngestKey, givenPackageLine } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { CODES, DELIVERY, METRICS, post, sendCodes } from "./feed.ts"

// For every field that can name a thing of another organization: what is sent about that thing, and what is sent about one that
// does not exist. The answers must be the same, byte for byte, apart from the name itself.

async function given() {
  const app = await startApp({ options: { limitIngest: "1000" } })
  const mine = await givenPackageLine(app)
  const theirs = await givenPackageLine(app, { pricingBasis: "downloads" })
  const later = await givenPackageLine(app, { seller: theirs.seller, flightStart: "2027-01-01" })
  const flatRate = await givenPackageLine(app, { seller: theirs.seller, pricingBasis: "flat_rate" })
  const key = await givenIngestKey(app, mine.seller)
  const theirKey = await givenIngestKey(app, theirs.seller)
  await sendCodes(app, theirKey, [{ packageId: theirs.packageId, code: "THEIRS", slug: "theirs" }])
  const foreign = [theirs.packageId, later.packageId, flatRate.packageId, theirs.packageId.toUpperCase()]
  return { app, key, theirKey, mine, theirs, foreign, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** Status, headers and body of an answer, with the name and what differs between any two answers taken out. */
async function shape(response: Response, name: string): Promise<string> {
  const headers = [...response.headers].filter(([header]) => !["date", "x-request-id", "ratelimit"].includes(header))
  return JSON.stringify([response.status, headers, (await response.text()).replaceAll(name, "NAME")])
}

describe("another organization's thing is refused exactly like one that does not exist", () => {
  const items = [
    {},
    { impressions: 1 },
    { downloads: 1 },
    { as_of: "2027-06-01" },
    { as_of: "2020-01-01", impressions: 5 },
  ]

  test.each(items)("delivery: package_id, with %p", async (fields) => {
    await using g = await given()
    for (const query of ["", "?dry_run=true"]) {
      const answers = new Set<string>()
      for (const package_id of [...g.foreign, crypto.randomUUID()]) {
        const body = { items: [{ package_id, ...fields }] }
        answers.add(await shape(await post(g.app, DELIVERY + query, g.key, body), package_id))
      }
      expect(answers.size).toBe(1)
      expect([...answers][0]).toContain("not_seller")
    }
  })

  test("affiliate codes: packageId, also for a code that the other organization has", async () => {
    await using g = await given()
    for (const code of ["THEIRS", "NEW"]) {
      const answers = new Set<string>()
      for (const packageId of [...g.foreign, crypto.randomUUID()]) {
        const body = { codes: [{ packageId, code, slug: "x" }] }
        answers.add(await shape(await post(g.app, CODES, g.key, body), packageId))
      }
      expect(answers.size).toBe(1)
      expect([...answers][0]).toContain("not_seller")
    }
  })

  test("affiliate metrics: code", async () => {
    await using g = await given()
    for (const row of [
      { date: "2026-11-14", clicks: 1 },
      { date: "2027-01-01", clicks: 1 },
    ]) {
      const answers = new Set<string>()
      for (const code of ["THEIRS", "NOBODYS"]) {
        answers.add(await shape(await post(g.app, METRICS, g.key, { metrics: [{ code, ...row }] }), code))
      }
      expect(answers.size).toBe(1)
      expect([...answers][0]).toContain("not_seller")
    }
  })

  test("and nothing of theirs changes", async () => {
    await using g = await given()
    for (const package_id of g.foreign) {
      await post(g.app, DELIVERY, g.key, { items: [{ package_id, downloads: 666 }] })
      await post(g.app, CODES, g.key, { codes: [{ packageId: package_id, code: "THEIRS", slug: "stolen" }] })
    }
    await post(g.app, METRICS, g.key, { metrics: [{ code: "THEIRS", date: "2026-11-14", clicks: 666 }] })
    const lines = await g.app.store.packageLines.listWithTotals(g.theirs.seller.id)
    expect(lines.map(({ total }) => total)).toEqual([null, null, null])
    const theirs = await post(g.app, METRICS, g.theirKey, {
      metrics: [{ code: "THEIRS", date: "2026-11-14", clicks: 1 }],
    })
    expect(await theirs.json()).toMatchObject({ ok: true, upserted: 1 })
  })

  test("a code that I add under a name that they use is mine alone", async () => {
    await using g = await given()
    expect(await sendCodes(g.app, g.key, [{ packageId: g.mine.packageId, code: "THEIRS" }])).toMatchObject({ ok: true })
    const { items: found } = await g.app.store.deliveries.linesSold(g.theirs.seller.id, [g.theirs.packageId])
    expect(found[0]).toBeDefined()
    expect((await g.app.store.affiliates.codesSold(g.theirs.seller.id, ["THEIRS"])).items[0]?.codeId).not.toBe(
      (await g.app.store.affiliates.codesSold(g.mine.seller.id, ["THEIRS"])).items[0]?.codeId,
    )
  })
})
