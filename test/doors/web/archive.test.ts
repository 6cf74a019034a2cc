import { expect, test } from "bun:test"
import { givenIngestKey } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { report } from "../ingest/feed.ts"
import { givenMarket, givenPerson, LINE, OWN_LINE } from "./given.ts"
import { signedIn } from "./visitor.ts"

const LIST = "/app/o/acme-audio/campaigns"
const OWN = `${LIST}/acme-only`
const LINE_PAGE = `${LIST}/autumn/lines/${LINE}`

test("an archived campaign leaves the list, is found by the filter, and comes back", async () => {
  await using app = await startApp()
  await givenMarket(app)
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
  await using app = await startApp()
  await givenMarket(app)
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
