import { expect, test } from "bun:test"
import { answer, report, startUploads } from "../../harness/data/uploads.ts"

// Files whose total may be wrong: a sum among its parts, a missing or swapped day, thousands. Each is asked about, and a
// program leaves the line out. The truth was written down before anything read the files.

const AS_DAILY = { line: "Line", day: "Date", impressions: "Impressions", figures: "daily" }
const rows = (...lines: readonly string[]) => `${lines.join("\n")}\n`
const days = (count: number, row: (day: string, index: number) => string) =>
  Array.from({ length: count }, (_, index) => row(`2026-11-${String(index + 1).padStart(2, "0")}`, index)).join("\n")

const TOO_HIGH = "It’s added to them. If it’s their sum, the total is too high."

interface DoubtfulFile {
  readonly text: string
  readonly question: string
  /** The total after a tick. */
  readonly total: number
}

/** A day of Alpha on three devices. */
const devices = (last: string, figure: number) =>
  rows(
    "Line,Date,Device,Impressions",
    `Alpha,2026-11-01,Phone,100\nAlpha,2026-11-01,TV,200\nAlpha,2026-11-01,${last},${figure}`,
  )

const DOUBTFUL: Readonly<Record<string, DoubtfulFile>> = {
  "a sum of one day that doesn't say so": {
    text: devices("Both", 300),
    question: `Row 4 equals the sum of the other rows of its day. ${TOO_HIGH}`,
    total: 600,
  },
  "a sum of all days with the day of the export": {
    text: rows("Line,Date,Impressions", "Alpha,2026-11-01,100", "Alpha,2026-11-02,230", "Alpha,2026-11-09,330"),
    question: `Row 4 equals the sum of all other rows of its line. ${TOO_HIGH}`,
    total: 660,
  },
  "a sum of the only day, which is the same figure on another day": {
    text: rows("Line,Date,Impressions", "Alpha,2026-11-01,100", "Alpha,2026-11-09,100"),
    question: `Row 3 equals the sum of all other rows of its line. ${TOO_HIGH}`,
    total: 200,
  },
  "a sum of all days above them": {
    text: rows(
      "Line,Date,Device,Impressions",
      "Alpha,2026-11-09,,350\nAlpha,2026-11-01,TV,100\nAlpha,2026-11-02,TV,250",
    ),
    question: `Row 2 equals the sum of all other rows of its line. ${TOO_HIGH}`,
    total: 700,
  },
  ...Object.fromEntries(
    ["All", "Combined", "Podcast total", "All platforms"].map((label) => [
      `a row “${label}” that isn't the sum`,
      {
        text: devices(label, 318),
        question: `Row 4 looks like a sum of its day, but the other rows have 300. ${TOO_HIGH}`,
        total: 618,
      },
    ]),
  ),
}

test.each(Object.entries(DOUBTFUL))("are never doubled silently: %s", async (_, { text, question, total }) => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", externalId: "a-1", booked: "" })
  const answers = { ...AS_DAILY, ...(text.includes("TV,200") && { parts: "Device" }) }
  const preview = await answer(await site.upload(text), answers)
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
  await report(await answer(reading, answers), [packageId])
  expect(await site.totals()).toEqual({ Alpha: total })
})

test("an ID of another line is asked about, if the name was chosen", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", externalId: "5001", booked: "" })
  await site.line({ name: "Beta", externalId: "5002", booked: "" })
  const answers = { line: "Line", day: "none", impressions: "Impressions", figures: "totals" }
  const text = rows("Line,Line ID,Impressions", "Alpha,5002,100", "Beta,5001,7")
  const preview = await answer(await site.upload(text), answers)
  expect(preview.text).toContain("Row 2 has an ID of Beta, but it’s read as Alpha.")
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: null, Beta: null })
})

test("days in the middle of a file that aren't counted are asked about: their day and month may be swapped", async () => {
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

test("days that are missing in a file are asked about, if they were known", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", booked: "" })
  await site.line({ name: "Beta", booked: "" })
  const first = rows("Line,Date,Impressions", "Alpha,2026-11-01,100", "Alpha,2026-11-02,12", "Beta,2026-11-01,7")
  await report(await answer(await site.upload(first), AS_DAILY))
  // The second of November is in the file, but without Alpha.
  const next = rows("Line,Date,Impressions", "Beta,2026-11-02,5", "Alpha,2026-11-03,50", "Alpha,2026-11-04,20")
  const preview = await site.upload(next)
  expect(preview.text).toContain("The total up to 2 Nov 2026 would go down from 112 to 100.")
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: 112, Beta: 12 })
  await report(await site.upload(next), [packageId])
  expect(await site.totals()).toEqual({ Alpha: 170, Beta: 12 })
  // From then on nothing is missing.
  const later = rows("Line,Date,Impressions", "Alpha,2026-11-04,21", "Alpha,2026-11-05,1")
  await report(await site.upload(later))
  expect(await site.totals()).toEqual({ Alpha: 172, Beta: 12 })
})

