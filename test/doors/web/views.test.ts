import { expect, test } from "bun:test"
import type { TestApp } from "../../harness.ts"
import { FLAT_LINE, givenPerson, LINE, OTHER_SELLERS_LINE, OWN_LINE, startMarket } from "./given.ts"
import { reportAnyway, reportLine } from "./report-anyway.ts"
import { signedIn, type Visitor, visitor } from "./visitor.ts"

const AUTUMN = "/campaigns/autumn"

const memberOf = async (app: TestApp, of: string, role: "admin" | "member" = "member") =>
  signedIn(app, await givenPerson(app, { of, role }))

const report = (person: Visitor, fields: Record<string, string>, line = LINE) =>
  reportAnyway(person, `/app/o/acme-audio${AUTUMN}/lines/${line}`, fields)

test("the buyer sees what sellers report, of every line, and can change nothing", async () => {
  await using app = await startMarket()
  await report(await memberOf(app, "acme-audio"), { impressions: "250000" })
  const buyer = await memberOf(app, "brand-co", "admin")
  const page = await buyer.read(`/app/o/brand-co${AUTUMN}`)
  expect(page).toContain("<b>250,000</b>")
  for (const name of ["Pre-roll", "Banner", "Podcast"]) expect(page).toContain(name)
  for (const word of ["Report totals", "Add a line", "Share", "new-line"]) expect(page).not.toContain(word)
  const line = `/app/o/brand-co${AUTUMN}/lines/${LINE}`
  expect(await buyer.read(line)).not.toContain("Report totals")
  for (const path of [`${line}/edit`, `/app/o/brand-co${AUTUMN}/lines`, `/app/o/brand-co${AUTUMN}/edit`]) {
    const fields = {
      impressions: "1",
      line_name: "X",
      pricing_basis: "impressions",
      flight_start: "2026-11-01",
      name: "X",
    }
    expect([path, (await buyer.post(path, fields)).status]).toEqual([path, 404])
  }
  expect((await buyer.get(`/app/o/brand-co${AUTUMN}/share`)).status).toBe(404)
})

test("a seller sees its own lines of a campaign, and the others are as good as missing", async () => {
  await using app = await startMarket()
  const seller = await memberOf(app, "other-seller", "admin")
  const page = await seller.read(`/app/o/other-seller${AUTUMN}`)
  expect(page).toContain("Banner")
  expect(page).not.toContain("Pre-roll")
  const missing = await seller.read(`/app/o/other-seller${AUTUMN}/lines/0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9aff`)
  expect(await seller.read(`/app/o/other-seller${AUTUMN}/lines/${LINE}`)).toBe(missing)
  expect(await seller.read("/app/o/other-seller/campaigns/acme-only")).toBe(
    await seller.read("/app/o/other-seller/campaigns/there-is-none"),
  )
  expect(await seller.read("/app/o/acme-audio/campaigns")).toBe(await seller.read("/app/o/there-is-none/campaigns"))
})

test("a member reports delivery but does not edit; an admin does both", async () => {
  await using app = await startMarket()
  const member = await memberOf(app, "acme-audio")
  expect((await report(member, { impressions: "1" })).status).toBe(303)
  const line = { line_name: "Evening", pricing_basis: "downloads", flight_start: "2026-12-01", booked: "5000" }
  expect((await member.post(`/app/o/acme-audio${AUTUMN}/lines`, line)).status).toBe(403)
  const admin = await memberOf(app, "acme-audio", "admin")
  const added = await admin.post(`/app/o/acme-audio${AUTUMN}/lines`, line)
  expect(added.status).toBe(303)
  const page = await admin.read(added.headers.get("location") ?? "")
  expect(page).toContain("Evening")
  expect(page).toContain("Evening has been added.")
})

