import { expect, test } from "bun:test"
import fc from "fast-check"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { givenIngestKey } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { report } from "../ingest/feed.ts"
import { givenPerson } from "./given.ts"
import { signedIn, type Visitor } from "./visitor.ts"

// A number that links to a list is the length of that list.

const HOME = "/app/o/acme-audio"
const NOW = "2026-11-15T12:00:00Z"
const idOf = (line: number) => `0b8f5a0e-6d1c-4b43-9a55-${String(line).padStart(12, "0")}`
// No number that would be taken for one that is counted.
const letter = (place: number) => String.fromCharCode("a".charCodeAt(0) + place)
const dayOf = (day: number) => new Date(Date.parse("2026-11-15") + day * 86_400_000).toISOString().slice(0, 10)

const generatedLine = fc.record({
  campaign: fc.nat(2),
  basis: fc.constantFrom("impressions", "downloads", "flat_rate"),
  start: fc.integer({ min: -20, max: 3 }),
  days: fc.integer({ min: 0, max: 25 }),
  /** How many days ago it was reported last; null: never. */
  reported: fc.option(fc.nat(6)),
  total: fc.nat(1_500),
})

/** Links whose words have a number, with it; those of the page's own parts and of other pages of a list are no lists by themselves. */
function linkedNumbers(html: string): { href: string; count: number; words: string }[] {
  const main = html.slice(html.indexOf("<main"))
  const items = [...main.matchAll(/<li>(?:(?!<li>).)*?<strong>([\d,]+) lines?<\/strong>.*?href="([^"]+)"/gs)].map(
    ([words, count = "", href = ""]) => ({ words, count, href }),
  )
  const links = [...main.matchAll(/<a ([^>]*)>(.*?)<\/a>/gs)].flatMap(([, attributes = "", content = ""]) => {
    const words = content.replaceAll(/<[^>]+>/g, " ").trim()
    const count = /^(?:Show all|All|No total since yesterday|\w[\w -]*)\s+([\d,]+)$/.exec(words)?.[1]
    const href = /href="([^"]+)"/.exec(attributes)?.[1]
    // Nor is the name of a key.
    const isPage = /[?&](?:key|from|amp;from)=/.test(href ?? "") || /^(?:Page )?[\d,]+$/.test(words)
    return count === undefined || href === undefined || isPage || !href.startsWith("/app")
      ? []
      : [{ words, count, href }]
  })
  return [...items, ...links].map(({ words, count, href }) => ({
    words,
    count: Number(count.replaceAll(",", "")),
    href: href.replaceAll("&amp;", "&"),
  }))
}

/** Rows of a table or of a to-do list, or what its pager says. */
function lengthOf(html: string): number {
  const main = html.slice(html.indexOf("<main"))
  const paged = /[\d,]+–[\d,]+ of ([\d,]+)/.exec(main.replaceAll(/<[^>]+>/g, ""))?.[1]
  if (paged !== undefined) return Number(paged.replaceAll(",", ""))
  const [, body = ""] = /<tbody>(.*?)<\/tbody>/s.exec(main) ?? []
  return body === "" ? (main.match(/class="tile /g) ?? []).length : (body.match(/<tr/g) ?? []).length
}

async function expectLinkedNumbers(person: Visitor, pages: readonly string[]): Promise<number> {
  let compared = 0
  for (const page of pages)
    for (const { href, count, words } of linkedNumbers(await person.read(page))) {
      expect([page, words, href, lengthOf(await person.read(href))]).toEqual([page, words, href, count])
      compared += 1
    }
  return compared
}

test("every number that links to a list is the length of that list, whatever a seller has", async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(generatedLine, { minLength: 1, maxLength: 14 }), async (given) => {
      await using app = await startApp({ now: NOW })
      const lines = given.map(({ campaign, basis, start, days }, i) => ({
        campaign,
        line: {
          package_id: idOf(i),
          seller: "acme-audio",
          name: `Line ${letter(i)}`,
          pricing_basis: basis,
          flight_start: dayOf(start),
          flight_end: dayOf(start + days),
          ...(basis !== "flat_rate" && { booked: 1_000 }),
          rate: 10,
          currency: "EUR",
        },
      }))
      const organizations = ["acme-audio", "brand-co"].map((slug) => ({ slug, name: slug }))
      const campaigns = [...Map.groupBy(lines, ({ campaign }) => campaign)].map(([campaign, some]) => ({
        slug: `c${campaign}`,
        name: `Campaign ${letter(campaign)}`,
        buyer: "brand-co",
        lines: some.map(({ line }) => line),
      }))
      expect(await importCatalogue(app, { organizations, campaigns }, "import")).toMatchObject({ ok: true })
      const acme = await app.store.organizations.findBySlug("acme-audio")
      if (acme === null) throw new Error("nothing was imported")
      const key = await givenIngestKey(app, acme)
      const items = given.flatMap(({ reported, basis, total }, i) =>
        reported === null
          ? []
          : [{ package_id: idOf(i), as_of: dayOf(-reported), ...(basis !== "flat_rate" && { [basis]: total }) }],
      )
      if (items.length > 0) await report(app, key, items)
      const seller = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
      compared += await expectLinkedNumbers(seller, [HOME, `${HOME}/totals`, `${HOME}/campaigns`, `${HOME}/attention`])
    }),
    { numRuns: 8 },
  )
  expect(compared).toBeGreaterThan(8)
}, 120_000)

test("lines of a nightly feed that is on schedule are not due at one in the morning, and are once it is late", async () => {
  await using app = await startApp({ now: "2026-11-08T04:00:00Z" })
  const line = { package_id: idOf(1), seller: "acme-audio", name: "Nightly", pricing_basis: "impressions" }
  const lines = [{ ...line, flight_start: "2026-11-01", flight_end: "2026-11-30" }]
  const organizations = ["acme-audio", "brand-co"].map((slug) => ({ slug, name: slug }))
  const campaigns = [{ slug: "c", name: "C", buyer: "brand-co", lines }]
  expect(await importCatalogue(app, { organizations, campaigns }, "import")).toMatchObject({ ok: true })
  const acme = await app.store.organizations.findBySlug("acme-audio")
  if (acme === null) throw new Error("nothing was imported")
  const key = await givenIngestKey(app, acme)
  for (const day of [8, 9, 10, 11, 12, 13]) {
    app.clock.set(`2026-11-${String(day).padStart(2, "0")}T04:00:00Z`)
    const as_of = `2026-11-${String(day - 1).padStart(2, "0")}`
    await report(app, key, [{ package_id: idOf(1), impressions: day * 100, as_of }])
  }
  const due = async (now: string) => {
    app.clock.set(now)
    const seller = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
    return (await seller.read(HOME)).includes("no total since yesterday")
  }
  // The total of the 13th comes at four.
  expect(await due("2026-11-14T01:00:00Z")).toBe(false)
  app.clock.set("2026-11-16T01:00:00Z")
  const seller = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  expect(await seller.read(HOME)).toContain("has been silent for")
}, 60_000)
