import { describe, expect, test } from "bun:test"
import { answer, report, startUploads } from "../../harness/data/uploads.ts"

// Daily figures whose rows share a line and a day. A person chooses what tells such rows apart: those are added up, and nothing else
// is. The truth was written down before anything read the files.

const AS_DAILY = { line: "Line", day: "Date", impressions: "Impressions", figures: "daily" }
const rows = (...lines: readonly string[]) => `${lines.join("\n")}\n`
const days = (count: number, row: (day: string, index: number) => string) =>
  Array.from({ length: count }, (_, index) => row(`2026-11-${String(index + 1).padStart(2, "0")}`, index)).join("\n")

interface DailyFile {
  readonly text: string
  /** The columns that tell rows of one day apart. */
  readonly parts?: string
  readonly total: number
}

const ADDED: Readonly<Record<string, DailyFile>> = {
  "devices, also with the same figure": {
    text: rows("Line,Date,Device,Impressions", "Alpha,2026-11-01,Phone,100", "Alpha,2026-11-01,TV,100"),
    parts: "Device",
    total: 200,
  },
  "devices in several countries": {
    text: rows("Line,Date,Device,Country,Impressions", "Alpha,2026-11-01,TV,DE,5\nAlpha,2026-11-01,TV,AT,6"),
    parts: "Device, Country",
    total: 11,
  },
  "hours in a column of their own": {
    text: rows(
      "Line,Date,Hour,Impressions",
      days(3, (day) => `Alpha,${day},0,10\nAlpha,${day},1,10`),
    ),
    parts: "Hour",
    total: 60,
  },
  "times, which tell rows apart by themselves": {
    text: rows("Line,Date,Impressions", 'Alpha,"Nov 01, 2026 08:00 am",5\nAlpha,"Nov 01, 2026 05:00 pm",5'),
    total: 10,
  },
  "devices of an ad whose name is like a sum": {
    text: rows("Line,Date,Ad,Device,Impressions", "Alpha,2026-11-01,All Day,TV,5\nAlpha,2026-11-01,All Day,Web,6"),
    parts: "Ad, Device",
    total: 11,
  },
  "rows without delivery": {
    text: rows("Line,Date,Impressions", "Alpha,2026-11-01,5", "Alpha,2026-11-01,0"),
    total: 5,
  },
  "devices of which one is the sum of the others on one of three days": {
    text: rows(
      "Line,Date,Device,Impressions",
      days(3, (day, i) => `Alpha,${day},Phone,100\nAlpha,${day},TV,200\nAlpha,${day},Web,${300 + i * 10}`),
    ),
    parts: "Device",
    total: 1830,
  },
}

const SUMS: Readonly<Record<string, DailyFile>> = {
  "a row for all devices": {
    text: rows(
      "Line,Date,Device,Impressions",
      days(2, (day) => `Alpha,${day},Phone,10\nAlpha,${day},TV,20\nAlpha,${day},All devices,30`),
    ),
    parts: "Device",
    total: 60,
  },
  "a row that says total beside one device": {
    text: rows("Line,Date,Device,Impressions", "Alpha,2026-11-01,Phone,10", "Alpha,2026-11-01,Total,10"),
    parts: "Device",
    total: 10,
  },
  "an empty cell beside devices that have as much": {
    text: rows(
      "Line,Date,Device,Impressions",
      "Alpha,2026-11-01,Phone,10\nAlpha,2026-11-01,TV,5\nAlpha,2026-11-01,,15",
    ),
    parts: "Device",
    total: 15,
  },
  "subtotals of two levels": {
    text: rows(
      "Line,Date,Device,System,Impressions",
      "Alpha,2026-11-01,Phone,iOS,10\nAlpha,2026-11-01,Phone,Android,20\nAlpha,2026-11-01,Phone,Gesamt,30",
      "Alpha,2026-11-01,TV,tvOS,5\nAlpha,2026-11-01,TV,Gesamt,5\nAlpha,2026-11-01,Gesamt,Gesamt,35",
    ),
    parts: "Device, System",
    total: 35,
  },
}

test.each(Object.entries({ ...ADDED, ...SUMS }))("are added up, but not their sums: %s", async (name, one) => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  const open = await site.upload(one.text)
  const asked = await answer(open, AS_DAILY)
  // Nothing is added up before a person said what tells the rows apart.
  expect(asked.path.endsWith("/reading")).toBe(one.parts !== undefined)
  const preview = one.parts === undefined ? asked : await answer(asked, { parts: one.parts })
  expect(preview.text).toContain("Ask you first 0 lines")
  expect(/\d+ sums?/.test(preview.text)).toBe(name in SUMS)
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: one.total })
})

