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

interface DoubtfulFile {
  readonly text: string
  readonly question: string
  /** The total after a tick. */
  readonly total: number
}

const DOUBTFUL: Readonly<Record<string, DoubtfulFile>> = {
  "a repeated row": {
    text: rows("Line,Date,Impressions", "Alpha,2026-11-01,100", "Alpha,2026-11-02,200", "Alpha,2026-11-01,100"),
    question: "Rows 2 and 4 are the same.",
    total: 400,
  },
  "a repeated row of a device": {
    text: rows(
      "Line,Date,Device,Impressions",
      "Alpha,2026-11-01,TV,100",
      "Alpha,2026-11-01,Web,50",
      "Alpha,2026-11-01,TV,100",
    ),
    question: "Rows 2 and 4 are the same.",
    total: 250,
  },
  "two exports of which the second corrects a day": {
    text: rows(
      "Line,Date,Impressions,Clicks,CTR",
      "Alpha,2026-11-01,100,3,3%",
      "Alpha,2026-11-02,90,2,2.2%",
      "Alpha,2026-11-02,210,8,n/a",
    ),
    question: "Rows 3 and 4 have the same line and day, and only numbers or days tell them apart.",
    total: 400,
  },
  "two exports with the days on which they were made": {
    text: rows(
      "Line,Date,Impressions,Exported",
      days(4, (day) => `Alpha,${day},100,"Nov 5, 2026"`),
      days(6, (day) => `Alpha,${day},100,"Nov 7, 2026"`),
    ),
    question: "Rows 2 and 6 have the same line and day, and only numbers or days tell them apart.",
    total: 1_000,
  },
  "two exports with the names of their files": {
    text: rows(
      "Source,Line,Date,Impressions",
      days(4, (day, i) => `first.csv,Alpha,${day},${100 + i}`),
      days(6, (day, i) => `second.csv,Alpha,${day},${100 + i}`),
    ),
    question: "On most days that have several rows, each figure appears twice, as in rows 2 and 6.",
    total: 1_021,
  },
  "a line by its ID and by its name": {
    text: rows("Line,Date,Impressions", "Alpha,2026-11-01,100", "a-1,2026-11-01,100", "ALPHA,2026-11-02,70"),
    question: "Rows 2 and 3 have the same line and day, and only numbers or days tell them apart.",
    total: 270,
  },
  "a sum of one day that doesn't say so": {
    text: rows(
      "Line,Date,Device,Impressions",
      "Alpha,2026-11-01,Phone,100",
      "Alpha,2026-11-01,TV,200",
      "Alpha,2026-11-01,Both,300",
    ),
    question: "Row 4 equals the sum of the other rows of its day, so it isn’t added.",
    total: 300,
  },
  "a sum of all days with the day of the export": {
    text: rows("Line,Date,Impressions", "Alpha,2026-11-01,100", "Alpha,2026-11-02,230", "Alpha,2026-11-09,330"),
    question:
      "Row 4 equals the sum of the line’s other rows, and it’s added to them. If it’s their sum, the total is too high.",
    total: 660,
  },
  "a sum of the only day, which is the same figure on another day": {
    text: rows("Line,Date,Impressions", "Alpha,2026-11-01,100", "Alpha,2026-11-09,100"),
    question: "Row 3 equals the sum of the line’s other rows, and it’s added to them.",
    total: 200,
  },
  "a sum of all days above them": {
    text: rows(
      "Line,Date,Device,Impressions",
      "Alpha,2026-11-09,,350",
      "Alpha,2026-11-01,TV,100",
      "Alpha,2026-11-02,TV,230",
      "Alpha,2026-11-02,Web,20",
    ),
    question: "Row 2 equals the sum of the line’s other rows, and it’s added to them.",
    total: 700,
  },
  "a row for all devices that isn't their sum": {
    text: rows(
      "Line,Date,Device,Impressions",
      "Alpha,2026-11-01,Phone,100",
      "Alpha,2026-11-01,TV,200",
      "Alpha,2026-11-01,All,310",
    ),
    question: "Row 4 looks like a sum of its day, but the other rows have 300. It’s added to them.",
    total: 610,
  },
}

