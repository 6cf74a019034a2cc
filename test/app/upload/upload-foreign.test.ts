import { expect, test } from "bun:test"
import { report as reportItems } from "../../harness/data/given.ts"
import { answer, type ReadingAnswers, report, startUploads } from "../../harness/data/uploads.ts"

// Files as other systems write them. The truth was written down before anything read them. Null is a line that must not be
// reported, because its total isn't certain.

interface Foreign {
  /** The totals that are right, by line. */
  readonly truth: Readonly<Record<string, number | null>>
  readonly text: string | Uint8Array
  readonly answers: ReadingAnswers
  /** The row of the headings, if another row is as wide. */
  readonly headings?: number
  /** What is asked next, if the file doesn't show it. */
  readonly next?: ReadingAnswers
  readonly downloads?: readonly string[]
  readonly ids?: Readonly<Record<string, string>>
  /** A total that was known before, at the end of a day. */
  readonly known?: { readonly line: string; readonly total: number; readonly day: string }
}

const DAILY = { line: "Line", day: "Date", impressions: "Impressions", figures: "daily" }
const rows = (...lines: readonly string[]) => `${lines.join("\n")}\n`

const FILES: Readonly<Record<string, Foreign>> = {
  "a preface, a footer and a row of sums": {
    truth: { Alpha: 300, Beta: 70 },
    text: rows(
      "Delivery report",
      "Account;Lighthouse;EUR",
      "",
      "Line;Date;Impressions",
      "Alpha;01.11.2026;100",
      "Alpha;02.11.2026;200",
      "Beta;02.11.2026;70",
      "Summe;;370",
      "Erstellt am 03.11.2026",
    ),
    headings: 4,
    answers: DAILY,
  },
  "one row per device": {
    truth: { Alpha: 660, Beta: 5 },
    text: rows(
      "Date,Line,Device,Impressions",
      "2026-11-01,Alpha,Phone,100",
      "2026-11-01,Alpha,TV,200",
      "2026-11-02,Alpha,Phone,300",
      "2026-11-02,Alpha,TV,60",
      "2026-11-02,Beta,TV,5",
    ),
    answers: DAILY,
    next: { parts: "Device" },
  },
  "one row per hour, in the seller's time": {
    truth: { Alpha: 66 },
    text: rows(
      "Line,Date,Impressions",
      "Alpha,2026-11-01 00:00,11",
      "Alpha,2026-11-01 23:00,22",
      "Alpha,2026-11-02 00:00,33",
    ),
    answers: DAILY,
  },
  "one row per mailing, with the day it was sent": {
    truth: { Alpha: 3_400, Beta: 900 },
    text: rows(
      "Line,Subject,Send Date,Total Opens",
      'Alpha,Autumn offers,"Nov 01, 2026 08:00 am",1900',
      'Alpha,Last days,"Nov 09, 2026 08:00 am",1500',
      'Beta,Hello,"Nov 09, 2026 08:00 am",900',
    ),
    answers: { line: "Line", day: "Send Date", impressions: "Total Opens", figures: "daily" },
  },
  "devices that happen to have the same figure": {
    truth: { Alpha: null, Beta: 7 },
    text: rows("Line,Device,Impressions", "Alpha,Phone,100", "Alpha,TV,100", "Beta,TV,7", "Beta,TV,7"),
    answers: { line: "Line", day: "none", impressions: "Impressions", figures: "totals" },
  },
  "a snapshot of every evening": {
    truth: { Alpha: 350 },
    text: rows("Line,Date,Impressions", "Alpha,2026-11-03,350", "Alpha,2026-11-01,100", "Alpha,2026-11-02,220"),
    answers: { ...DAILY, figures: "totals" },
  },
  "American dates that don't show it": {
    truth: { Alpha: 12 },
    text: rows("Line,Date,Impressions", "Alpha,11/01/2026,5", "Alpha,11/02/2026,7"),
    answers: DAILY,
    next: { dayOrder: "month_first" },
  },
  "American dates that show it": {
    truth: { Alpha: 12, Beta: 9 },
    text: rows("Line,Date,Impressions", "Alpha,11/1/26,5", "Alpha,11/2/26,7", "Beta,11/1/26,4", "Beta,11/14/26,5"),
    answers: DAILY,
  },
  "German numbers and fractions of downloads": {
    truth: { Alpha: 12_346 },
    text: rows("Line;Downloads", "Alpha;12.346,0", "Elsewhere;1,5"),
    answers: { line: "Line", day: "none", downloads: "Downloads", figures: "totals" },
    downloads: ["Alpha"],
  },
  "downloads that could be thousands": {
    truth: { Alpha: 41.3 },
    text: rows("Line;Downloads", "Alpha;41.300"),
    answers: { line: "Line", day: "none", downloads: "Downloads", figures: "totals" },
    next: { decimalMark: "." },
    downloads: ["Alpha"],
  },
  "floats with three zeros": {
    truth: { Alpha: 123, Beta: 9 },
    text: rows("Line,Impressions", "Alpha,123.000", "Beta,9.000"),
    answers: { line: "Line", day: "none", impressions: "Impressions", figures: "totals" },
    next: { decimalMark: "." },
  },
  "spaces and apostrophes between thousands": {
    truth: { Alpha: 12_345, Beta: 67_890 },
    text: rows("Line\tImpressions", "Alpha\t12\u202f345", "Beta\t67’890"),
    answers: { line: "Line", day: "none", impressions: "Impressions", figures: "totals" },
  },
  "merged cells": {
    truth: { Alpha: null, Beta: null },
    text: rows("Line,Date,Impressions", "Alpha,2026-11-01,100", ",2026-11-02,200", "Beta,2026-11-01,5"),
    answers: DAILY,
  },
  "subtotals of each line": {
    truth: { Alpha: 300 },
    text: rows(
      "Line,Date,Impressions",
      "Alpha,2026-11-01,100",
      "Alpha,2026-11-02,200",
      "Alpha Total,,300",
      "Grand total,,300",
    ),
    answers: DAILY,
  },
  "a subtotal in the column of the day": {
    truth: { Alpha: null },
    text: rows("Line,Date,Impressions", "Alpha,2026-11-01,100", "Alpha,2026-11-02,200", "Alpha,Total,300"),
    answers: DAILY,
  },
  "a column for each day": {
    truth: { Alpha: null },
    text: rows("Line,2026-11-01,2026-11-02", "Alpha,100,200"),
    answers: { line: "Line", day: "none", impressions: "2026-11-01", figures: "daily" },
  },
  "a dash in one row": {
    truth: { Alpha: 100, Beta: 70 },
    text: rows("Line,Date,Impressions", "Alpha,2026-11-01,100", "Alpha,2026-11-02,–", "Beta,2026-11-02,70"),
    answers: DAILY,
  },
  "dashes beside totals": {
    truth: { Alpha: 100, Beta: null, Show: 7.5 },
    text: rows("Line,Impressions,Downloads", "Alpha,100,-", "Beta,—,-", "Show,-,7.5"),
    answers: { line: "Line", day: "none", impressions: "Impressions", downloads: "Downloads", figures: "totals" },
    downloads: ["Show"],
  },
  "days with the names of their months, hours in UTC, and a sum in Swedish": {
    truth: { Alpha: 1_127 },
    text: rows(
      "Line;Date;Impressions",
      "Alpha;1-Nov-26;1 000",
      "Alpha;2-Nov-2026;100",
      "Alpha;3 de nov. de 2026;20",
      "Alpha;2026-11-04 22:00:00 UTC;3",
      "Alpha;2026-11-04 23:30:00.0;4",
      "Summa;;1 127",
    ),
    answers: DAILY,
  },
  "a forecast at the end": {
    truth: { Alpha: 300 },
    text: rows(
      "Line,Date,Impressions",
      "Alpha,2026-11-01,100",
      "Alpha,2026-11-02,200",
      "Alpha,2026-11-29,400",
      "Alpha,2026-11-30,500",
    ),
    answers: DAILY,
  },
  "days before the flight": {
    truth: { Alpha: 300 },
    text: rows("Line,Date,Impressions", "Alpha,2026-10-31,50", "Alpha,2026-11-01,100", "Alpha,2026-11-02,200"),
    answers: DAILY,
  },
  "a week in the middle of a flight, after a total of the day before": {
    truth: { Alpha: 1_300 },
    text: rows("Line,Date,Impressions", "Alpha,2026-11-09,100", "Alpha,2026-11-10,200"),
    answers: DAILY,
    known: { line: "Alpha", total: 1_000, day: "2026-11-08" },
  },
  "a week in the middle of a flight, after nobody knows what": {
    truth: { Alpha: null },
    text: rows("Line,Date,Impressions", "Alpha,2026-11-09,100", "Alpha,2026-11-10,200"),
    answers: DAILY,
  },
  "both units, booked beside delivered, and IDs": {
    truth: { Alpha: 212_400, Show: 98_000.5 },
    text: rows(
      'Campaign,"Ref, theirs",Booked,Impressions,Downloads',
      "Autumn,a-1,500000,212400,3",
      "Autumn,a-2,250000,7,98000.5",
    ),
    answers: {
      line: "Ref, theirs",
      day: "none",
      impressions: "Impressions",
      downloads: "Downloads",
      figures: "totals",
    },
    downloads: ["Show"],
    ids: { Alpha: "a-1", Show: "a-2" },
  },
  "names with line breaks, quotation marks and other letters, in Windows-1252 and with separators at each end": {
    truth: { "Größe “L”": 5, Zwei: 6 },
    text: Buffer.from(
      'Line;Impressions;;\r\n"Größe \u0093L\u0094";5;;\r\n"ZWEI ";6;;\r\n\r\n;;;\r\n"Drei\r\nVier";7;;\r\n',
      "latin1",
    ),
    answers: { line: "Line", day: "none", impressions: "Impressions", figures: "totals" },
  },
  "numbers with commas that aren't quoted": {
    truth: { Alpha: null },
    text: rows("Line,Impressions,Clicks,Rate,Sum", "Alpha,1,940,12,0.6,1,952"),
    headings: 1,
    answers: { line: "Line", day: "none", impressions: "Impressions", figures: "totals" },
  },
}

test.each(Object.entries(FILES))("%s", async (_, file) => {
  const { truth, text, answers, headings, next, downloads = [], ids = {}, known } = file
  await using site = await startUploads()
  const packageIds = new Map<string, string>()
  for (const name of Object.keys(truth)) {
    const pricingBasis = downloads.includes(name) ? "downloads" : "impressions"
    packageIds.set(name, await site.line({ name, pricingBasis, externalId: ids[name] ?? "", booked: "" }))
  }
  if (known !== undefined) {
    const item = { package_id: packageIds.get(known.line), impressions: known.total, as_of: known.day }
    await reportItems(site.app, site.seller, [item])
  }
  const uploaded = await site.upload(text)
  const open = headings === undefined ? uploaded : await site.browse(`${uploaded.path}?headings=${headings}`)
  let page = await answer(open, answers)
  if (next !== undefined) {
    // With two readings, nothing happens before one is chosen.
    expect([page.status, page.html.includes(`href="#${Object.keys(next)[0]}"`)]).toEqual([422, true])
    page = await answer(page, next)
  }
  const canReport = page.html.includes(`action="${page.path}"`) && !page.path.endsWith("/reading")
  if (canReport) await report(page)
  expect(await site.totals()).toEqual(truth)
})
