import { expect, test } from "bun:test"
import { givenIngestKey } from "../../given.ts"
import { report } from "../ingest/feed.ts"
import { givenPerson, LINE, OWN_LINE, startMarket } from "./given.ts"
import { signedIn } from "./visitor.ts"

const LIST = "/app/o/acme-audio/campaigns"
const OWN = `${LIST}/acme-only`
const LINE_PAGE = `${LIST}/autumn/lines/${LINE}`

test("an archived campaign leaves the list, is found by the filter, and comes back", async () => {
  await using app = await startMarket()
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  expect((await admin.post(`${OWN}/archive`)).status).toBe(303)
  expect(await admin.read(LIST)).not.toContain("Acme only")
  expect(await admin.read(`${LIST}?archived=yes`)).toContain("Acme only")
  expect(await admin.read(`${LIST}.csv`)).not.toContain("acme-only")
  expect(await admin.read(`${OWN}/edit`)).toContain("Restore campaign")
  await admin.post(`${OWN}/unarchive`)
  expect(await admin.read(LIST)).toContain("Acme only")
  // Another organization sells in this one too.
  expect((await admin.post(`${LIST}/autumn/archive`)).status).toBe(404)
})

test("an archived line leaves its campaign and still takes reports; with figures it cannot be deleted", async () => {
  await using app = await startMarket()
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  await admin.post(`${LINE_PAGE}/archive`)
  expect(await admin.read(`${LIST}/autumn`)).not.toContain("Pre-roll")
  expect(await admin.read(`${LIST}/autumn?archived=yes`)).toContain("Pre-roll")
  const acme = await app.store.organizations.findBySlug("acme-audio")
  if (acme === null) throw new Error("no Acme")
  const reported = await report(app, await givenIngestKey(app, acme), [{ package_id: LINE, impressions: 5 }])
  expect(reported.results[0]?.status).toBe("accepted")
  await admin.post(`${LINE_PAGE}/delete`)
  expect((await admin.get(LINE_PAGE)).status).toBe(200)
  await admin.post(`${OWN}/lines/${OWN_LINE}/delete`)
  expect(await admin.read(`${OWN}/lines/${OWN_LINE}`)).toContain("only line of the campaign")
  expect(await admin.read(`${OWN}/delete`)).toContain("Delete Acme only?")
  expect((await admin.post(`${OWN}/delete`)).headers.get("location")).toBe(LIST)
  expect((await admin.get(OWN)).status).toBe(404)
})

test("deleting is offered only where it is not refused, and what is archived says so", async () => {
  await using app = await startMarket()
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  expect(await admin.read(`${OWN}/edit`)).toContain("Delete campaign")
  // The only line of its campaign.
  expect(await admin.read(`${OWN}/lines/${OWN_LINE}/edit`)).not.toContain("Delete line")
  expect(await admin.read(`${LINE_PAGE}/edit`)).toContain("Delete line")
  const acme = await app.store.organizations.findBySlug("acme-audio")
  if (acme === null) throw new Error("no Acme")
  await report(app, await givenIngestKey(app, acme), [{ package_id: OWN_LINE, impressions: 5 }])
  expect(await admin.read(`${OWN}/edit`)).not.toContain("Delete campaign")
  expect(await admin.read(OWN)).not.toContain(">Archived<")
  await admin.post(`${OWN}/archive`)
  await admin.post(`${LINE_PAGE}/archive`)
  for (const page of [OWN, LINE_PAGE]) expect(await admin.read(page)).toContain(">Archived<")
})

test.each([3, 12, 120])("the %p lines of a campaign are in the natural order of their names", async (count) => {
  await using app = await startMarket()
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const basis = { pricing_basis: "impressions", flight_start: "2026-12-01", flight_end: "2026-12-31" }
  for (let i = count; i > 0; i--) await admin.post(`${OWN}/lines`, { line_name: `Episode ${i}`, ...basis })
  const found: string[] = []
  for (let from = 0; from <= count; from += 50)
    found.push(
      ...[...(await admin.read(`${OWN}?from=${from}`)).matchAll(/>(Episode \d+)</g)].map(([, name = ""]) => name),
    )
  expect(found).toEqual(Array.from({ length: count }, (_, i) => `Episode ${i + 1}`))
})

test("the buyer of a deleted campaign stays", async () => {
  await using app = await startMarket()
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  await admin.post(`${OWN}/delete`)
  expect(await app.store.organizations.findBySlug("brand-co")).not.toBeNull()
})

test("what was done says where to go next", async () => {
  await using app = await startMarket()
  const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const line = `${OWN}/lines/${OWN_LINE}`
  const steps: [path: string, fields: Record<string, string>, next: string][] = [
    [`${OWN}/archive`, {}, `${LIST}?archived=yes`],
    [`${OWN}/unarchive`, {}, LIST],
    [`${line}/archive`, {}, `${OWN}?archived=yes`],
    ["/app/o/acme-audio/affiliates/new", { line: OWN_LINE, code: "AUTUMN10" }, "/app/o/acme-audio/affiliates/new"],
  ]
  for (const [path, fields, next] of steps) {
    const html = await (await admin.follow(path, fields)).text()
    const banner = /<div class="banner good[^>]*>.*?<\/div><\/div>/s.exec(html)?.[0] ?? ""
    expect([path, banner.includes(`href="${next}"`)]).toEqual([path, true])
  }
})