test.each(Object.entries(DOUBTFUL))("are never doubled silently: %s", async (_, { text, question, total }) => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", externalId: "a-1", booked: "" })
  const preview = await answer(await site.upload(text), AS_DAILY)
  expect(preview.text).toContain(question)
  expect((await report(preview)).text).toContain("1 line left out")
  expect(await site.totals()).toEqual({ Alpha: null })

  const headers = { Authorization: `Bearer ${await site.key()}`, "Content-Type": "text/csv" }
  const address = "/api/ingest/files?figures=daily&allow_lower=true"
  const sent = await site.app.fetch(address, { method: "POST", headers, body: text })
  expect(await sent.json()).toMatchObject({ complete: false, accepted: 0, left_out: 1 })
  expect(await site.totals()).toEqual({ Alpha: null })

  const again = await site.upload(text)
  const reading = await site.browse(`${again.path.replace("/reading", "")}/reading`)
  await report(await answer(reading, AS_DAILY), [packageId])
  expect(await site.totals()).toEqual({ Alpha: total })
})

test("in the middle of a file that aren't counted are asked about: their day and month may be swapped", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", booked: "" })
  const text = rows("Line,Date,Impressions", "Alpha,2026-11-01,100", "Alpha,2026-12-11,50", "Alpha,2026-11-03,30")
  const preview = await answer(await site.upload(text), AS_DAILY)
  expect(preview.text).toContain(
    "Row 3 isn’t counted because 11 Dec 2026 is in the future, but it’s between other days.",
  )
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: null })
  await report(await site.upload(text), [packageId])
  expect(await site.totals()).toEqual({ Alpha: 130 })
})

test("that are missing in a file are asked about, if they were known", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", booked: "" })
  await site.line({ name: "Beta", booked: "" })
  const first = rows("Line,Date,Impressions", "Alpha,2026-11-01,100", "Alpha,2026-11-02,12", "Beta,2026-11-01,7")
  await report(await answer(await site.upload(first), AS_DAILY))
  // The second of November is in the file, but without Alpha.
  const next = rows("Line,Date,Impressions", "Beta,2026-11-02,5", "Alpha,2026-11-03,50", "Alpha,2026-11-04,20")
  const preview = await site.upload(next)
  expect(preview.text).toContain(
    "The file has no row for 2 Nov 2026 and adds up to 100 until then, but Alpha already had 112.",
  )
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: 112, Beta: 12 })
  await report(await site.upload(next), [packageId])
  expect(await site.totals()).toEqual({ Alpha: 170, Beta: 12 })
  // From then on nothing is missing.
  const later = rows("Line,Date,Impressions", "Alpha,2026-11-04,21", "Alpha,2026-11-05,1")
  await report(await site.upload(later))
  expect(await site.totals()).toEqual({ Alpha: 172, Beta: 12 })
})

test("of hours don't replace the hours of an earlier file silently", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  const hours = (day: string, from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `Alpha,${day}T${String(from + i).padStart(2, "0")}:00:00Z,10`)
  // The last hour of 9 November in UTC is the first of 10 November in Berlin.
  const first = rows("Line,Date,Impressions", ...hours("2026-11-09", 0, 24))
  const second = rows("Line,Date,Impressions", ...hours("2026-11-10", 0, 24))
  const preview = await answer(await site.upload(first), AS_DAILY)
  await report(
    preview,
    [...preview.html.matchAll(/name="confirm\.([^"]+)"/g)].map(([, name = ""]) => name),
  )
  const before = await site.totals()
  expect(before).toEqual({ Alpha: 240 })
  const next = await site.upload(second)
  expect(next.text).toContain("The file begins at 01:00 on 10 Nov 2026 and replaces what was reported for this day.")
  await report(next)
  expect(await site.totals()).toEqual(before)
})

test("of thousands are asked about, if their heading says so", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  const reading = { line: "Line", day: "none", impressions: "Impressions (000)", figures: "totals" }
  const preview = await answer(await site.upload(rows("Line,Impressions (000)", "Alpha,12")), reading)
  expect(preview.text).toContain("The column is called “Impressions (000)”. If the column counts thousands")
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: null })
})

test("with a part of an impression are asked about, also in the rows that are whole", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  await site.line({ name: "Beta", booked: "" })
  const text = rows("Line;Impressions in k", "Alpha;112,5", "Beta;130")
  const reading = { line: "Line", day: "none", impressions: "Impressions in k", figures: "totals" }
  const preview = await answer(await site.upload(text), reading)
  expect(preview.text).toContain("Row 2 has a part of an impression. If the column counts thousands")
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: null, Beta: null })
})

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
