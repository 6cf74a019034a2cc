import { expect, test } from "bun:test"
import { createIngestKey } from "../../../src/actions/keys/keys.ts"
import { parseTimestamp } from "../../../src/domain/time/moment.ts"
import { ago, dayInWords, dayOf, timeInWords, timeOfDay } from "../../../src/domain/time/time-zone.ts"
import { routes } from "../../../src/doors/web/routes.ts"
import type { TestApp } from "../../harness.ts"
import { givenPerson, LINE, startMarket } from "./given.ts"
import { pathOf } from "./paths.ts"
import { reportLine } from "./report-anyway.ts"
import { signedIn, type Visitor } from "./visitor.ts"

const SHOWN = /<time datetime="([^"]*)"[^>]*>([^<]*)<\/time>/g
const NAMED = /Times are in ([\w/]+)\./g

/** Every page of the app, as somebody reads it who may see all of them. */
async function readAll(app: TestApp, person: Visitor): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  for (const route of routes.filter(({ method, path }) => method === "GET" && !path.includes("sign-out"))) {
    const response = await person.get(await pathOf(app, route))
    const text = await response.text()
    if (response.headers.get("content-type")?.startsWith("text/html")) pages.set(route.path, text)
  }
  return pages
}

function checkTimes(path: string, html: string, zone: string, now: number): number {
  const times = [...html.matchAll(SHOWN)]
  for (const [, datetime = "", words] of times) {
    const at = parseTimestamp(datetime) ?? Number.NaN
    const exact = timeInWords(at, zone)
    const right = [
      exact,
      exact.replace(" 2026,", ","),
      ago(at, now, zone),
      timeOfDay(at, zone),
      dayInWords(dayOf(at, zone)),
    ]
    expect([path, right]).toEqual([path, expect.arrayContaining([words ?? ""])])
  }
  // How long ago something was is the same in every zone.
  const exact = times.filter(([, , words = ""]) => /\d\d:\d\d/.test(words)).length
  expect([path, [...html.matchAll(NAMED)].map(([, named]) => named)]).toEqual([path, exact > 0 ? [zone] : []])
  return exact
}

test("every page shows times in the zone of its reader's organization, and names it once", async () => {
  await using app = await startMarket({ now: "2026-11-15T12:00:00Z" })
  const operator = await signedIn(app, await givenPerson(app, { isOperator: true, of: "acme-audio", role: "admin" }))
  await reportLine(operator, `/app/o/acme-audio/campaigns/autumn/lines/${LINE}`, { impressions: "1000" })
  app.clock.set("2026-11-17T10:00:00Z")
  const pages = await readAll(app, operator)
  const timed = [...pages].filter(([path, html]) => checkTimes(path, html, "Europe/Berlin", app.clock()) > 0)
  expect(timed.length).toBeGreaterThan(5)
  for (const [path, html] of timed) expect([path, html.match(/\bUTC\b/)]).toEqual([path, null])
})

test("a buyer reads the times of a seller elsewhere by the buyer's own clock", async () => {
  await using app = await startMarket({ now: "2026-11-15T12:00:00Z" })
  const seller = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co" }))
  await reportLine(seller, `/app/o/acme-audio/campaigns/autumn/lines/${LINE}`, { impressions: "1000" })
  const page = await buyer.read(`/app/o/brand-co/campaigns/autumn/lines/${LINE}`)
  expect(checkTimes("the line", page, "UTC", app.clock())).toBeGreaterThan(0)
  expect(page).toMatch(/Days end in.*Europe\/Berlin/s)
})

test("a request of 46 hours ago is not of yesterday", async () => {
  await using app = await startMarket({ now: "2026-11-15T12:00:00Z" })
  const person = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const organization = await app.store.organizations.findBySlug("acme-audio")
  if (organization === null) throw new Error("there is no Acme Audio")
  const { secret } = await createIngestKey(app, organization, "Feed", "test")
  const sent = await app.fetch("/api/ingest/delivery/metrics", {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ items: [{ package_id: LINE, impressions: 5 }] }),
  })
  expect(sent.status).toBe(200)
  app.clock.set("2026-11-17T10:00:00Z")
  const page = await person.read("/app/o/acme-audio/feed-activity")
  expect(page).toContain("2 days ago")
  expect(page).not.toContain("yesterday")
})

test("the flight of a line is shown with its years unless all of it is in this one", async () => {
  await using app = await startMarket({ now: "2026-11-15T12:00:00Z" })
  const person = await givenPerson(app, { of: "acme-audio" })
  const page = `/app/o/acme-audio/campaigns/autumn/lines/${LINE}`
  const flight = async () => {
    const html = await (await signedIn(app, person)).read(page)
    return /Bought by Brand Co · ([^·<]*\w)/.exec(html.replaceAll("\u00a0", " "))?.[1]
  }
  expect(await flight()).toBe("1 Nov – 30 Nov")
  app.clock.advance({ days: 365 })
  expect(await flight()).toBe("1 Nov 2026 – 30 Nov 2026")
})
