import { describe, expect, test } from "bun:test"
import { givenIngestKey, givenOrganization, givenPackageLine } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { otherProgram } from "../../other-program.ts"
import { CODES, METRICS, post, sendCodes, sendMetrics } from "./feed.ts"

/** What is stored, read as another program would. */
async function stored<Row>(app: TestApp, sql: string): Promise<Row[]> {
  await using program = otherProgram(app)
  return await program.rows<Row>(sql)
}

const storedCodes = (app: TestApp) =>
  stored<{ seller: string; code: string; package_id: string; slug: string | null }>(
    app,
    `SELECT o.slug AS seller, c.code, l.package_id, c.slug FROM affiliate_code c
     JOIN organization o ON o.id = c.organization_id JOIN package_line l ON l.id = c.line_id ORDER BY c.id`,
  )

const storedMetrics = (app: TestApp) =>
  stored<{ code: string; date: string; clicks: number | null; conversions: number | null; micros: number | null }>(
    app,
    `SELECT c.code, m.date, m.clicks, m.conversions, m.value_micros AS micros
     FROM affiliate_metric m JOIN affiliate_code c ON c.id = m.code_id ORDER BY c.code, m.date`,
  )

describe("affiliate codes", () => {
  test("are upserted; a row is refused on its own with an entry in errors", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const key = await givenIngestKey(app, seller)
    expect(await sendCodes(app, key, [{ packageId, code: "A", slug: "first" }])).toEqual({
      ok: true,
      upserted: 1,
      errors: [],
    })
    const answer = await sendCodes(app, key, [
      { packageId: packageId.toUpperCase(), code: "B" },
      { packageId, code: "" },
      { packageId: crypto.randomUUID(), code: "C" },
    ])
    expect(answer).toEqual({
      ok: false,
      upserted: 1,
      errors: [
        { index: 1, status: 400, reason: "invalid_row", message: expect.stringContaining("code") },
        { index: 2, status: 400, reason: "not_seller", message: expect.any(String) },
      ],
    })
    expect(await storedCodes(app)).toEqual([
      { seller: seller.slug, code: "A", package_id: packageId, slug: "first" },
      { seller: seller.slug, code: "B", package_id: packageId, slug: null },
    ])
  })

  test("sending a code again updates its package and slug; an absent slug leaves what is stored", async () => {
    await using app = await startApp()
    const first = await givenPackageLine(app)
    const second = await givenPackageLine(app, { seller: first.seller })
    const key = await givenIngestKey(app, first.seller)
    await sendCodes(app, key, [{ packageId: first.packageId, code: "A", slug: "kept" }])
    await sendCodes(app, key, [{ packageId: second.packageId, code: "A" }])
    expect(await storedCodes(app)).toMatchObject([{ package_id: second.packageId, slug: "kept" }])
    await sendCodes(app, key, [{ packageId: second.packageId, code: "A", slug: "changed" }])
    expect(await storedCodes(app)).toMatchObject([{ package_id: second.packageId, slug: "changed" }])
  })

  test("are compared exactly", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const codes = ["a", "A", "ä", "a\u0308", "a a"].map((code) => ({ packageId, code }))
    await sendCodes(app, await givenIngestKey(app, seller), codes)
    expect((await storedCodes(app)).map(({ code }) => code)).toEqual(["a", "A", "ä", "a\u0308", "a a"])
  })

  test("the same code twice in one request is written twice in order; the later row stands", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const answer = await sendCodes(app, await givenIngestKey(app, seller), [
      { packageId, code: "A", slug: "one" },
      { packageId, code: "A", slug: "two" },
    ])
    expect(answer).toMatchObject({ ok: true, upserted: 2 })
    expect(await storedCodes(app)).toMatchObject([{ code: "A", slug: "two" }])
  })

  test("two organizations may use the same code; each key resolves only its own", async () => {
    await using app = await startApp()
    const one = await givenPackageLine(app)
    const other = await givenPackageLine(app)
    const oneKey = await givenIngestKey(app, one.seller)
    const otherKey = await givenIngestKey(app, other.seller)
    await sendCodes(app, oneKey, [{ packageId: one.packageId, code: "SAME" }])
    await sendCodes(app, otherKey, [{ packageId: other.packageId, code: "SAME" }])
    await sendMetrics(app, oneKey, [{ code: "SAME", date: "2026-11-14", clicks: 1 }])
    await sendMetrics(app, otherKey, [{ code: "SAME", date: "2026-11-14", clicks: 2 }])
    expect(await storedCodes(app)).toHaveLength(2)
    expect((await storedMetrics(app)).map(({ clicks }) => clicks)).toEqual([1, 2])
  })
})

