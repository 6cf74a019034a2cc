import { expect, test } from "bun:test"
import fc from "fast-check"
import { shareCampaign } from "../../../src/actions/campaigns/share-links.ts"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import {
  isInFlight,
  LINE_STATES,
  type LineState,
  phaseOf,
  stateOf,
  stateToShow,
  type ZonedLine,
} from "../../../src/domain/campaign/line-state.ts"
import { linesAt } from "../../../src/doors/cli/commands/line.ts"
import { asJson } from "../../../src/doors/cli/output/table.ts"
import { keepTotals } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenPerson } from "./given.ts"
import { signedIn, type Visitor } from "./visitor.ts"

// One line has one state: on every page, in every list, filter and file, and on the command line, on both engines.

const ACME = "/app/o/acme-audio"
const NOW = Date.parse("2026-11-15T12:00:00Z") * 1_000
const HOUR = 3_600_000_000
const BOOKED = [1, 49, 50, 51, 100, 300_000, 10 ** 15]

const WORDS: Readonly<Record<LineState, string>> = {
  no_recent_figures: "No recent figures",
  behind: "Behind",
  over_delivered: "Over-delivered",
  ahead: "Ahead",
  on_pace: "On pace",
  running: "Running",
  ends_soon: "Ends soon",
  upcoming: "Upcoming",
  ended: "Ended",
  delivered: "Delivered",
}

/** What was never reported lacks figures as well, but is no alarm. */
const UNREPORTED = "No totals yet"

interface Given {
  readonly line: ZonedLine
  /** Reports before the last one. */
  readonly earlier: number
}

const seller = { timeZone: "Pacific/Auckland" }
const flights = fc.constantFrom<[string, string | null]>(
  ["2026-11-01", "2026-11-30"],
  ["2026-11-01", "2026-12-31"],
  ["2026-11-01", "2026-12-01"],
  ["2026-11-01", "2026-11-22"],
  ["2026-11-01", "2026-11-16"],
  ["2026-10-01", "2026-11-15"],
  ["2026-11-17", "2026-12-31"],
  ["2026-11-16", null],
  ["2026-10-01", null],
)

const anyLine: fc.Arbitrary<Given> = fc
  .record({
    basis: fc.constantFrom("impressions", "downloads", "flat_rate"),
    flight: flights,
    booked: fc.option(fc.constantFrom(...BOOKED)),
    share: fc.constantFrom(0, 0.3, 0.5, 0.5, 0.5, 0.55, 0.9, 1, 1.01, 1.02, 1.03, 2),
    hours: fc.constantFrom(1, 20, 47, 49),
    reports: fc.constantFrom(0, 1, 1, 7),
  })
  .map(({ basis, flight: [flightStart, flightEnd], booked, share, hours, reports }) => {
    const isFlat = basis === "flat_rate"
    const quantity = isFlat ? 1 : Math.round((booked ?? 1_000) * share)
    const total = reports === 0 || flightStart > "2026-11-16" ? null : { quantity, asOf: NOW - hours * HOUR }
    const line: ZonedLine = {
      pricingBasis: basis as ZonedLine["pricingBasis"],
      flightStart,
      flightEnd,
      booked: isFlat ? null : booked,
      total,
      seller,
    }
    return { line, earlier: isFlat ? 0 : Math.max(reports - 1, 0) }
  })

/** At, just below and just above two per cent more than booked, for every size. */
const AT_TOLERANCE: readonly Given[] = BOOKED.flatMap((booked) => {
  const begins = booked + Math.ceil(booked / 50)
  return [begins - 1, begins, begins + 1].map((quantity) => ({
    line: {
      pricingBasis: "impressions" as const,
      flightStart: "2026-11-01",
      flightEnd: "2026-11-30",
      booked,
      total: { quantity, asOf: NOW - HOUR },
      seller,
    },
    earlier: 0,
  }))
})

const nameOf = (i: number) => `Line ${i + 1}`
const packageIdOf = (i: number) => `0b8f5a0e-6d1c-4b43-9a55-${String(i + 1).padStart(12, "0")}`

/** A campaign of each line. */
async function bringIn(app: TestApp, given: readonly Given[]): Promise<void> {
  const campaigns = given.map(({ line }, i) => ({
    slug: `c-${i + 1}`,
    name: nameOf(i),
    buyer: "brand-co",
    lines: [
      {
        package_id: packageIdOf(i),
        seller: "acme-audio",
        name: nameOf(i),
        pricing_basis: line.pricingBasis,
        flight_start: line.flightStart,
        flight_end: line.flightEnd,
        booked: line.booked,
      },
    ],
  }))
  const organizations = [
    { slug: "acme-audio", name: "Acme Audio", time_zone: seller.timeZone },
    { slug: "brand-co", name: "Brand Co" },
  ]
  const outcome = await importCatalogue(app, { organizations, campaigns }, "import")
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  const { id = 0 } = (await app.store.organizations.findBySlug("acme-audio")) ?? {}
  const stored = await app.store.packageLines.findSold(
    id,
    given.map((_, i) => packageIdOf(i)),
  )
  const totals = given.flatMap(({ line: { total }, earlier }, i) => {
    const lineId = stored[i]?.lineId ?? 0
    if (total === null) return []
    const before = Array.from({ length: earlier }, (_, n) => ({ quantity: n, asOf: total.asOf - (n + 1) * HOUR }))
    return [...before, total].map((one) => ({ lineId, ...one }))
  })
  await keepTotals(app.store, totals, { receivedAt: NOW, source: { kind: "command", reference: "", detail: "" } })
}