test("an edit that the figures contradict is asked about first, and again when it changes", async () => {
  await using app = await startMarket()
  const admin = await memberOf(app, "acme-audio", "admin")
  await report(admin, { impressions: "250000" })
  const path = `/app/o/acme-audio${AUTUMN}/lines/${LINE}/edit`
  const line = { line_name: "Pre-roll", pricing_basis: "impressions", flight_start: "2026-11-01", booked: "500000" }
  const edit = async (fields: Record<string, string>) => {
    const answer = await admin.edit(path, { ...line, ...fields })
    const html = await answer.text()
    const anyway = /name="anyway"[^>]*value="([^"]*)"/.exec(html)?.[1] ?? ""
    return { status: answer.status, html, anyway }
  }
  const less = await edit({ booked: "200,000" })
  expect([less.status, less.html.includes("250,000 are delivered already.")]).toEqual([422, true])
  expect((await edit({ booked: "150,000", anyway: less.anyway })).status).toBe(422)
  expect((await edit({ booked: "200,000", anyway: less.anyway })).status).toBe(303)
  // What was so before is no question.
  expect((await edit({ booked: "200,000", line_name: "Pre-roll, autumn" })).status).toBe(303)
  const later = await edit({ booked: "200,000", flight_start: "2026-12-01" })
  expect(later.html).toContain("The total so far was measured before that")
  expect((await edit({ booked: "200,000", flight_start: "2026-12-01", anyway: later.anyway })).status).toBe(303)
})

test("what a line is priced on stays, once delivery has been reported", async () => {
  await using app = await startMarket()
  const admin = await memberOf(app, "acme-audio", "admin")
  const edit = (pricing_basis: string) =>
    admin.edit(`/app/o/acme-audio/campaigns/acme-only/lines/${OWN_LINE}/edit`, {
      line_name: "Mid-roll",
      pricing_basis,
      flight_start: "2026-11-01",
    })
  await edit("downloads")
  const path = `/app/o/acme-audio/campaigns/acme-only/lines/${OWN_LINE}`
  expect((await reportLine(admin, path, { downloads: "7" })).status).toBe(303)
  await edit("impressions")
  expect(await admin.read(path)).toContain("&quot;downloads&quot;:1000")
})

test("a new campaign for a new buyer needs nobody else, and shows the seller nobody else", async () => {
  await using app = await startMarket()
  const admin = await memberOf(app, "other-seller", "admin")
  const form = await admin.read("/app/o/other-seller/new-campaign")
  expect(form).toContain("Brand Co")
  expect(form).not.toContain("Acme Audio")
  const fields = {
    name: "Früher Herbst",
    buyer: "Acme Audio",
    line_name: "Banner",
    pricing_basis: "impressions",
    flight_start: "2026-11-01",
    flight_end: "2026-11-30",
    booked: "1000",
  }
  const made = await admin.post("/app/o/other-seller/new-campaign", fields)
  expect(made.headers.get("location")).toBe("/app/o/other-seller/campaigns/fruher-herbst")
  const slugs = (await app.store.organizations.list()).map(({ slug }) => slug)
  expect(slugs).toContain("acme-audio-2")
  await admin.post("/app/o/other-seller/new-campaign", {
    ...{ ...fields, name: "Winter", buyer: "acme-audio", new_buyer: "acme-audio" },
  })
  expect((await app.store.organizations.list()).map(({ slug }) => slug)).toContain("acme-audio-3")
})

test("the campaign's name is changed only by whoever sells all of it", async () => {
  await using app = await startMarket()
  const admin = await memberOf(app, "acme-audio", "admin")
  expect((await admin.post("/app/o/acme-audio/campaigns/autumn/edit", { name: "Mine" })).status).toBe(404)
  await admin.edit("/app/o/acme-audio/campaigns/acme-only/edit", { name: "Renamed", buyer: "brand-co" })
  expect(await admin.read("/app/o/acme-audio/campaigns/acme-only")).toContain("Renamed")
})

