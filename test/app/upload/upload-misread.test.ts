import { expect, test } from "bun:test"
import { report as reportItems } from "../../harness/data/given.ts"
import { answer, report, startUploads, type UploadSite } from "../../harness/data/uploads.ts"

// Files that somebody reads as something else than they are. The truth was written down before anything read them.

const AS_DAILY = { line: "Line", day: "Date", impressions: "Impressions", figures: "daily" }
const rows = (...lines: readonly string[]) => `${lines.join("\n")}\n`

async function send(site: UploadSite, body: string) {
  const headers = { Authorization: `Bearer ${await site.key()}`, "Content-Type": "text/csv" }
  return (await site.app.fetch("/api/ingest/files", { method: "POST", headers, body })).json()
}

test("if two lines of a file of totals would go down, those that go up are asked about as well", async () => {
  await using site = await startUploads()
  const names = ["One", "Two", "Three", "Four", "Five"]
  for (const name of names) await site.line({ name, booked: "" })
  const answers = { line: "Line", day: "Date", impressions: "Shown", figures: "totals" }
  const first = rows(
    "Line,Date,Shown",
    ...names.map((name, i) => `${name},2026-11-10,${[21_000, 14_000, 1_200, 50, 60][i]}`),
  )
  await report(await answer(await site.upload(first), answers))
  const next = rows(
    "Line,Date,Shown",
    ...names.map((name, i) => `${name},2026-11-11,${[1_490, 1_020, 2_100, 90, 80][i]}`),
  )
  const preview = await site.upload(next)
  expect(preview.text).toContain("Ask you first 5 lines")
  expect(preview.text).toContain("2 of 5 lines in this file would go down, so its rows may not be totals so far.")
  await report(preview)
  expect(await send(site, next)).toMatchObject({ accepted: 0, left_out: 5 })
  expect(await site.totals()).toEqual({ One: 21_000, Two: 14_000, Three: 1_200, Four: 50, Five: 60 })
})

test.each([
  "Downloads (this period)",
  "Last 30 days",
  "Plays 7 days",
  "Downloads 12.11.-18.11.",
  "Plays Nov 2026",
  "Impressions MTD",
])("a column of totals with the heading “%s” is asked about", async (heading) => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", pricingBasis: "downloads", booked: "" })
  const answers = { line: "Line", day: "none", downloads: heading, figures: "totals" }
  const preview = await answer(await site.upload(rows(`Line,${heading}`, "Alpha,880")), answers)
  expect(preview.text).toContain(`The column is called “${heading}”. If it has only a part of the time,`)
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: null })
})

test.each(["Imps. in 000", "Kontakte (Mio.)"])(
  "a column “%s” is asked about: it counts thousands or millions",
  async (heading) => {
    await using site = await startUploads()
    await site.line({ name: "Alpha", booked: "" })
    const answers = { line: "Line", day: "none", impressions: heading, figures: "totals" }
    const preview = await answer(await site.upload(rows(`Line,${heading}`, "Alpha,3")), answers)
    expect(preview.text).toContain(`The column is called “${heading}”. If it counts thousands or millions,`)
  },
)

test("a small correction of one line doesn't make the others doubtful", async () => {
  await using site = await startUploads()
  for (const name of ["One", "Two"]) await site.line({ name, booked: "" })
  const answers = { line: "Line", day: "Date", impressions: "Shown", figures: "totals" }
  await report(
    await answer(await site.upload(rows("Line,Date,Shown", "One,2026-11-10,28940", "Two,2026-11-10,900")), answers),
  )
  await report(await site.upload(rows("Line,Date,Shown", "One,2026-11-11,28905", "Two,2026-11-11,1000")))
  expect(await site.totals()).toEqual({ One: 28_940, Two: 1_000 })
})

test("a column of daily figures is asked about, if its heading says that they are totals", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  const text = rows("Line,Date,Impressions to date", "Alpha,2026-11-01,5", "Alpha,2026-11-02,4")
  const preview = await answer(await site.upload(text), { ...AS_DAILY, impressions: "Impressions to date" })
  expect(preview.text).toContain("The column is called “Impressions to date”. If each row has everything so far,")
})

test("mailings are sent again without a question, although the file begins late on its first day", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  const mailings = (first: number) =>
    rows(
      "Line,Subject,Send Date,Opens",
      `Alpha,Rye,"Nov 01, 2026 08:00 am",${first}`,
      `Alpha,Salt,"Nov 04, 2026 06:30 am",900`,
      `Alpha,Spelt,"Nov 08, 2026 08:00 am",${first - 3000}`,
      `Alpha,Spelt,"Nov 08, 2026 06:00 pm",1150`,
    )
  const answers = { line: "Line", day: "Send Date", impressions: "Opens", figures: "daily" }
  await report(await answer(await site.upload(mailings(6_200)), answers))
  expect(await send(site, mailings(6_420))).toMatchObject({ complete: true, left_out: 0 })
  expect(await site.totals()).toEqual({ Alpha: 11_890 })
})

test("a row of totals with dashes is a sum, not a name", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  const text = rows("Date,Line,Line item ID,Impressions", "2026-11-01,Alpha,5001,70", "Total,-,-,70")
  const preview = await answer(await site.upload(text), AS_DAILY)
  expect(preview.text).toContain("Left out 1 row 1 sum")
  expect(preview.text).not.toContain("Names and their lines")
})

