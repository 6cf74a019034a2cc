import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { startApp } from "../../harness.ts"
import { givenPerson } from "./given.ts"
import { reportFile, uploadFile } from "./uploaded.ts"
import { signedIn, textOf } from "./visitor.ts"

const FOLDER = "test/fixtures/shapes"

/** A line that an export is about: what the seller has given it, and the total that the export makes of it. */
type Expected = readonly [given: { name: string; external_id?: string; pricing_basis: string }, total: number]

const impressions = (name: string, external_id?: string) => ({
  name,
  pricing_basis: "impressions",
  ...(external_id && { external_id }),
})
const downloads = (name: string) => ({ name, pricing_basis: "downloads" })

/** Our own figures in the shape of each system's export: which line it is about, and whether its rows are totals or days. */
const SHAPES: readonly [file: string, figures: "totals" | "daily", ...lines: Expected[]][] = [
  ["ad-manager-report.csv", "daily", [impressions("Pre-roll in autumn", "5001"), 6_128]],
  [
    "megaphone-campaign.csv",
    "totals",
    [impressions("Autumn pre-roll"), 212_400],
    [impressions("Autumn mid-roll"), 98_000],
  ],
  ["acast-campaign.csv", "daily", [impressions("Autumn pre-roll"), 3_900]],
  ["buzzsprout-episodes.csv", "totals", [downloads("Autumn special"), 412], [downloads("Walking at night"), 131]],
  ["podigee-episoden.csv", "totals", [downloads("Herbstfolge"), 41_300], [downloads("Nachtspaziergang"), 12_050]],
  ["beehiiv-posts.csv", "totals", [impressions("Autumn letter"), 2_900], [impressions("Second letter"), 2_500]],
  ["revive-campaign.csv", "daily", [impressions("Autumn banner"), 2_730]],
  ["adition-kampagne.csv", "daily", [impressions("Vorspann", "77120"), 3_951]],
  ["libsyn-episodes.csv", "totals", [downloads("Autumn special"), 412], [downloads("Walking at night"), 131]],
  ["mailchimp-campaigns.csv", "totals", [impressions("Autumn mailing"), 1_900]],
  ["kevel-flights.csv", "daily", [impressions("Leaderboard", "900100"), 11_000]],
  ["spotify-episodes.csv", "totals", [downloads("Autumn special"), 512], [downloads("Walking at night"), 140]],
]

/** The form of the columns as the page fills it in. */
function suggested(html: string): Record<string, string> {
  const selects = [...html.matchAll(/<select name="(column_\d+)".*?<\/select>/gs)]
  return Object.fromEntries(
    selects.map(([select, name = ""]) => [name, /<option value="([^"]*)" selected/.exec(select)?.[1] ?? ""]),
  )
}

/** What is counted is not chosen by words in a heading: whoever answers what the columns mean chooses it. */
const CHOSEN: Readonly<Record<string, Record<string, string>>> = {
  "spotify-episodes.csv": { column_1: "downloads" },
  "buzzsprout-episodes.csv": { column_5: "downloads" },
  "beehiiv-posts.csv": { column_5: "impressions" },
  "mailchimp-campaigns.csv": { column_7: "impressions" },
}

/** 41.300 downloads may be 41300 or 41.3. */
const READINGS: Readonly<Record<string, Record<string, string>>> = { "podigee-episoden.csv": { numbers: "grouped" } }

describe("an export is reported with two forms at most", () => {
  test.each(SHAPES)("%s", async (file, figures, ...expected) => {
    await using app = await startApp({ now: "2026-11-15T12:00:00Z" })
    const lines = expected.map(([line]) => ({ ...line, seller: "acme", flight_start: "2026-11-01" }))
    const campaigns = [{ slug: "autumn", name: "Autumn", buyer: "acme", lines }]
    const market = { organizations: [{ slug: "acme", name: "Acme", time_zone: "Europe/Berlin" }], campaigns }
    const made = await importCatalogue(app, market, "test")
    if (!made.ok) throw new Error(JSON.stringify(made.problems))
    const person = await signedIn(app, await givenPerson(app, { of: "acme" }))
    const text = new Uint8Array(readFileSync(`${FOLDER}/${file}`))
    const address = await uploadFile(person, "delivery", text, file, "/app/o/acme/upload")
    const asked = await person.read(address)
    const answer = await person.post(`${address}/columns`, { ...suggested(asked), ...CHOSEN[file], figures })
    expect([answer.status, textOf(await answer.text()).slice(-600)]).toEqual([303, ""])
    // What the columns and the figures are, on one page; then how a number is read.
    const readings = READINGS[file]
    if (readings !== undefined) await person.post(`${address}/readings`, readings)
    const shown = textOf(await person.read(address))
    expect(shown.replace(/^.*?(?=Will update)/, "")).toStartWith(`Will update ${expected.length} line`)
    await reportFile(person, address)
    const { id } = (await app.store.organizations.findBySlug("acme")) ?? { id: 0 }
    const stored = await app.store.packageLines.listWithTotals(id)
    const totals = Object.fromEntries(stored.map(({ name, total }) => [name, total?.quantity ?? null]))
    expect(totals).toEqual(Object.fromEntries(expected.map(([{ name }, total]) => [name, total])))
  })
})