describe("the question what tells rows of one day apart", () => {
  const SPLIT = rows("Line,Date,Device,Impressions", "Alpha,2026-11-01,Phone,100", "Alpha,2026-11-01,TV,200")

  test("names two rows, and offers the columns that differ with their values", async () => {
    await using site = await startUploads()
    await site.line({ name: "Alpha", booked: "" })
    const open = await site.upload(SPLIT)
    expect(open.text).not.toContain("apart?")
    const asked = await answer(open, AS_DAILY)
    expect([asked.status, asked.html.includes('href="#parts"')]).toEqual([422, true])
    expect(asked.text).toContain("Alpha: Rows 2 and 3 are both about 1 Nov 2026. Choose what tells such rows apart.")
    expect(asked.text).toContain("Device Phone, TV")
    // A script shows it without an error, as soon as the columns are chosen.
    const columns = { line: "0", day: "1", impressions: "3" }
    expect((await open.send({ ...columns, "~mode": "preview" })).text).toContain("What tells rows of one line and day")
    const asTotals = await open.send({ ...columns, figures: "totals", "~mode": "preview" })
    expect(asTotals.text).not.toContain("What tells rows of one line and day")
  })

  test("is answered once for files with the same headings, also of a program", async () => {
    await using site = await startUploads()
    await site.line({ name: "Alpha", booked: "" })
    const headers = { Authorization: `Bearer ${await site.key()}`, "Content-Type": "text/csv" }
    const send = async (body: string) =>
      (await site.app.fetch("/api/ingest/files?figures=daily", { method: "POST", headers, body })).json()
    const single = SPLIT.replace("Alpha,2026-11-01,TV,200\n", "")
    await report(await answer(await site.upload(single), AS_DAILY))
    expect(await send(SPLIT)).toMatchObject({ status: 422, detail: expect.stringContaining("Rows 2 and 3 are both") })

    const asked = await site.upload(SPLIT)
    expect([asked.path.endsWith("/reading"), asked.fields["line"], asked.fields["figures"]]).toEqual([
      true,
      "0",
      "daily",
    ])
    const preview = await answer(asked, { parts: "Device" })
    expect(preview.text).toContain("Parts of a day: Device")
    await report(preview)
    const next = SPLIT.replaceAll("11-01", "11-02")
    expect(await send(next)).toMatchObject({ complete: true, accepted: 1 })
    expect(await site.totals()).toEqual({ Alpha: 600 })
    // The same device twice can't be right.
    const twice = rows("Line,Date,Device,Impressions", "Alpha,2026-11-03,TV,5", "Alpha,2026-11-03,tv,6")
    const { rejected_rows } = (await send(twice)) as { rejected_rows: readonly object[] }
    const message = "Rows 2 and 3 both have Device “tv” on 3 Nov 2026, so only one of them can be right."
    expect(rejected_rows).toEqual([2, 3].map((row) => ({ row, reason: "invalid_item", message })))
    expect((await site.upload(twice)).text).toContain(message)
  })

  test("is asked for each file, if nothing tells the rows apart. Repeated rows need a tick", async () => {
    await using site = await startUploads()
    const packageId = await site.line({ name: "Alpha", booked: "" })
    const text = rows("Line,Date,Impressions", "Alpha,2026-11-01,100", "Alpha,2026-11-02,50", "Alpha,2026-11-01,100")
    const preview = await answer(await site.upload(text), { ...AS_DAILY, parts: "each" })
    expect(preview.text).toContain("Rows 2 and 4 are the same. If the file has this day twice, the total is too high.")
    await report(preview)
    expect(await site.totals()).toEqual({ Alpha: null })
    const again = await site.upload(text)
    expect(again.path).toEndWith("/reading")
    await report(await answer(again, { parts: "each" }), [packageId])
    expect(await site.totals()).toEqual({ Alpha: 250 })
  })

  test("isn't asked about two names that were matched to one line by hand", async () => {
    await using site = await startUploads()
    const packageId = await site.line({ name: "Alpha", booked: "" })
    const text = rows("Line,Date,Impressions", "Autumn 20s,2026-11-01,100", "Autumn 30s,2026-11-01,50")
    const preview = await answer(await site.upload(text), AS_DAILY)
    await report(await preview.form(`${preview.path}/names`).send({ "line.0": packageId, "line.1": packageId }))
    expect(await site.totals()).toEqual({ Alpha: 150 })
  })

  test("is asked about the rows of affiliate codes as well. Other columns of our own headings answer it", async () => {
    await using site = await startUploads()
    const packageId = await site.line()
    await report(await site.upload(`packageId,code\n${packageId},A\n${packageId},B\n`))
    const sales =
      "A,2026-11-02,Blog,10,1.50\nA,2026-11-02,Shop,20,2.50\nA,2026-11-02,Total,30,4.00\nB,2026-11-02,Blog,1,1\n"
    const preview = await site.upload(`code,date,publisher,clicks,conversionValue\n${sales}B,2026-11-02,Blog,1,1\n`)
    expect(preview.text).toContain("1 day: 30 clicks, value 4")
    expect(preview.text).toContain("Rows 5 and 6 both have publisher “Blog” on 2 Nov 2026")
    const open = await site.upload(`Voucher,Day,Shop,Clicks,Value\n${sales}`)
    const metrics = await site.browse(`${open.path}?kind=affiliate_metrics`)
    const asked = await answer(metrics, { code: "Voucher", day: "Day", clicks: "Clicks", conversionValue: "Value" })
    expect(asked.text).toContain("A: Rows 2 and 3 are both about 2 Nov 2026.")
    expect((await answer(asked, { parts: "Shop" })).text).toContain("1 day: 30 clicks, value 4")
  })
})

test("dashes of affiliate codes mean nothing on that day", async () => {
  await using site = await startUploads()
  const packageId = await site.line()
  await report(await site.upload(`packageId,code\n${packageId},A\n`))
  const preview = await site.upload("code,date,clicks,conversionValue\nA,2026-11-02,5,1.50\nA,2026-11-03,–,-\n")
  expect(preview.text).toContain("2 days: 5 clicks, value 1.5")
  expect(preview.text).toContain("Rejected 0 rows")
})