test("the history says who sent what and when, the last measured first, and which report is current", async () => {
  await using app = await startMarket()
  const person = await memberOf(app, "acme-audio")
  await report(person, { impressions: "500", as_of: "2026-11-14" })
  await report(person, { impressions: "400", as_of: "2026-11-13" })
  const rows = [...(await person.read(`/app/o/acme-audio${AUTUMN}/lines/${LINE}`)).matchAll(/<tr[^>]*>.*?<\/tr>/g)]
    .map(([row]) => row)
    .filter((row) => row.includes("Form, Person"))
  expect(rows).toHaveLength(2)
  // The one that came late is of the day before.
  const [last = "", first = ""] = rows
  for (const shown of ['class="row-current"', ">500<", ">+100<", ">Current<", "14 Nov, 23:59", "15 Nov, 13:00"])
    expect(last).toContain(shown)
  for (const shown of [">400<", ">–<", "13 Nov, 23:59"]) expect(first).toContain(shown)
  for (const other of ["row-current", ">Current<"]) expect(first).not.toContain(other)
})

const changesOf = async (person: Visitor) =>
  [
    ...(await person.read(`/app/o/acme-audio${AUTUMN}/lines/${LINE}`)).matchAll(/data-label="Change"[^>]*>([^<]*)</g),
  ].map(([, change]) => change)

test("what a report added counts from the total measured before it, however late that came, and of one that was corrected nothing", async () => {
  await using app = await startMarket()
  const person = await memberOf(app, "acme-audio")
  for (const [impressions, day] of [
    ["500", "12"],
    ["300", "10"],
    ["350", "11"],
    ["800", "13"],
    ["700", "13"],
    ["900", "14"],
  ] as const) {
    app.clock.advance({ seconds: 1 })
    await report(person, { impressions, as_of: `2026-11-${day}` })
  }
  expect(await changesOf(person)).toEqual(["+200", "+200", "–", "+150", "+50", "–"])
})

test("each report in the history says what it added, also the last of a page", async () => {
  await using app = await startMarket()
  const person = await memberOf(app, "acme-audio")
  for (let i = 1; i <= 11; i++) {
    app.clock.advance({ seconds: 1 })
    await report(person, { impressions: String(i * i) })
  }
  expect(await changesOf(person)).toEqual([21, 19, 17, 15, 13, 11, 9, 7, 5, 3].map((added) => `+${added}`))
})

test("a history of many pages is read to its end, page by page", async () => {
  await using app = await startMarket()
  const person = await memberOf(app, "acme-audio")
  for (let i = 1; i <= 60; i++) {
    app.clock.advance({ seconds: 1 })
    await report(person, { impressions: String(i) })
  }
  const seen: string[] = []
  let path: string | undefined = `/app/o/acme-audio${AUTUMN}/lines/${LINE}`
  while (path !== undefined) {
    const page: string = await person.read(path)
    seen.push(...[...page.matchAll(/<th scope="row" class="num">(\d+)<\/th>/g)].map(([, total]) => total ?? ""))
    path = /href="([^"#]*\?before=[^"#]*)#history" rel="next"/.exec(page)?.[1]
  }
  expect(new Set(seen)).toEqual(new Set(Array.from({ length: 60 }, (_, i) => String(i + 1))))
  expect((await person.read(`/app/o/acme-audio${AUTUMN}/lines/${LINE}/history.csv`)).trim().split("\r\n")).toHaveLength(
    61,
  )
})