test("another show doesn't replace the first one silently", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  const show = (name: string, figures: readonly number[]) =>
    rows(
      "Line,Date,Show,Impressions",
      days(3, (day, i) => `Alpha,${day},${name},${figures[i]}`),
    )
  await report(await answer(await site.upload(show("One", [100, 101, 102])), AS_DAILY))
  // Much more, and about as much.
  for (const figures of [
    [200, 201, 202],
    [103, 99, 104],
  ]) {
    const preview = await site.upload(show("Two", figures))
    expect(preview.text).toContain(
      "The file changes each day that was known before. If it has another part of these days,",
    )
    await report(preview)
    expect(await site.totals()).toEqual({ Alpha: 303 })
  }
  // Invalid traffic is taken away from each day.
  expect((await site.upload(show("One", [99, 100, 101]))).text).not.toContain("changes each day")
})

test("days without a device that all other days have are asked about: the file was cut within the day", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", booked: "" })
  const file = (...lines: readonly string[]) =>
    rows("Line,Date,Device,Impressions", ...lines.map((line) => `Alpha,2026-11-${line}`))
  const first = file("01,TV,310", "01,Web,207", "02,TV,101")
  const preview = await answer(await site.upload(first), { ...AS_DAILY, parts: "Device" })
  const question = "The file doesn’t have all rows of 2 Nov 2026. If some are missing, the total is too low."
  expect(preview.text).toContain(question)
  await report(preview, [packageId])
  expect(await site.totals()).toEqual({ Alpha: 618 })
  const second = await site.upload(file("02,Web,253", "03,TV,120", "03,Web,98"))
  expect(second.text).toContain(question)
  await report(second)
  expect(await site.totals()).toEqual({ Alpha: 618 })
  // Few are on tablets, so a day may have none. Today isn't over yet.
  const whole = file("01,TV,310", "01,Tablet,9", "01,Web,207", "02,TV,305", "02,Web,201", "15,TV,4", "15,Tablet,1")
  expect((await site.upload(whole)).text).toContain("Ask you first 0 lines")
  // On a day with little delivery nothing is missing.
  const quiet = file("01,TV,310", "01,Web,207", "02,TV,20", "03,TV,290", "03,Web,190")
  expect((await site.upload(quiet)).text).not.toContain("doesn’t have all rows")
})

test("days that a daily file has again with late figures are corrected without a question", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  const week = (last: number, late: number) => days(last, (day, i) => `Alpha,${day},${i < 2 ? 100 + late : 100}`)
  await report(await answer(await site.upload(rows("Line,Date,Impressions", week(5, 0))), AS_DAILY))
  await report(await site.upload(rows("Line,Date,Impressions", week(6, 9))))
  expect(await site.totals()).toEqual({ Alpha: 618 })
})

test("hours don't replace the hours of an earlier file silently", async () => {
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
  expect(next.text).toContain(
    "The file doesn’t have all hours of 10 Nov 2026. If some are missing, the total is too low.",
  )
  await report(next)
  expect(await site.totals()).toEqual(before)
})

test("thousands are asked about, if their heading says so", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  const reading = { line: "Line", day: "none", impressions: "Impressions (000)", figures: "totals" }
  const preview = await answer(await site.upload(rows("Line,Impressions (000)", "Alpha,12")), reading)
  expect(preview.text).toContain("The column is called “Impressions (000)”. If it counts thousands or millions")
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: null })
})

test("figures with a part of an impression are asked about, also in the rows that are whole", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  await site.line({ name: "Beta", booked: "" })
  const text = rows("Line;Impressions in k", "Alpha;112,5", "Beta;130")
  const reading = { line: "Line", day: "none", impressions: "Impressions in k", figures: "totals" }
  const preview = await answer(await site.upload(text), reading)
  expect(preview.text).toContain("Row 2 has a part of an impression. If it counts thousands or millions")
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: null, Beta: null })
})
