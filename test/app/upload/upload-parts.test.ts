import { expect, test } from "bun:test"
import { answer, type ReadingAnswers, report, startUploads } from "../../harness/data/uploads.ts"

// Daily figures whose rows share a line and a day. Parts of a day are added up. Days that the file has twice, and sums, must never
// make a total too high. The truth was written down before anything read the files.

const AS_DAILY = { line: "Line", day: "Date", impressions: "Impressions", figures: "daily" }
const rows = (...lines: readonly string[]) => `${lines.join("\n")}\n`
const days = (count: number, row: (day: string, index: number) => string) =>
  Array.from({ length: count }, (_, index) => row(`2026-11-${String(index + 1).padStart(2, "0")}`, index)).join("\n")

interface DailyFile {
  readonly text: string
  readonly total: number
  readonly answers?: ReadingAnswers
}

const PARTS: Readonly<Record<string, DailyFile>> = {
  "devices, also with the same figure": {
    text: rows("Line,Date,Device,Impressions", "Alpha,2026-11-01,Phone,100", "Alpha,2026-11-01,TV,100"),
    total: 200,
  },
  "ads with a number in their name": {
    text: rows("Line,Date,Ad,Impressions", "Alpha,2026-11-01,Ad 1,100", "Alpha,2026-11-01,Ad 2,200"),
    total: 300,
  },
  "sizes of one day": {
    text: rows("Line,Date,Size,Impressions", "Alpha,2026-11-01,300x250,100", "Alpha,2026-11-01,728x90,200"),
    total: 300,
  },
  "hours of several days, with clicks": {
    text: rows(
      "Line,Date,Hour,Impressions,Clicks",
      days(3, (day, i) => `Alpha,${day},0,10,${i}\nAlpha,${day},1,10,${i}`),
    ),
    total: 60,
  },
  "ads by their IDs on several days": {
    text: rows(
      "Line,Date,Ad ID,Impressions",
      days(3, (day) => `Alpha,${day},7001,10\nAlpha,${day},7002,20`),
    ),
    total: 90,
  },
  "several mailings of a day": {
    text: rows(
      "Line,Subject,Date,Impressions",
      'Alpha,Hello,"Nov 01, 2026 08:00 am",5',
      'Alpha,Hello,"Nov 01, 2026 05:00 pm",5',
    ),
    total: 10,
  },
  "devices of which one happens to be the sum of the others on one of three days": {
    text: rows(
      "Line,Date,Device,Impressions",
      "Alpha,2026-11-01,Phone,100\nAlpha,2026-11-01,TV,200\nAlpha,2026-11-01,Web,300",
      "Alpha,2026-11-02,Phone,100\nAlpha,2026-11-02,TV,200\nAlpha,2026-11-02,Web,310",
      "Alpha,2026-11-03,Phone,100\nAlpha,2026-11-03,TV,200\nAlpha,2026-11-03,Web,320",
    ),
    total: 1830,
  },
}

const NAMES_LIKE_SUMS: Readonly<Record<string, DailyFile>> = {
  "an ad with a name that begins like a sum": {
    text: rows(
      "Line,Date,Ad,Sponsor,Impressions",
      "Alpha,2026-11-01,All You Need,Total Wine,100\nAlpha,2026-11-01,Sun,Total Wine,20",
      "Alpha,2026-11-02,All You Need,Total Wine,30\nAlpha,2026-11-02,Sun,Overall Media,40",
    ),
    total: 190,
  },
}

const SUMS: Readonly<Record<string, DailyFile>> = {
  "a row for all devices": {
    text: rows(
      "Line,Date,Device,Impressions",
      days(2, (day) => `Alpha,${day},Phone,10\nAlpha,${day},TV,20\nAlpha,${day},All devices,30`),
    ),
    total: 60,
  },
  "a row that says total beside one device": {
    text: rows("Line,Date,Device,Impressions", "Alpha,2026-11-01,Phone,10", "Alpha,2026-11-01,Total,10"),
    total: 10,
  },
  "subtotals of two levels": {
    text: rows(
      "Line,Date,Device,System,Impressions",
      "Alpha,2026-11-01,Phone,iOS,10\nAlpha,2026-11-01,Phone,Android,20\nAlpha,2026-11-01,Phone,Gesamt,30",
      "Alpha,2026-11-01,TV,tvOS,5\nAlpha,2026-11-01,TV,Gesamt,5\nAlpha,2026-11-01,Gesamt,Gesamt,35",
    ),
    total: 35,
  },
  "a row with an unknown word that is the sum on every day": {
    text: rows(
      "Line,Date,Device,Impressions",
      days(3, (day) => `Alpha,${day},Phone,10\nAlpha,${day},TV,20\nAlpha,${day},Alles zusammen,30`),
    ),
    total: 90,
  },
}

test.each(Object.entries({ ...PARTS, ...NAMES_LIKE_SUMS, ...SUMS }))(
  "are added up without a question, but not their sums: %s",
  async (name, { text, total, answers = {} }) => {
    await using site = await startUploads()
    await site.line({ name: "Alpha", booked: "" })
    const preview = await answer(await site.upload(text), { ...AS_DAILY, ...answers })
    expect(preview.text).toContain("Ask you first 0 lines")
    expect(/\d+ sums?/.test(preview.text)).toBe(name in SUMS)
    await report(preview)
    expect(await site.totals()).toEqual({ Alpha: total })
  },
)

test("are added up if two names were matched to one line by hand", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", booked: "" })
  const text = rows("Line,Date,Impressions", "Autumn 20s,2026-11-01,100", "Autumn 30s,2026-11-01,50")
  const preview = await answer(await site.upload(text), { ...AS_DAILY, line: "Line" })
  const matched = await preview.form(`${preview.path}/names`).send({ "line.0": packageId, "line.1": packageId })
  await report(matched)
  expect(await site.totals()).toEqual({ Alpha: 150 })
})

test("of affiliate codes may be dashes on a day without any", async () => {
  await using site = await startUploads()
  const packageId = await site.line()
  await report(await site.upload(`packageId,code\n${packageId},A\n`))
  const preview = await site.upload("code,date,clicks,conversionValue\nA,2026-11-02,5,1.50\nA,2026-11-03,–,-\n")
  expect(preview.text).toContain("2 days: 5 clicks, value 1.5")
  expect(preview.text).toContain("Rejected 0 rows")
})

test("of affiliate codes are checked in the same way", async () => {
  await using site = await startUploads()
  const packageId = await site.line()
  await report(await site.upload(`packageId,code\n${packageId},A\n${packageId},B\n`))
  const text = rows(
    "code,date,publisher,clicks,conversionValue",
    "A,2026-11-02,Blog,10,1.50\nA,2026-11-02,Shop,20,2.50\nA,2026-11-02,Total,30,4.00",
    "B,2026-11-02,Blog,10,1.50\nB,2026-11-02,Blog,10,1.50",
  )
  const preview = await site.upload(text)
  expect(preview.text).toContain("1 day: 30 clicks, value 4")
  expect(preview.text).toContain("Rows 5 and 6 are the same.")
  expect((await report(preview)).text).toContain("1 day reported, 1 code left out.")
})
