import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { seedDemo } from "../../../src/demo/seed.ts"
import { createLog } from "../../../src/log/log.ts"
import { givenIngestKey } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { report } from "../ingest/feed.ts"
import { crawl, fewOfEachKind, kindOf } from "./crawl.ts"
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

interface LinkedNumber {
  readonly words: string
  readonly href: string
  readonly count: number
}

const textOf = (html: string) =>
  html
    .replaceAll(/<svg.*?<\/svg>/gs, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()

/** What an entry of the menu counts is the part of its page that needs somebody. */
const needingIn = (href: string) =>
  href.endsWith("/orders") ? `${href}?state=asked` : /^\/app\/o\/[\w-]+$/.test(href) ? `${href}/attention` : href

// A name that ends in a number, a time and a page of a list count nothing.
const COUNTED = /^(?:\D* )?([\d,]+)(?: \D*)?$/
const NO_COUNT =
  /\b(?:hours|days|seconds|Page|Person|line of)\b|^[\d,]+$|\d(?:x\d|:\d\d)|\b[A-Z]+\d+\b|\b\d{4}-|\b\d{1,2} \w{3} \d{4}\b/

/** Links with a number in their words, and what is said beside a link of a list of things to do. */
function linkedNumbers(page: string, html: string): LinkedNumber[] {
  const main = html.slice(html.indexOf("<main"))
  const items = [...main.matchAll(/<li>(?:(?!<li>).)*?<strong>([\d,]+) lines?<\/strong>.*?href="([^"]+)"/gs)].map(
    ([words, count = "", href = ""]) => ({ words: textOf(words), count, href }),
  )
  const links = [...html.matchAll(/<a ([^>]*)>(.*?)<\/a>/gs)].flatMap(([, attributes = "", content = ""]) => {
    const words = textOf(content)
    const count = NO_COUNT.test(words) || words.includes("“") ? undefined : COUNTED.exec(words)?.[1]
    const href = /href="([^"#]+)"/.exec(attributes)?.[1]
    if (count === undefined || href === undefined || /[?&;](?:from|start|key)=/.test(href)) return []
    return [{ words, count, href: / need attention$/.test(words) ? needingIn(href) : href }]
  })
  return [...items, ...links].flatMap(({ words, count, href }) => {
    const { pathname, search } = new URL(href.replaceAll("&amp;", "&"), `http://here${page}`)
    return pathname.startsWith("/app")
      ? [{ words, href: pathname + search, count: Number(count.replaceAll(",", "")) }]
      : []
  })
}

/** Rows of the last table that is not that of a chart, or of a list of things to do; or what its pager says. */
function lengthOf(html: string): number {
  const main = html.slice(html.indexOf("<main")).replaceAll(/<details.*?<\/details>/gs, "")
  const paged = /[\d,]+–[\d,]+ of ([\d,]+)/.exec(main.replaceAll(/<[^>]+>/g, ""))?.[1]
  if (paged !== undefined) return Number(paged.replaceAll(",", ""))
  const tiles = (main.match(/class="tile /g) ?? []).length
  const body = [...main.matchAll(/<table.*?<tbody>(.*?)<\/tbody>/gs)].at(-1)?.[1]
  return tiles > 0 || body === undefined ? tiles : (body.match(/<tr(?! class="day-row)/g) ?? []).length
}

/** Compares every number on every page that somebody can reach from one with the list that it links to. */
async function expectLinkedNumbers(person: Visitor, start: string): Promise<ReadonlySet<string>> {
  const compared = new Set<string>()
  const lengths = new Map<string, number>()
  for (const { path, html } of await crawl(person, [start], { isWanted: fewOfEachKind() }))
    for (const { href, count, words } of linkedNumbers(path, html)) {
      const length = lengths.get(href) ?? lengthOf(await person.read(href))
      lengths.set(href, length)
      expect([path, words, href, length]).toEqual([path, words, href, count])
      compared.add(`${kindOf(path)} ${words}`)
    }
  return compared
}

test("every number that links to a list is the length of that list, whatever a seller has", async () => {
  const compared = new Set<string>()
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
      for (const number of await expectLinkedNumbers(seller, HOME)) compared.add(number)
    }),
    { numRuns: 4 },
  )
  expect(compared.size).toBeGreaterThan(40)
})

let demo: TestApp

beforeAll(async () => {
  demo = await startApp()
  await seedDemo({ ...demo, log: createLog({ format: "json", clock: demo.clock, write: () => undefined }) })
})

afterAll(() => demo[Symbol.asyncDispose]())

/** Somebody of the demo. */
const personOf = async (email: string) => signedIn(demo, (await demo.store.users.findByEmail(email))?.id ?? 0)

test.each([
  ["an operator", "olga@adbooth.example", "/app/operator/system"],
  ["a seller", "ada@lighthouse.example", "/app/o/lighthouse-audio"],
  ["a buyer", "flora@fernweh.example", "/app"],
])(
  "every number that links to a list is its length, on every page of %s",
  async (_, email, start) => {
    await using app = await startApp()
    await seedDemo({ ...app, log: createLog({ format: "json", clock: app.clock, write: () => undefined }) })
    const user = await app.store.users.findByEmail(email)
    const compared = await expectLinkedNumbers(await signedIn(app, user?.id ?? 0), start)
    expect(compared.size).toBeGreaterThan(5)
  },
  600_000,
)

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
})

test.each([
  ["seller", "ada@lighthouse.example", "lighthouse-audio"],
  ["buyer", "flora@fernweh.example", "fernweh-travel"],
])(
  "a code has the same figures in the list and on its page, for its %s",
  async (_, email, organization) => {
    const person = await personOf(email)
    const list = await person.read(`/app/o/${organization}/affiliates`)
    const codes = [...list.matchAll(/<a [^>]*href="([^"]*\/affiliates\/\d+)"[^>]*>.*?<\/tr>/gs)]
    expect(codes.length).toBeGreaterThan(2)
    for (const [row, href = ""] of codes) {
      const [clicks, conversions, rate, value] = /([\d,]+) (\d+) ([\d.]+%) (€[\d,.]+)/.exec(textOf(row))?.slice(1) ?? []
      const figures = `Clicks ${clicks} Conversions ${conversions} Rate ${rate} Value ${value}`
      expect([href, textOf(await person.read(href))]).toEqual([href, expect.stringContaining(figures)])
    }
  },
  600_000,
)

test("what agents asked for adds up, and is as many as the list of requests has of each", async () => {
  const operator = await personOf("olga@adbooth.example")
  const overview = textOf(await operator.read("/app/operator/agent-sales?days=30"))
  const requests = textOf(await operator.read("/app/operator/requests"))
  const count = (text: string, of: RegExp) => Number(of.exec(text)?.[1])
  const counted = [/Requests (\d+) /, /Found something (\d+)/, /Found nothing (\d+)/].map((of) => count(overview, of))
  const listed = [/ All (\d+)/, / Found (\d+)/, / Nothing (\d+)/].map((of) => count(requests, of))
  expect(counted).toEqual(listed)
  const [all = 0, found = 0, nothing = 0] = counted
  expect(found + nothing + count(requests, / Refused (\d+)/)).toBe(all)
  expect(requests).toMatch(/No match \d+ shown anyway/)
})
