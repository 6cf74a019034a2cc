import { describe, expect, test } from "bun:test"
import { startApp, type TestApp } from "../harness/app.ts"
import { givenLine, givenSeller } from "../harness/data/given.ts"
import { CODES, type Feed, givenFeed, givenKey, METRICS, post, sendCodes, sendMetrics } from "../harness/data/ingest.ts"
import { codeFigures, lineById } from "../harness/inside.ts"
import { eachEngine } from "../harness/store.ts"

async function figuresOf({ database: { read } }: TestApp, { seller, packageId }: Omit<Feed, "key">) {
  const line = await lineById(read, seller.id, packageId)
  return codeFigures(read, [line?.id ?? 0])
}

eachEngine((engine) => {
  test("codes and figures, as typed by hand", async () => {
    await using app = await startApp({ engine })
    const { key, packageId, seller } = await givenFeed(app)
    const codes = `{"codes": [
      {"packageId": "${packageId.toUpperCase()}", "code": "AUTUMN10", "slug": "autumn-10", "unknown": null},
      {"packageId": "${packageId}", "code": ""},
      {"packageId": "7d1f0c7e-2a43-4a0f-8a3e-5f1f4b1b2c02", "code": "WINTER"}
    ]}`
    const answer = await post(app, codes, { path: CODES, key })
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        ok: false,
        upserted: 1,
        errors: [
          { index: 1, status: 400, reason: "invalid_row", message: expect.stringContaining("code must be") },
          {
            index: 2,
            status: 400,
            reason: "not_seller",
            message: "packageId isn't a package that your organization sells.",
          },
        ],
      },
    ])
    const metrics = `{"metrics": [
      {"code": "AUTUMN10", "date": "2026-11-14", "clicks": 1.2e2, "conversions": 4, "conversionValue": 199.95},
      {"code": "AUTUMN10", "date": "2026-11-15", "conversionValue": 8999999999.123457}
    ]}`
    expect(await (await post(app, metrics, { path: METRICS, key })).json()).toEqual({
      ok: true,
      upserted: 2,
      errors: [],
    })
    expect(await figuresOf(app, { seller, packageId })).toMatchObject([
      { code: "AUTUMN10", slug: "autumn-10", clicks: 120n, conversions: 4n, valueMicros: 9_000_000_199_073_457n },
    ])
  })

  test("today is the last date, by the clocks of the seller's time zone", async () => {
    await using app = await startApp({ engine })
    const seller = await givenSeller(app, { timeZone: "Pacific/Auckland" })
    const key = await givenKey(app, seller)
    await sendCodes(app, key, [{ packageId: await givenLine(app, seller), code: "A" }])
    const dates = ["2026-11-16", "2026-11-17"].map((date) => ({ code: "A", date, clicks: 1 }))
    const { errors } = await sendMetrics(app, key, dates)
    expect(errors).toMatchObject([{ index: 1, reason: "date_in_future" }])
  })

  test("a dry run answers in the same way and writes nothing", async () => {
    await using app = await startApp({ engine })
    const { key, packageId, seller } = await givenFeed(app)
    const send = async (query: string) => {
      const response = await post(app, { codes: [{ packageId, code: "A" }, 7] }, { path: CODES, key, query })
      return (await response.json()) as object
    }
    const dry = await send("?dry_run=true")
    expect(await figuresOf(app, { seller, packageId })).toEqual([])
    expect(dry).toEqual({ ...(await send("")), dry_run: true })
  })

  describe.each([
    [CODES, "codes", "affiliate-codes"],
    [METRICS, "metrics", "affiliate-metrics"],
  ])("%s", (path, field, window) => {
    test.each([
      [{}, 400],
      [{ [field]: {} }, 400],
      [{ [field]: null }, 400],
      [[{ [field]: [] }], 400],
      [{ [field]: [] }, 200],
      [{ [field]: new Array(1_000).fill(7) }, 200],
      [{ [field]: new Array(1_001).fill(7) }, 400],
    ])("has 0 to 1,000 rows in its list", async (body, status) => {
      await using app = await startApp({ engine })
      expect((await post(app, body, { path, key: await givenKey(app) })).status).toBe(status)
    })

    test("has a window of its own", async () => {
      await using app = await startApp({ engine })
      const key = await givenKey(app)
      const { headers } = await post(app, { [field]: [] }, { path, key })
      expect(headers.get("ratelimit")).toBe(`"${window}";r=59;t=60`)
      expect((await post(app, { items: [7] }, { key })).headers.get("ratelimit")).toBe('"delivery";r=59;t=60')
    })
  })
})