test("a share link shows one seller's lines of one campaign, to read only, until it is revoked", async () => {
  await using app = await startMarket()
  const admin = await memberOf(app, "acme-audio", "admin")
  await report(admin, { impressions: "250000" })
  const shown = await (await admin.follow(`/app/o/acme-audio${AUTUMN}/share`, { label: "Brand Co", days: "30" })).text()
  const link = /\/app\/share\/[\w-]+/.exec(shown)?.[0] ?? ""
  const stranger = visitor(app)
  const page = await stranger.read(link)
  expect(page).toContain("<b>250,000</b>")
  expect(page).not.toContain("Banner")
  expect(page).not.toMatch(/Report totals|href="\/app\/o\//)
  expect(app.logged.join("")).not.toContain(link.split("/").at(-1) ?? "")
  expect(await admin.read(`/app/o/acme-audio${AUTUMN}/share`)).not.toContain(link)

  const revoke = /\/app\/o\/[^"]*\/revoke/.exec(await admin.read(`/app/o/acme-audio${AUTUMN}/share`))?.[0] ?? ""
  expect(await admin.read(revoke)).toContain("It stops working at once.")
  await admin.post(revoke)
  expect((await stranger.get(link)).status).toBe(404)
  expect((await stranger.get(`${link}/lines.csv`)).status).toBe(404)
})

test("a share link expires, and a guessed one opens nothing", async () => {
  await using app = await startMarket()
  const admin = await memberOf(app, "acme-audio", "admin")
  const shown = await (await admin.follow(`/app/o/acme-audio${AUTUMN}/share`, { label: "Brand Co", days: "7" })).text()
  const link = /\/app\/share\/[\w-]+/.exec(shown)?.[0] ?? ""
  expect(link.length).toBeGreaterThanOrEqual("/app/share/".length + 43)
  const guessed = await visitor(app).get("/app/share/guessed")
  app.clock.advance({ days: 6, hours: 23 })
  expect((await visitor(app).get(link)).status).toBe(200)
  app.clock.advance({ hours: 2 })
  const late = await visitor(app).get(link)
  expect([late.status, await late.text()]).toEqual([guessed.status, await guessed.text()])
})

test("every table can be taken away as a file", async () => {
  await using app = await startMarket()
  const admin = await memberOf(app, "acme-audio", "admin")
  await report(admin, {}, FLAT_LINE)
  for (const [path, header, holds] of [
    ["campaigns.csv", "campaign,name,buyer", "autumn,Autumn,brand-co,no_recent_figures"],
    ["campaigns/autumn/lines.csv", "package_id,line,seller", `${LINE},Pre-roll,acme-audio,impressions`],
    [
      `campaigns/autumn/lines/${FLAT_LINE}/history.csv`,
      "package_id,total,as_of",
      `${FLAT_LINE},1,2026-11-15T12:00:00Z`,
    ],
  ] as const) {
    const answer = await admin.get(`/app/o/acme-audio/${path}`)
    const text = await answer.text()
    expect([path, answer.headers.get("content-disposition")?.startsWith("attachment")]).toEqual([path, true])
    expect(text).toContain(header)
    expect(text).toContain(holds)
    expect(text).not.toContain(OTHER_SELLERS_LINE)
  }
})

test("while a line is typed, the form says what it will be worth, and saves nothing", async () => {
  await using app = await startMarket()
  const seller = await memberOf(app, "acme-audio", "admin")
  const typed = { look: "yes", pricing_basis: "impressions", rate: "12.50", currency: "EUR", booked: "40 000" }
  const base = `/app/o/acme-audio${AUTUMN}`
  for (const path of [`${base}/lines`, `${base}/lines/${LINE}/edit`, "/app/o/acme-audio/new-campaign"]) {
    const html = await (await seller.post(path, typed)).text()
    expect(html).toContain("€12.50 for 1,000 impressions, so 40,000 are €500.00.")
    expect(html).not.toContain("Error:")
    const flat = await (await seller.post(path, { ...typed, pricing_basis: "flat_rate" })).text()
    expect(flat).toContain("€12.50 once it has run.")
    const ambiguous = await (await seller.post(path, { ...typed, rate: "1.000" })).text()
    expect(ambiguous).not.toContain("for 1,000 impressions")
    // Without a price, too, it says how the quantity was read.
    const unpriced = { ...typed, pricing_basis: "downloads", rate: "", booked: "30,000" }
    for (const rate of ["", "1.000"])
      expect(await (await seller.post(path, { ...unpriced, rate })).text()).toContain("30,000 downloads are booked.")
  }
  expect(await seller.read(`/app/o/acme-audio${AUTUMN}/lines/${LINE}`)).not.toContain("40,000")
})
