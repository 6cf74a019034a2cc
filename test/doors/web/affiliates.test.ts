import { expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { recordAffiliateCodes, recordAffiliateMetrics } from "../../../src/actions/delivery/record-affiliates.ts"
import { parseJson } from "../../../src/domain/schema/json.ts"
import { createLog } from "../../../src/log/log.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenMarket, givenPerson, LINE, OTHER_SELLERS_LINE, OWN_LINE, startMarket } from "./given.ts"
import { signedIn } from "./visitor.ts"

async function startWithFigures(metrics: string): Promise<TestApp> {
  const app = await startApp()
  await givenMarket(app)
  const acme = await app.store.organizations.findBySlug("acme-audio")
  const reporter = {
    organizationId: acme?.id ?? 0,
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

test("totals per code are exact to the last digit", async () => {
  await using app = await startWithFigures(TWO_DAYS)
  const member = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const html = await member.read("/app/o/acme-audio/affiliates")
  expect(html.match(/9,000,000,000\.000001/g)).toHaveLength(1)
  // Of one campaign its totals say nothing more.
  expect(html).not.toContain("Totals by campaign")
  expect(html).toContain("10%")
  expect(await member.read("/app/o/acme-audio/affiliates.csv")).toContain("9000000000.000001")
  expect(await member.read("/app/o/acme-audio/affiliates/days.csv")).toContain("2026-11-13,10,1,8999999999.999999")
})

test("a code's page names the days whose figures it shows, and a rate of one in millions is not 0%", async () => {
  await using app = await startWithFigures(`[
    {"code": "TEN", "date": "2026-11-13", "clicks": 3000000, "conversions": 1},
    {"code": "TEN", "date": "2026-11-14", "clicks": 30, "conversions": 3}
  ]`)
  const member = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const list = await member.read("/app/o/acme-audio/affiliates?from=2026-11-01&to=2026-11-13")
  const path = /\/app\/o\/acme-audio\/affiliates\/\d+\?[^"]*/.exec(list)?.[0]?.replaceAll("&amp;", "&") ?? ""
  const html = await member.read(path)
  expect(html.replaceAll("\u00a0", " ")).toContain("1 Nov 2026 – 13 Nov 2026")
  expect(html).toContain("0.00003%")
  expect(await member.read(path.replace("from=2026-11-01", "from="))).toContain("Until 13 Nov 2026")
})

test("the figures of a day can be typed, and typed again; others stay", async () => {
  await using app = await startWithFigures(TWO_DAYS)
  const member = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  const base = "/app/o/acme-audio/affiliates"
  const code = /affiliates\/\d+/.exec(await member.read(base))?.[0] ?? ""
  const days = `/app/o/acme-audio/${code}/days`
  const save = (figures: object) =>
    member.post(days, { date: "2026-11-14", clicks: "", conversions: "", value: "", ...figures })
  expect((await save({ clicks: "1 234", value: "12,50" })).status).toBe(303)
  expect(await member.read(`${base}/days.csv`)).toContain("2026-11-14,1234,3,12.5")
  const wrong = await save({ conversions: "many" })
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining("many")])
  expect((await save({})).status).toBe(422)
  expect((await save({ date: "2027-01-01", clicks: "5" })).status).toBe(422)
  expect((await buyer.post(`/app/o/brand-co/${code}/days`, { date: "2026-11-14", clicks: "1" })).status).toBe(404)
  expect(await buyer.read(`/app/o/brand-co/${code}`)).not.toContain("Save figures")
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
  expect(await member.read(base)).toContain("none in this period")
})

test("the buyer sees the figures of its campaign; another seller of the same campaign does not", async () => {
  await using app = await startWithFigures(TWO_DAYS)
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  expect(await buyer.read("/app/o/brand-co/affiliates")).toContain("TEN")
  const rival = await signedIn(app, await givenPerson(app, { of: "other-seller", role: "admin" }))
  expect(await rival.read("/app/o/other-seller/affiliates")).toContain("No affiliate codes yet")
  const [code] = (await app.store.affiliateFigures.figures({ organizationIds: null })).codes
  expect((await buyer.get(`/app/o/brand-co/affiliates/${code?.codeId}`)).status).toBe(200)
  expect((await rival.get(`/app/o/other-seller/affiliates/${code?.codeId}`)).status).toBe(404)
})

test("a code that was moved is shown once for each line; its own page sums what the organization may see", async () => {
  await using app = await startWithFigures(TWO_DAYS)
  const acme = await app.store.organizations.findBySlug("acme-audio")
  const newBuyer = { slug: "new-buyer", name: "New Buyer" }
  const moved = {
    seller: "acme-audio",
    package_id: crypto.randomUUID(),
    name: "Elsewhere",
    pricing_basis: "impressions",
    flight_start: "2026-11-01",
  }
  const campaigns = [{ slug: "next", name: "Next", buyer: "new-buyer", lines: [moved] }]
  expect(await importCatalogue(app, { organizations: [newBuyer], campaigns }, "test")).toMatchObject({ ok: true })
  const reporter = { organizationId: acme?.id ?? 0, source: { kind: "key", reference: "k", detail: "" } } as const
  const context = { ...app, log: { error: () => undefined } }
  const codes = [{ packageId: moved.package_id, code: "TEN", slug: "secret-plan" }]
  await recordAffiliateCodes(context, reporter, codes, { dryRun: false })
  const rows = ["2026-11-14", "2026-11-15"].map((date) => ({ code: "TEN", date, clicks: 7 }))
  await recordAffiliateMetrics(context, reporter, rows, { dryRun: false })

  const read = async (organization: string, path: string) =>
    (await signedIn(app, await givenPerson(app, { of: organization }))).read(`/app/o/${organization}/affiliates${path}`)
  const [code] = (await app.store.affiliateFigures.figures({ organizationIds: null })).codes
  expect(await read("brand-co", ".csv")).toContain("17,4,")
  expect(await read("brand-co", "/days.csv")).not.toContain("2026-11-15")
  expect(await read("brand-co", `/${code?.codeId}`)).not.toContain("secret-plan")
  expect(await read("new-buyer", "/days.csv")).toContain("2026-11-15,7")
  expect(await read("new-buyer", "/days.csv")).not.toContain("2026-11-14")
  const own = await read("acme-audio", `/${code?.codeId}`)
  for (const text of ["Pre-roll, Autumn", "Elsewhere, Next", "24"]) expect(own).toContain(text)
})

test("a code is added by hand to a line that is chosen by name; what is wrong is said at its field", async () => {
  await using app = await startMarket()
  const person = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const page = "/app/o/acme-audio/affiliates/new"
  expect(await person.read(page)).toContain("Mid-roll (Acme only)")
  const empty = await (await person.post(page, { line: "", code: "", slug: "autumn" })).text()
  for (const said of ["Choose a line.", "Enter a code.", 'value="autumn"']) expect(empty).toContain(said)
  const others = await person.post(page, { line: OTHER_SELLERS_LINE, code: "A10" })
  expect([others.status, (await others.text()).includes('href="#line"')]).toEqual([422, true])
  await person.post(page, { line: OWN_LINE, code: "A10", slug: "autumn" })
  expect(await person.read("/app/o/acme-audio/affiliates")).toContain("A10")
})

test("before the first code, a seller finds the way to it on a campaign; who also sells finds those of what it bought", async () => {
  await using app = await startMarket()
  const person = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const campaign = "/app/o/acme-audio/campaigns/autumn"
  expect(await person.read(campaign)).toContain('href="/app/o/acme-audio/affiliates/new"')
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  expect(await buyer.read("/app/o/brand-co/campaigns/autumn")).not.toContain("/affiliates")
  await person.post("/app/o/acme-audio/affiliates/new", { line: LINE, code: "A10" })
  expect(await person.read(campaign)).toContain('href="/app/o/acme-audio/affiliates?campaign=autumn"')
  const own = {
    package_id: "0b8f5a0e-6d1c-4b43-9a55-000000000001",
    seller: "brand-co",
    name: "Own",
    pricing_basis: "impressions",
    flight_start: "2026-11-01",
  }
  const campaigns = [{ slug: "own", name: "Own", buyer: "acme-audio", lines: [own] }]
  expect((await importCatalogue(app, { campaigns }, "import")).ok).toBe(true)
  const page = await buyer.read("/app/o/brand-co/campaigns/autumn")
  expect(page).toContain('href="/app/o/brand-co/affiliates?campaign=autumn"')
})

test("a code of another line is moved only by whoever means it, and its days stay where they were", async () => {
  await using app = await startWithFigures(TWO_DAYS)
  const person = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const base = "/app/o/acme-audio/affiliates"
  const linesOf = async () => {
    const [code] = (await app.store.affiliateFigures.figures({ organizationIds: null })).codes
    const all = (await app.store.affiliateFigures.figures({ organizationIds: null, codeId: code?.codeId ?? 0 })).codes
    return all.map(({ line, isCurrent, clicks }) => [line, isCurrent, clicks])
  }
  const asked = await person.post(`${base}/new`, { line: OWN_LINE, code: "TEN" })
  const question = await asked.text()
  expect([asked.status, question]).toEqual([422, expect.stringContaining("TEN belongs to Pre-roll (Autumn).")])
  expect(await linesOf()).toEqual([["Pre-roll", true, 40n]])
  // What is confirmed is this code and this line, not any.
  const [, move = ""] = /name="move" value="([^"]*)"/.exec(question) ?? []
  expect((await person.post(`${base}/new`, { line: OWN_LINE, code: "TEN", move: `${move}x` })).status).toBe(422)
  expect((await person.post(`${base}/new`, { line: OWN_LINE, code: "TEN", move })).status).toBe(303)
  expect(await linesOf()).toEqual([
    ["Mid-roll", true, null],
    ["Pre-roll", false, 40n],
  ])
  expect(await person.read(base)).toContain("Until the code was moved")
  // Moved back, nothing is left of it.
  const back = { line: LINE, code: "TEN", move: `TEN ${LINE}` }
  expect((await person.post(`${base}/new`, back)).status).toBe(303)
  expect(await linesOf()).toEqual([["Pre-roll", true, 40n]])
})