describe("affiliate metrics", () => {
  async function given(timeZone = "UTC") {
    const app = await startApp()
    const seller = await givenOrganization(app, { timeZone })
    const { packageId } = await givenPackageLine(app, { seller })
    const key = await givenIngestKey(app, seller)
    await sendCodes(app, key, [{ packageId, code: "A" }])
    return { app, key, packageId, seller, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
  }

  test("one row per code and date: sending it again replaces the figures it carries and leaves the others", async () => {
    await using g = await given()
    await sendMetrics(g.app, g.key, [{ code: "A", date: "2026-11-14", clicks: 10 }])
    await sendMetrics(g.app, g.key, [{ code: "A", date: "2026-11-14", conversions: 2, conversionValue: 19.99 }])
    await sendMetrics(g.app, g.key, [{ code: "A", date: "2026-11-14", clicks: 11 }])
    await sendMetrics(g.app, g.key, [{ code: "A", date: "2026-11-13", clicks: 0 }])
    expect(await storedMetrics(g.app)).toEqual([
      { code: "A", date: "2026-11-13", clicks: 0, conversions: null, micros: null },
      { code: "A", date: "2026-11-14", clicks: 11, conversions: 2, micros: 19_990_000 },
    ])
  })

  test("rows are refused on their own: invalid_row, not_seller, date_in_future, in this order", async () => {
    await using g = await given()
    const answer = await sendMetrics(g.app, g.key, [
      { code: "A", date: "2026-11-15", clicks: 1 },
      { code: "missing", date: "2027-01-01", clicks: -1 },
      { code: "missing", date: "2027-01-01", clicks: 1 },
      { code: "A", date: "2026-11-16", clicks: 1 },
      null,
    ])
    expect(answer).toMatchObject({ ok: false, upserted: 1 })
    expect(answer.errors.map(({ index, status, reason }) => [index, status, reason])).toEqual([
      [1, 400, "invalid_row"],
      [2, 400, "not_seller"],
      [3, 400, "date_in_future"],
      [4, 400, "invalid_row"],
    ])
  })

  test("a date is in the future by the clocks of the organization's time zone", async () => {
    await using ahead = await given("Pacific/Auckland")
    expect(await sendMetrics(ahead.app, ahead.key, [{ code: "A", date: "2026-11-16", clicks: 1 }])).toMatchObject({
      ok: true,
    })
  })

  test("conversion values are kept exactly, also where a JavaScript number cannot hold them", async () => {
    await using g = await given()
    const value = async (text: string, date: string) => {
      const body = `{"metrics":[{"code":"A","date":"${date}","conversionValue":${text}}]}`
      return (await (await post(g.app, METRICS, g.key, body)).json()) as { ok: boolean }
    }
    expect(await value("8999999999.123456", "2026-11-01")).toMatchObject({ ok: true })
    expect(await value("8999999999.123457", "2026-11-02")).toMatchObject({ ok: true })
    expect(await value("0.10000000000000000001", "2026-11-03")).toMatchObject({ ok: false })
    expect(await value("9000000000.000001", "2026-11-04")).toMatchObject({ ok: false })
    expect((await storedMetrics(g.app)).map(({ micros }) => micros)).toEqual([8999999999123456, 8999999999123457])
  })

  test("the same code and date twice in one request is written twice in order; the later row stands", async () => {
    await using g = await given()
    const answer = await sendMetrics(g.app, g.key, [
      { code: "A", date: "2026-11-14", clicks: 1, conversions: 1 },
      { code: "A", date: "2026-11-14", clicks: 2 },
    ])
    expect(answer).toMatchObject({ ok: true, upserted: 2 })
    expect(await storedMetrics(g.app)).toMatchObject([{ clicks: 2, conversions: 1 }])
  })

  test("a code that moves to a package of another seller's line is refused from then on", async () => {
    await using g = await given()
    const stranger = await givenOrganization(g.app)
    await using program = otherProgram(g.app)
    await program.change(`UPDATE package_line SET seller_id = ${stranger.id} WHERE package_id = '${g.packageId}'`)
    const answer = await sendMetrics(g.app, g.key, [{ code: "A", date: "2026-11-14", clicks: 1 }])
    expect(answer.errors).toMatchObject([{ index: 0, reason: "not_seller" }])
  })
})

describe("both affiliate endpoints", () => {
  test("an empty array is a valid request that writes nothing", async () => {
    await using app = await startApp()
    const { seller } = await givenPackageLine(app)
    const key = await givenIngestKey(app, seller)
    expect(await sendCodes(app, key, [])).toEqual({ ok: true, upserted: 0, errors: [] })
    expect(await sendMetrics(app, key, [])).toEqual({ ok: true, upserted: 0, errors: [] })
  })

  test("take 1000 rows; more than 1000, not an array, or missing is 400", async () => {
    await using app = await startApp()
    const { seller } = await givenPackageLine(app)
    const key = await givenIngestKey(app, seller)
    for (const [path, field] of [
      [CODES, "codes"],
      [METRICS, "metrics"],
    ] as const) {
      expect((await post(app, path, key, { [field]: new Array(1000).fill(1) })).status).toBe(200)
      for (const body of [{ [field]: new Array(1001).fill(1) }, { [field]: {} }, { [field]: null }, {}, [], null]) {
        const refused = await post(app, path, key, body)
        expect(refused.status).toBe(400)
        expect(await refused.json()).toMatchObject({ code: "invalid_request", status: 400 })
      }
    }
  })

  test("with dry_run=true the answer is the same, says so, and nothing is written", async () => {
    await using app = await startApp()
    const { packageId, seller } = await givenPackageLine(app)
    const key = await givenIngestKey(app, seller)
    const codes = [{ packageId, code: "A" }, 1]
    expect(await sendCodes(app, key, codes, "?dry_run=true")).toMatchObject({ ok: false, upserted: 1, dry_run: true })
    expect(await storedCodes(app)).toEqual([])
    await sendCodes(app, key, codes)
    const metrics = [{ code: "A", date: "2026-11-14", clicks: 1 }]
    expect(await sendMetrics(app, key, metrics, "?dry_run=true")).toEqual({
      ok: true,
      upserted: 1,
      errors: [],
      dry_run: true,
    })
    expect(await storedMetrics(app)).toEqual([])
  })
})
