import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { answer, type ReadingAnswers, report, startUploads } from "../../harness/data/uploads.ts"

interface Shape {
  readonly file: string
  /** The lines of the export, with the seller's own ID if it's in the file, and the total after the report. */
  readonly lines: Readonly<Record<string, { readonly externalId?: string; readonly total: number }>>
  readonly basis: "impressions" | "downloads"
  /**
   * For daily figures: what the next export corrects, so that the figures don't only rise, and how much that adds. If they only
   * rise, the page asks whether they are totals.
   */
  readonly correction?: readonly [figure: string, corrected: string, more: number]
  /** What a person selects. The column of the line is preselected if it's the only one with lines. */
  readonly answers: ReadingAnswers
}

const one = (name: string, total: number, externalId?: string) => ({
  [name]: { total, ...(externalId && { externalId }) },
})

/** Our own figures in the shape of each system's export. The totals were added up by hand. */
const SHAPES: readonly Shape[] = [
  {
    file: "ad-manager-report.csv",
    lines: one("Pre-roll in autumn", 6_128, "5001"),
    basis: "impressions",
    answers: { day: "Date", impressions: "Ad server impressions", figures: "daily" },
    correction: ["1,940", "2,940", 1_000],
  },
  {
    file: "megaphone-campaign.csv",
    lines: { ...one("Autumn pre-roll", 212_400), ...one("Autumn mid-roll", 98_000) },
    basis: "impressions",
    answers: { day: "none", impressions: "Impressions Delivered", figures: "totals" },
  },
  {
    file: "acast-campaign.csv",
    lines: one("Autumn pre-roll", 3_900),
    basis: "impressions",
    answers: { day: "Date", impressions: "Delivered impressions", figures: "daily" },
    correction: ["1200", "1700", 500],
  },
  {
    file: "buzzsprout-episodes.csv",
    lines: { ...one("Autumn special", 412), ...one("Walking at night", 131) },
    basis: "downloads",
    answers: { day: "none", downloads: "All Time Downloads", figures: "totals" },
  },
  {
    file: "podigee-episoden.csv",
    lines: { ...one("Herbstfolge", 41_300), ...one("Nachtspaziergang", 12_050) },
    basis: "downloads",
    answers: { day: "none", downloads: "Downloads gesamt", figures: "totals" },
  },
  {
    file: "beehiiv-posts.csv",
    lines: { ...one("Autumn letter", 2_900), ...one("Second letter", 2_500) },
    basis: "impressions",
    answers: { day: "none", impressions: "Total Opens", figures: "totals" },
  },
  {
    file: "revive-campaign.csv",
    lines: one("Autumn banner", 2_730),
    basis: "impressions",
    answers: { day: "Day", impressions: "Impressions", figures: "daily" },
    correction: ["820", "920", 100],
  },
  {
    file: "adition-kampagne.csv",
    lines: one("Vorspann", 3_951, "77120"),
    basis: "impressions",
    answers: { day: "Datum", impressions: "AdImpressions", figures: "daily" },
    correction: ["1.940", "2.940", 1_000],
  },
  {
    file: "libsyn-episodes.csv",
    lines: { ...one("Autumn special", 412), ...one("Walking at night", 131) },
    basis: "downloads",
    answers: { day: "none", downloads: "Total Downloads", figures: "totals" },
  },
  {
    file: "mailchimp-campaigns.csv",
    lines: one("Autumn mailing", 1_900),
    basis: "impressions",
    answers: { day: "none", impressions: "Total Opens", figures: "totals" },
  },
  {
    file: "kevel-flights.csv",
    lines: one("Leaderboard", 11_000, "900100"),
    basis: "impressions",
    answers: { day: "Date", impressions: "Impressions", figures: "daily" },
    correction: ["5400", "6400", 1_000],
  },
  {
    file: "spotify-episodes.csv",
    lines: { ...one("Autumn special", 512), ...one("Walking at night", 140) },
    basis: "downloads",
    answers: { day: "none", downloads: "plays", figures: "totals" },
  },
]

/** 41.300 downloads can be 41300 or 41.3, so the page asks. */
const HOW_TO_READ: Readonly<Record<string, ReadingAnswers>> = { "podigee-episoden.csv": { decimalMark: "," } }

// Choosing the file, Upload, Show the preview, Report.
const CLICKS_AROUND = 4
const CLICKS_LATER = 3
const NOTHING_CORRECTED = ["", "", 0] as const

describe("an export needs seven clicks the first time, and three later", () => {
  test.each(SHAPES)("$file", async ({ file, lines, basis, answers, correction = NOTHING_CORRECTED }) => {
    await using site = await startUploads()
    for (const [name, { externalId = "" }] of Object.entries(lines))
      await site.line({ name, externalId, pricingBasis: basis })
    const content = new Uint8Array(readFileSync(`test/fixtures/shapes/${file}`))
    const expected = Object.fromEntries(Object.entries(lines).map(([name, { total }]) => [name, total]))

    let page = await answer(await site.upload(content, file), answers)
    expect(Object.keys(answers).length + CLICKS_AROUND).toBe(7)
    const howToRead = HOW_TO_READ[file]
    if (howToRead !== undefined) {
      expect(page.status).toBe(422)
      page = await answer(page, howToRead)
    }
    expect(page.text).toContain("Will update")
    await report(page)
    expect(await site.totals()).toEqual(expected)

    // The next export of the same kind needs no answer, in the app and from a program.
    expect(CLICKS_LATER).toBe(3)
    const [figure, corrected, more] = correction
    const next = Buffer.from(content).toString().replace(figure, corrected)
    const again = await site.upload(next, "later.csv")
    expect(again.text).toContain("Read as on 15 Nov 2026")
    const sums = Object.fromEntries(Object.entries(expected).map(([name, total]) => [name, total + more]))
    const body = Buffer.from(next)
    const headers = { Authorization: `Bearer ${await site.key()}`, "Content-Type": "text/csv" }
    const sent = await site.app.fetch("/api/ingest/files?dry_run=true", { method: "POST", headers, body })
    expect(await sent.json()).toMatchObject({ complete: true, rejected: 0 })
    await report(again)
    expect(await site.totals()).toEqual(sums)
  })
})