test("a line that can't be reported as daily figures isn't called unreadable beside a question about them", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", booked: "" })
  await reportItems(site.app, site.seller, [{ package_id: packageId, impressions: 900, as_of: "2026-11-08" }])
  const text = rows("Line,Date,Impressions", "Alpha,2026-11-01,100", "Alpha,2026-11-08,200")
  const asked = await answer(await site.upload(text), { ...AS_DAILY, figures: "" })
  expect(asked.text).not.toContain("Can’t be read ")
})

test("headings of affiliate figures that say thousands or cents are asked about", async () => {
  await using site = await startUploads()
  const packageId = await site.line()
  await report(await site.upload(`packageId,code\n${packageId},A\n`))
  for (const [heading, role] of [
    ["Clicks (000)", "clicks"],
    ["Revenue (cents)", "conversionValue"],
  ] as const) {
    const open = await site.upload(rows(`Voucher,Day,${heading}`, "A,2026-11-02,3", "A,2026-11-03,2"))
    const metrics = await site.browse(`${open.path}?kind=affiliate_metrics`)
    const preview = await answer(metrics, { code: "Voucher", day: "Day", [role]: heading })
    expect(preview.text).toContain(`The column is called “${heading}”. If it counts`)
    expect(preview.text).toContain("Ask you first 1 code")
  }
})

test("columns with the same heading are told apart by their letters", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  const text = rows("Line,Date,Impressions,Clicks,Impressions", "Alpha,2026-11-01,9,1,5", "Alpha,2026-11-02,7,1,6")
  const open = await site.upload(text)
  expect(open.text).toContain("Impressions (column C): 9 Clicks: 1 Impressions (column E): 5")
  const preview = await answer(open, { ...AS_DAILY, impressions: "Impressions (column E)" })
  expect(preview.text).toContain("Impressions: Impressions (column E)")
})

test("a name in two spellings may be two lines, so only the exact one is matched", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Herbstaktion", booked: "" })
  await report(
    await answer(await site.upload(rows("Line,Date,Impressions", "HERBSTAKTION,2026-11-03,500")), { ...AS_DAILY }),
    [packageId],
  )
  const both = rows("Line,Date,Impressions", "Herbstaktion,2026-11-03,500", "herbstaktion,2026-11-04,457")
  expect(await send(site, both)).toMatchObject({ skipped_names: [{ name: "herbstaktion", rows: 1 }] })
  expect((await site.upload(both)).text).toContain("herbstaktion 1 Choose …")
  expect(await site.totals()).toEqual({ Herbstaktion: 500 })
})

test.each([
  ["as they were", "Line,Date,Impressions,Requests\nAlpha,2026-11-02,90,95"],
  ["in another order", "Line,Date,Requests,Impressions\nAlpha,2026-11-02,95,90"],
])("headings in the middle of a file, %s, are asked about, because two exports may be in it", async (_, more) => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  const text = rows("Line,Date,Impressions,Requests", "Alpha,2026-11-01,100,120", more)
  const preview = await answer(await site.upload(text), AS_DAILY)
  expect(preview.text).toContain("Row 3 has headings again. If two files were put together, days may be counted twice")
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: null })
})

test("values in several currencies are asked about before they are added up", async () => {
  await using site = await startUploads()
  const packageId = await site.line()
  await report(await site.upload(`packageId,code\n${packageId},A\n`))
  const sales = rows("code,date,currency,conversionValue", "A,2026-11-02,EUR,5", "A,2026-11-02,SEK,50")
  const preview = await site.upload(sales)
  expect(preview.text).toContain("The rows have values in EUR and SEK, and they’re added up.")
})

test("values in another currency than in earlier files are asked about", async () => {
  await using site = await startUploads()
  const packageId = await site.line()
  await report(await site.upload(`packageId,code\n${packageId},A\n`))
  const file = (day: number, value: string) => rows("Voucher,Day,Revenue", `A,2026-11-0${day},${value}`)
  const open = await site.upload(file(2, "$84.00"))
  const metrics = await site.browse(`${open.path}?kind=affiliate_metrics`)
  await report(await answer(metrics, { code: "Voucher", day: "Day", conversionValue: "Revenue" }))
  expect(await send(site, file(3, "$21.50"))).toMatchObject({ complete: true })
  expect(await send(site, file(4, "€12.00"))).toMatchObject({ accepted: 0, left_out: 1 })
  expect((await site.upload(file(4, "€12.00"))).text).toContain("Values are in €. In earlier files they were in $.")
})

test("lines with the same name are told apart where one is chosen", async () => {
  await using site = await startUploads()
  await site.line({ name: "Twin", externalId: "5001" })
  await site.line({ name: "Twin", externalId: "5002", flightStart: "2026-11-08" })
  const answers = { line: "Line", day: "none", impressions: "Impressions", figures: "totals" }
  const { text } = await answer(await site.upload(rows("Line,Impressions", "Twin,7")), answers)
  expect(text).toContain("Twin (Spring, from 1 Nov 2026, 5001)")
  expect(text).toContain("Twin (Spring, from 8 Nov 2026, 5002)")
})
