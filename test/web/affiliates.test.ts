import { expect, test } from "bun:test"
import { recordAffiliateCodes } from "../../src/actions/record-affiliate-codes.ts"
import { recordAffiliateMetrics } from "../../src/actions/record-affiliate-metrics.ts"
import { parseJson } from "../../src/domain/exact-json.ts"
import { createLog } from "../../src/log.ts"
import { startApp, type TestApp } from "../harness.ts"
import { givenMarket, givenPerson, LINE } from "./given.ts"
import { signedIn } from "./visitor.ts"

async function startWithFigures(metrics: string): Promise<TestApp> {
  const app = await startApp()
  await givenMarket(app)
  const acme = await app.store.organizations.findBySlug("acme-audio")
  const reporter = {
    organizationId: acme?.id ?? 0,
    timeZone: acme?.timeZone ?? "UTC",
    source: { kind: "key", reference: "k", detail: "" },
  } as const
  const log = createLog({ format: "json", clock: app.clock, write: () => undefined })
  const context = { ...app, log }
  await recordAffiliateCodes(context, reporter, [{ packageId: LINE, code: "TEN", slug: "ten" }], { dryRun: false })
  const rows = parseJson(metrics) as unknown[]
  const report = await recordAffiliateMetrics(context, reporter, rows, { dryRun: false })
  if (!report.ok) throw new Error(JSON.stringify(report.errors))
  return app
}

const TWO_DAYS = `[
  {"code": "TEN", "date": "2026-11-13", "clicks": 10, "conversions": 1, "conversionValue": 8999999999.999999},
  {"code": "TEN", "date": "2026-11-14", "clicks": 30, "conversions": 3, "conversionValue": 0.000002}
]`

test("totals per code and campaign are exact to the last digit", async () => {
  await using app = await startWithFigures(TWO_DAYS)
  const member = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const html = await member.read("/app/o/acme-audio/affiliates")
  expect(html.match(/9,000,000,000\.000001/g)).toHaveLength(2)
  expect(html).toContain("10%")
  expect(await member.read("/app/o/acme-audio/affiliates.csv")).toContain("9000000000.000001")
  expect(await member.read("/app/o/acme-audio/affiliates/days.csv")).toContain("2026-11-13,10,1,8999999999.999999")
})

test("days and campaign can be chosen", async () => {
  await using app = await startWithFigures(TWO_DAYS)
  const member = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const base = "/app/o/acme-audio/affiliates"
  expect(await member.read(`${base}/days.csv?from=2026-11-14&to=2026-11-14`)).not.toContain("2026-11-13")
  expect(await member.read(`${base}/days.csv?campaign=nothing`)).not.toContain("2026-11")
})

test("older days than three months are shown to whoever asks for them", async () => {
  await using app = await startWithFigures('[{"code": "TEN", "date": "2026-01-01", "clicks": 10}]')
  const member = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const base = "/app/o/acme-audio/affiliates"
  expect(await member.read(`${base}/days.csv`)).not.toContain("2026-01-01")
  expect(await member.read(`${base}/days.csv?from=`)).toContain("2026-01-01")
  expect(await member.read(base)).toContain("none in these days")
})

test("the buyer sees the figures of its campaign; another seller of the same campaign does not", async () => {
  await using app = await startWithFigures(TWO_DAYS)
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  expect(await buyer.read("/app/o/brand-co/affiliates")).toContain("TEN")
  const rival = await signedIn(app, await givenPerson(app, { of: "other-seller", role: "admin" }))
  expect(await rival.read("/app/o/other-seller/affiliates")).toContain("No affiliate codes yet")
  const [code] = await app.store.affiliateFigures.byCode({ organizationIds: null })
  expect((await buyer.get(`/app/o/brand-co/affiliates/${code?.codeId}`)).status).toBe(200)
  expect((await rival.get(`/app/o/other-seller/affiliates/${code?.codeId}`)).status).toBe(404)
})