const SAID = new RegExp(`class="badge[^"]*">(${[...Object.values(WORDS), UNREPORTED].join("|")})<`, "g")
const badges = (html: string) => [...html.matchAll(SAID)].map(([, words]) => words)

/** What each row of a table says: the text of its first cell, and its state. */
function rowsOf(html: string): Map<string, string | undefined> {
  const rows = html.split("<tr").flatMap((row) => {
    const [, name] = /scope="row".*?>(Line \d+)</s.exec(row) ?? []
    return name === undefined ? [] : [[name, badges(row)[0]] as const]
  })
  return new Map(rows)
}

async function allPages(person: Visitor, path: string, perPage: number, count: number, start: string) {
  const all = new Map<string, string | undefined>()
  for (let from = 0; from < count; from += perPage)
    for (const [name, words] of rowsOf(await person.read(`${path}${path.includes("?") ? "&" : "?"}${start}=${from}`)))
      all.set(name, words)
  return all
}

function column(csv: string, name: string, of: string): Map<string, string | undefined> {
  const [header = [], ...rows] = csv
    .trim()
    .split("\r\n")
    .map((row) => row.split(","))
  return new Map(rows.map((row) => [row[header.indexOf(of)] ?? "", row[header.indexOf(name)]]))
}

async function sharedPath(app: TestApp, slug: string): Promise<string> {
  const acme = await app.store.organizations.findBySlug("acme-audio")
  const campaign = acme && (await app.store.campaigns.find(acme.id, slug))
  if (!campaign) throw new Error(`${slug} is not there`)
  const shared = await shareCampaign(app, acme, campaign, { label: "Ben", days: "30" }, "test")
  return shared.path ?? ""
}

test("a line has one state, wherever it is read", async () => {
  await using app = await startApp({ now: "2026-11-15T12:00:00Z" })
  const given = [...AT_TOLERANCE, ...fc.sample(anyLine, { numRuns: 120, seed: 24 })]
  await bringIn(app, given)
  const person = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const states = new Map(given.map(({ line }, i) => [nameOf(i), stateOf(line, NOW)]))
  expect(new Set(states.values())).toEqual(new Set(LINE_STATES))
  const wordsOf = ({ line }: Given, state: LineState) =>
    state === "no_recent_figures" && line.total === null ? UNREPORTED : WORDS[state]
  const words = new Map(given.map((one, i) => [nameOf(i), wordsOf(one, stateOf(one.line, NOW))]))
  const flying = new Set(given.flatMap(({ line }, i) => (isInFlight(line, NOW) ? [nameOf(i)] : [])))
  const ofFlying = <Value>(all: ReadonlyMap<string, Value>) => new Map([...all].filter(([name]) => flying.has(name)))

  expect(await allPages(person, `${ACME}/campaigns`, 25, given.length, "start")).toEqual(words)
  const today = await allPages(person, ACME, 50, flying.size, "from")
  expect(today).toEqual(ofFlying(words))
  // Files say what pages say.
  const written = new Map(
    given.map((one, i) => [nameOf(i), stateToShow(stateOf(one.line, NOW), one.line.total !== null)]),
  )
  expect(column(await person.read(`${ACME}/campaigns.csv`), "state", "name") as Map<string, string>).toEqual(written)
  expect(column(await person.read(`${ACME}/running-lines.csv`), "state", "line") as Map<string, string>).toEqual(
    ofFlying(written),
  )
  for (const phase of ["running", "upcoming", "ended"]) {
    const listed = await allPages(person, `${ACME}/campaigns?state=${phase}`, 25, given.length, "start")
    const phases = new Map(given.map(({ line }, i) => [nameOf(i), phaseOf(line, NOW)]))
    const expected = [...words].filter(([name]) => phases.get(name) === phase)
    expect(listed).toEqual(new Map(expected))
  }
  const list = linesAt(NOW)
  const printed = (await app.store.packageLines.listWithTotals(null)).map((line) => asJson(list, line)) as {
    name: string
    state: string
  }[]
  expect(new Map(printed.map(({ name, state }) => [name, state]))).toEqual(written)

  // Of each state one line, on the pages that show a single one.
  for (const state of LINE_STATES) {
    const [name = ""] = [...states].find(([, one]) => one === state) ?? []
    const campaign = `c-${name.slice("Line ".length)}`
    const base = `${ACME}/campaigns/${campaign}`
    expect(badges(await person.read(`${base}/lines/${packageIdOf(Number(name.slice(5)) - 1)}`))).toEqual([
      words.get(name),
    ])
    expect(badges(await person.read(base))).toEqual([words.get(name)])
    expect(column(await person.read(`${base}/lines.csv`), "state", "line").get(name) as string).toBe(
      written.get(name) as string,
    )
    const shared = badges(await person.read(await sharedPath(app, campaign)))
    expect(new Set(shared)).toEqual(new Set([words.get(name)]))
  }
})
