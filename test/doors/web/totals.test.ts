import { describe, expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { startApp, type TestApp } from "../../harness.ts"
import {
  DOWNLOADS_LINE,
  FLAT_LINE,
  FUTURE_LINE,
  givenMarket,
  givenPerson,
  LINE,
  OTHER_SELLERS_LINE,
  OWN_LINE,
} from "./given.ts"
import { signedIn, type Visitor } from "./visitor.ts"

const GRID = "/app/o/acme-audio/totals"

async function given(app: TestApp, role: "admin" | "member" = "member"): Promise<Visitor> {
  await givenMarket(app)
  return signedIn(app, await givenPerson(app, { of: "acme-audio", role }))
}

const current = async (app: TestApp, packageId = LINE) => {
  const { id = 0 } = (await app.store.organizations.findBySlug("acme-audio")) ?? {}
  const [line] = await app.store.packageLines.findSold(id, [packageId])
  return line?.total?.quantity ?? null
}

const field = (packageId: string) => `total.${packageId}`

/** The hidden and typed fields of a grid, as a browser would send them back. */
function fieldsIn(html: string): Record<string, string> {
  const main = html.slice(html.indexOf("<main"))
  const inputs = [...main.matchAll(/<input ([^>]*)>/g)].map(([, text = ""]) => text)
  const attribute = (text: string, name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(text)?.[1] ?? ""
  const sent = inputs.filter((text) => !text.includes('type="checkbox"') || / checked/.test(text))
  const decoded = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&")
  return Object.fromEntries(sent.map((text) => [attribute(text, "name"), decoded(attribute(text, "value"))]))
}

/** Types totals into a grid as it is, and presses the button. */
async function report(person: Visitor, typed: Record<string, string>, html?: string): Promise<Response> {
  const shown = fieldsIn(html ?? (await person.read(GRID)))
  return person.post(GRID, { ...shown, ...typed })
}

async function receiptOf(person: Visitor, answer: Response): Promise<string> {
  expect(answer.status).toBe(303)
  return person.read(answer.headers.get("location") ?? "")
}

test("all running lines are in one grid, with their last total; those of others and of the future are not", async () => {
  await using app = await startApp()
  const person = await given(app)
  const html = await person.read(GRID)
  for (const packageId of [LINE, DOWNLOADS_LINE, FLAT_LINE, OWN_LINE]) expect(html).toContain(field(packageId))
  for (const packageId of [FUTURE_LINE, OTHER_SELLERS_LINE]) expect(html).not.toContain(field(packageId))
  expect(await person.read("/app/o/acme-audio")).toContain(`href="${GRID}"`)
})

test("one button reports what was typed, and says what changed", async () => {
  await using app = await startApp()
  const person = await given(app)
  const answer = await report(person, {
    [field(LINE)]: "200 000",
    [field(DOWNLOADS_LINE)]: "8000",
    [field(OWN_LINE)]: "",
  })
  const html = await receiptOf(person, answer)
  expect(html).toContain("2 totals reported")
  expect(html).toContain("Brand Co sees them now")
  expect(html).toContain("200,000")
  expect(html).not.toContain("Mid-roll")
  expect([await current(app), await current(app, DOWNLOADS_LINE), await current(app, OWN_LINE)]).toEqual([
    200_000,
    8_000,
    null,
  ])
})

test("an odd total is asked about in its row; nothing is saved before that, and what is not confirmed is left out", async () => {
  await using app = await startApp()
  const person = await given(app)
  const asked = await report(person, { [field(LINE)]: "200000", [field(OWN_LINE)]: "9000000" })
  const html = await asked.text()
  expect(asked.status).toBe(200)
  expect(html).toContain("Nothing is reported yet.")
  expect(html).toContain("9,000,000 is far above the 500,000 booked.")
  expect(html).toContain("9,000,000 is right, report it anyway")
  expect(await current(app)).toBeNull()

  const receipt = await receiptOf(person, await report(person, {}, html))
  expect(receipt).toContain("1 total reported")
  expect(receipt).toContain("1 total was left out")
  expect(receipt).toContain('value="9000000"')
  expect([await current(app), await current(app, OWN_LINE)]).toEqual([200_000, null])

  app.clock.advance({ minutes: 5 })
  const again = await person.post(GRID, { [field(OWN_LINE)]: "9000000" })
  const confirmed = await report(person, { [`anyway.${OWN_LINE}`]: "yes" }, await again.text())
  expect(await receiptOf(person, confirmed)).toContain("1 total reported")
  expect(await current(app, OWN_LINE)).toBe(9_000_000)
})

test("a confirmation counts only for what was asked: another figure is asked about again", async () => {
  await using app = await startApp()
  const person = await given(app)
  const html = await (await report(person, { [field(LINE)]: "9000000" })).text()
  const other = await report(person, { [field(LINE)]: "8000000", [`anyway.${LINE}`]: "yes" }, html)
  expect(await other.text()).toContain("8,000,000 is right, report it anyway")
  expect(await current(app)).toBeNull()
})

test("what was confirmed stays confirmed while the time cannot be read", async () => {
  await using app = await startApp()
  const person = await given(app)
  const asked = await (await report(person, { [field(LINE)]: "9000000" })).text()
  const ticked = { ...fieldsIn(asked), [`anyway.${LINE}`]: "yes" }
  const { as_of = "" } = fieldsIn(asked)
  const refused = await (await person.post(GRID, { ...ticked, as_of: "whenever" })).text()
  expect(await current(app)).toBeNull()
  const saved = await person.post(GRID, { ...fieldsIn(refused), as_of })
  expect(await receiptOf(person, saved)).toContain("1 total reported")
})

test("an unchanged figure is said to be no change", async () => {
  await using app = await startApp()
  const person = await given(app)
  await report(person, { [field(LINE)]: "200000" })
  app.clock.advance({ days: 1 })
  const html = await (await report(person, { [field(LINE)]: "200000", look: "yes" })).text()
  expect(html).toContain("No change since")
  expect(html).not.toContain("+0")
  expect(await receiptOf(person, await report(person, { [field(LINE)]: "200000" }))).toContain("No change")
})

test("what cannot be read is an error at its row, and everything typed is kept", async () => {
  await using app = await startApp()
  const person = await given(app)
  const refused = await report(person, { [field(LINE)]: "200000", [field(OWN_LINE)]: "many" })
  const html = await refused.text()
  expect(refused.status).toBe(422)
  expect(html).toContain(`id="${field(OWN_LINE)}-error"`)
  expect(fieldsIn(html)).toMatchObject({ [field(LINE)]: "200000", [field(OWN_LINE)]: "many" })
  expect(await current(app)).toBeNull()
  const early = await report(person, { [field(LINE)]: "5", as_of: "2026-10-01", as_of_time: "" })
  expect(await early.text()).toContain("The flight starts on 1 Nov 2026.")
  const none = await report(person, {})
  expect(await none.text()).toContain("Type at least one new total.")
})

test("while somebody types, the server says the same as it will afterwards, and saves nothing", async () => {
  await using app = await startApp()
  const person = await given(app)
  await report(person, { [field(LINE)]: "200000" })
  app.clock.advance({ days: 1 })
  const typed = { [field(LINE)]: "210000", [field(OWN_LINE)]: "9000000", [field(DOWNLOADS_LINE)]: "many" }
  const answer = await report(person, { ...typed, look: "yes" })
  const html = await answer.text()
  expect(answer.status).toBe(200)
  expect(html).toContain("+10,000 since")
  expect(html).toContain("9,000,000 is right, report it anyway")
  expect(html).toContain("Report 1 total<")
  expect(html).toContain("Total: +10,000 impressions")
  expect(html).toMatch(/class="reason bad">/)
  expect(html).not.toContain("autofocus")
  expect([await current(app), await current(app, OWN_LINE)]).toEqual([200_000, null])

  const nothing = await report(person, { look: "yes" })
  expect(nothing.status).toBe(200)
  const confirmed = await (await report(person, { [`anyway.${OWN_LINE}`]: "yes", look: "yes" }, html)).text()
  expect(confirmed).toContain("Report 2 totals<")
  expect(fieldsIn(confirmed)).toMatchObject({ [`anyway.${OWN_LINE}`]: "yes" })
})

test("a flat-rate line has a box, which asks before the end of its flight", async () => {
  await using app = await startApp()
  const person = await given(app)
  const html = await (await report(person, { [field(FLAT_LINE)]: "delivered" })).text()
  expect(html).toContain("The flight runs until 30 Nov 2026.")
  const receipt = await receiptOf(person, await report(person, { [`anyway.${FLAT_LINE}`]: "yes" }, html))
  expect(receipt).toContain("delivered")
  expect(await current(app, FLAT_LINE)).toBe(1)
  expect(await person.read(GRID)).not.toContain(field(FLAT_LINE))
})

test("what was reported together is withdrawn together, with a reason; by its author or an admin", async () => {
  await using app = await startApp()
  const person = await given(app)
  await report(person, { [field(LINE)]: "200000" })
  app.clock.advance({ hours: 1 })
  const answer = await report(person, { [field(LINE)]: "210000", [field(OWN_LINE)]: "50000" })
  const receipt = answer.headers.get("location") ?? ""
  expect(await person.read(receipt)).toContain("Withdraw these 2")
  const other = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  expect(await other.read(receipt)).not.toContain("Withdraw these 2")
  expect((await other.post(`${receipt}/withdraw`, { reason: "Not mine" })).status).toBe(404)
  expect((await person.post(`${receipt}/withdraw`, { reason: "" })).status).toBe(422)
  expect(await current(app)).toBe(210_000)
  const back = await person.follow(`${receipt}/withdraw`, { reason: "The wrong day" })
  expect(await back.text()).toContain("2 totals were withdrawn.")
  expect([await current(app), await current(app, OWN_LINE)]).toEqual([200_000, null])
  expect((await person.get(receipt)).status).toBe(404)
  const [entry] = (await app.store.audit.list({}, { before: null, limit: 1 })).entries
  expect(entry).toMatchObject({ action: "withdraw delivery_reports", subject: expect.any(String) })
})

test("a total that was measured before the current one is kept in the history, and counts in no sum", async () => {
  await using app = await startApp()
  const person = await given(app)
  await report(person, { [field(LINE)]: "3000", as_of: "2026-11-10", as_of_time: "" })
  app.clock.advance({ minutes: 5 })
  await report(person, { [field(LINE)]: "5000" })
  app.clock.advance({ minutes: 5 })
  const late = { [field(LINE)]: "4000", as_of: "2026-11-12", as_of_time: "" }
  const looked = await (await report(person, { ...late, look: "yes" })).text()
  expect(looked).toContain("Kept in the history; a newer total counts.")
  for (const text of ["Total:", "−1,000", "+1,000"]) expect(looked).not.toContain(text)
  const receipt = await receiptOf(person, await report(person, late))
  expect(receipt).toContain("Kept in the history; a newer total counts.")
  for (const text of ["−1,000", "+1,000", "rose by"]) expect(receipt).not.toContain(text)
  expect(await current(app)).toBe(5_000)
})

test("totals that are sent twice are reported once, and the second time says so", async () => {
  await using app = await startApp()
  const person = await given(app)
  const html = await person.read(GRID)
  const typed = { [field(LINE)]: "200000", [field(OWN_LINE)]: "50000" }
  expect(await receiptOf(person, await report(person, typed, html))).toContain("2 totals reported")
  app.clock.advance({ seconds: 1 })
  const again = await person.follow(GRID, { ...fieldsIn(html), ...typed })
  expect([again.status, await again.text()]).toEqual([200, expect.stringContaining("were already reported.")])
  const late = { ...typed, as_of: "2026-11-10", as_of_time: "" }
  await report(person, late, html)
  app.clock.advance({ seconds: 1 })
  const lateAgain = await person.follow(GRID, { ...fieldsIn(html), ...late })
  expect([lateAgain.status, await lateAgain.text()]).toEqual([200, expect.stringContaining("were already reported.")])
  // The same figure measured later is news.
  app.clock.advance({ hours: 1 })
  expect(await receiptOf(person, await report(person, typed))).toContain("2 totals reported")
})

describe("however many lines there are", () => {
  const id = (i: number) => `0b8f5a0e-6d1c-4b43-9a55-${String(i).padStart(12, "0")}`

  async function givenLines(app: TestApp, count: number, inFirst = count): Promise<Visitor> {
    const lines = Array.from({ length: count }, (_, i) => ({
      package_id: id(i),
      seller: "acme-audio",
      name: `Line ${i}`,
      pricing_basis: "impressions",
      flight_start: "2026-11-01",
      flight_end: "2026-11-30",
      booked: 500_000,
    }))
    const organizations = [
      { slug: "acme-audio", name: "Acme Audio", time_zone: "Europe/Berlin" },
      { slug: "brand-co", name: "Brand Co" },
    ]
    const campaigns = [
      { slug: "many", name: "Many", buyer: "brand-co", lines: lines.slice(0, inFirst) },
      { slug: "more", name: "More", buyer: "brand-co", lines: lines.slice(inFirst) },
    ]
    const outcome = await importCatalogue(app, { organizations, campaigns }, "import")
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
    return signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  }

  test("what was confirmed, the button and the sum stay on the way to another page and back", async () => {
    await using app = await startApp()
    const person = await givenLines(app, 60)
    const go = async (from: number, html: string, typed: Record<string, string>) =>
      (await person.post(`${GRID}?from=${from}`, { ...fieldsIn(html), ...typed, go: "yes" })).text()
    const asked = await (await report(person, { [field(id(0))]: "9000000", look: "yes" })).text()
    const second = await go(50, asked, { [`anyway.${id(0)}`]: "yes" })
    expect(second).toContain("Report 1 total<")
    expect(second).toContain("Total: +9,000,000 impressions")
    const first = await go(0, second, { [field(id(55))]: "1000" })
    expect(first).toContain("Report 2 totals<")
    expect(fieldsIn(first)).toMatchObject({ [`anyway.${id(0)}`]: "yes" })
    expect(await receiptOf(person, await report(person, {}, first))).toContain("2 totals reported")
    expect([await current(app, id(0)), await current(app, id(55))]).toEqual([9_000_000, 1_000])
  })

  test("an answer is shown on the page that it was sent from where its line has left the list", async () => {
    await using app = await startApp()
    const person = await givenLines(app, 52, 50)
    await report(person, { [field(id(50))]: "1000" }, await person.read(`${GRID}?from=50`))
    app.clock.advance({ minutes: 5 })
    const due = `${GRID}?only=due&from=50`
    const html = await person.read(due)
    expect(html).not.toContain(field(id(50)))
    const answer = await person.post(due, { ...fieldsIn(html), [field(id(50))]: "9000000" })
    expect(await answer.text()).toContain(`name="${field(id(51))}"`)
  })

  test.each([1, 50, 204, 2_000])("%p are typed, asked about, saved and withdrawn as one", async (count) => {
    await using app = await startApp()
    const person = await givenLines(app, count)
    let html = await person.read(GRID)
    const seen: string[] = []
    for (let from = 0; from < count; from += 50) {
      const shown = fieldsIn(html)
      const fields = Object.keys(shown).filter((name) => name.startsWith("total."))
      seen.push(...fields)
      const typed = Object.fromEntries(
        fields.map((name) => [name, name === field(id(count - 1)) ? "9000000" : "200000"]),
      )
      // As a browser would that asks for the next page.
      const next = from + 50 < count ? `${GRID}?from=${from + 50}` : GRID
      html = await (await person.post(next, { ...shown, ...typed, go: "yes" })).text()
    }
    expect(seen).toEqual(Array.from({ length: count }, (_, i) => field(id(i))))
    const question = "9,000,000 is right, report it anyway"
    // Whoever comes to its page is asked there; from another page, before anything is saved.
    const asked = html.includes(question) ? html : await (await report(person, {}, html)).text()
    expect(asked).toContain(question)
    const saved = await report(person, { [`anyway.${id(count - 1)}`]: "yes" }, asked)
    const path = saved.headers.get("location") ?? ""
    const words = count === 1 ? "1 total reported" : `${count.toLocaleString("en")} totals reported`
    expect(await person.read(path)).toContain(words)
    expect([await current(app, id(0)), await current(app, id(count - 1))]).toEqual([
      count === 1 ? 9_000_000 : 200_000,
      9_000_000,
    ])
    await person.post(`${path}/withdraw`, { reason: "A test" })
    expect([await current(app, id(0)), await current(app, id(count - 1))]).toEqual([null, null])
  })
})

test("the grid says of which days its lines are, and which of them have ended", async () => {
  await using app = await startApp({ now: "2026-11-15T12:00:00Z" })
  const seller = await given(app)
  expect(await seller.read(GRID)).toContain("Running lines")
  const ended = { package_id: "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9aff", seller: "acme-audio", name: "Coda" }
  const flight = { pricing_basis: "impressions", flight_start: "2026-11-01", flight_end: "2026-11-12" }
  const campaigns = [{ slug: "short", name: "Short", buyer: "brand-co", lines: [{ ...ended, ...flight }] }]
  expect(await importCatalogue(app, { campaigns }, "import")).toMatchObject({ ok: true })
  const html = await seller.read(GRID)
  expect(html).toContain("Lines that run, or ended in the last 7 days")
  expect(html).toContain("ended 12 Nov")
  expect(html.match(/ended \d/g)).toHaveLength(1)
})