test("a code without figures can be deleted by its seller, and by nobody else", async () => {
  await using app = await startWithFigures(TWO_DAYS)
  const person = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  await person.post("/app/o/acme-audio/affiliates/new", { line: LINE, code: "TYPO" })
  const codes = (await app.store.affiliateFigures.figures({ organizationIds: null })).codes
  const [ten, typo] = ["TEN", "TYPO"].map((name) => codes.find(({ code }) => code === name)?.codeId)
  const left = async () =>
    (await app.store.affiliateFigures.figures({ organizationIds: null })).codes.map(({ code }) => code)
  expect((await buyer.get(`/app/o/brand-co/affiliates/${typo}`)).status).toBe(200)
  expect((await buyer.post(`/app/o/brand-co/affiliates/${typo}/delete`)).status).toBe(404)
  expect(await person.read(`/app/o/acme-audio/affiliates/${ten}`)).not.toContain("Delete code")
  await person.post(`/app/o/acme-audio/affiliates/${ten}/delete`)
  expect(await left()).toEqual(["TEN", "TYPO"])
  expect(await person.read(`/app/o/acme-audio/affiliates/${typo}`)).toContain("Delete code")
  await person.post(`/app/o/acme-audio/affiliates/${typo}/delete`)
  expect(await left()).toEqual(["TEN"])
  const { entries } = await app.store.audit.list({ action: "remove affiliate_code" }, { before: null, limit: 5 })
  expect(entries.map(({ subject }) => subject)).toEqual(["TYPO"])
  // It can be made anew, and starts with nothing.
  await person.post("/app/o/acme-audio/affiliates/new", { line: OWN_LINE, code: "TYPO" })
  expect(await left()).toEqual(["TYPO", "TEN"])
})
