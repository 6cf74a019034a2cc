import { describe, expect, test } from "bun:test"
import { startApp } from "../harness/app.ts"
import { givenLine, givenSeller } from "../harness/data/given.ts"
import {
  CODES,
  DELIVERY,
  deliveredOf,
  givenFeed,
  givenKey,
  METRICS,
  post,
  sendCodes,
  sendMetrics,
} from "../harness/data/ingest.ts"
import { type Engine, eachEngine } from "../harness/store.ts"

// For each field that can name a thing of another organization: the answer about that thing and the answer about one that doesn't
// exist must be the same, byte for byte, apart from the name itself.

async function given(engine: Engine) {
  const app = await startApp({ engine, options: { limitIngest: 1_000 } })
  const mine = await givenFeed(app)
  const seller = await givenSeller(app)
  const lines = [
    await givenLine(app, seller, { pricingBasis: "downloads" }),
    await givenLine(app, seller, { flightStart: "2027-01-01" }),
    await givenLine(app, seller, { pricingBasis: "flat_rate" }),
  ]
  const key = await givenKey(app, seller)
  await sendCodes(app, key, [{ packageId: lines[0], code: "THEIRS", slug: "theirs" }])
  const foreign = [...lines, lines[0]?.toUpperCase() ?? ""]
  return { app, mine, theirs: { seller, lines, key }, foreign, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** Status, headers and body of an answer, without the name and without what differs between any two answers. */
async function shapeOf(response: Response, name: string): Promise<string> {
  const headers = [...response.headers].filter(([header]) => !["date", "x-request-id", "ratelimit"].includes(header))
  return JSON.stringify([response.status, headers, (await response.text()).replaceAll(name, "NAME")])
}

eachEngine((engine) => {
  describe("another organization's thing is rejected exactly like one that doesn't exist", () => {
    test("a package of a delivery item", async () => {
      await using g = await given(engine)
      const fields = [{}, { impressions: 1 }, { downloads: 1 }, { as_of: "2027-06-01" }, { as_of: "2020-01-01" }]
      const sendings = fields.flatMap((item) => ["", "?dry_run=true"].map((query) => ({ item, query })))
      for (const { item, query } of sendings) {
        const answers = new Set<string>()
        for (const package_id of [...g.foreign, crypto.randomUUID()]) {
          const response = await post(g.app, { items: [{ package_id, ...item }] }, { key: g.mine.key, query })
          answers.add(await shapeOf(response, package_id))
        }
        expect(answers.size).toBe(1)
        expect([...answers][0]).toContain("not_seller")
      }
    })

    test("a package of an affiliate code, even of a code that the other organization has", async () => {
      await using g = await given(engine)
      for (const code of ["THEIRS", "NEW"]) {
        const answers = new Set<string>()
        for (const packageId of [...g.foreign, crypto.randomUUID()]) {
          const body = { codes: [{ packageId, code, slug: "x" }] }
          answers.add(await shapeOf(await post(g.app, body, { path: CODES, key: g.mine.key }), packageId))
        }
        expect(answers.size).toBe(1)
      }
    })

    test("a code of an affiliate metric", async () => {
      await using g = await given(engine)
      for (const date of ["2026-11-14", "2027-01-01"]) {
        const answers = new Set<string>()
        for (const code of ["THEIRS", "NOBODYS"]) {
          const body = { metrics: [{ code, date, clicks: 1 }] }
          answers.add(await shapeOf(await post(g.app, body, { path: METRICS, key: g.mine.key }), code))
        }
        expect(answers.size).toBe(1)
        expect([...answers][0]).toContain("not_seller")
      }
    })
  })

  test("nothing of another organization changes", async () => {
    await using g = await given(engine)
    for (const package_id of g.foreign) {
      await post(g.app, { items: [{ package_id, downloads: 666 }] }, { path: DELIVERY, key: g.mine.key })
      await sendCodes(g.app, g.mine.key, [{ packageId: package_id, code: "THEIRS", slug: "stolen" }])
    }
    for (const packageId of g.theirs.lines)
      expect(await deliveredOf(g.app, { seller: g.theirs.seller, packageId })).toBeNull()
    // The same name as theirs is a code of its own.
    await sendCodes(g.app, g.mine.key, [{ packageId: g.mine.packageId, code: "THEIRS" }])
    const row = { code: "THEIRS", date: "2026-11-14", clicks: 1 }
    expect(await sendMetrics(g.app, g.theirs.key, [row])).toMatchObject({ ok: true, upserted: 1 })
  })
})
