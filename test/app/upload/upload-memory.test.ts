import { describe, expect, test } from "bun:test"
import { report as reportItems } from "../../harness/data/given.ts"
import { answer, type ReadingAnswers, report, startUploads, type UploadSite } from "../../harness/data/uploads.ts"

// What was answered for one file must never be applied to another file that is written differently.

async function send(site: UploadSite, body: string, query = "") {
  const headers = { Authorization: `Bearer ${await site.key()}`, "Content-Type": "text/csv" }
  const response = await site.app.fetch(`/api/ingest/files${query}`, { method: "POST", headers, body })
  return { status: response.status, ...((await response.json()) as Answer) }
}

interface Answer {
  readonly detail?: string
  readonly rejected_rows?: readonly { readonly message: string }[]
}

/** Why the rows of a program's file are rejected. */
async function rejectionsOf(site: UploadSite, body: string): Promise<string> {
  const { rejected_rows = [] } = await send(site, body)
  return rejected_rows.map(({ message }) => message).join(" ")
}

describe("a decimal mark or a date order that was answered before", () => {
  const DOWNLOADS = { line: "Line", day: "none", downloads: "Downloads", figures: "totals" }

  async function startPodcast(first: string, answers: ReadingAnswers, next: ReadingAnswers) {
    const site = await startUploads()
    const packageId = await site.line({ name: "Alpha", pricingBasis: "downloads", booked: "" })
    await site.line({ name: "Beta", pricingBasis: "downloads", booked: "" })
    await report(await answer(await answer(await site.upload(first), answers), next), [packageId])
    return site
  }

  test("isn't applied to a file with another separator, about which everything is asked", async () => {
    await using site = await startPodcast("Line;Downloads\nAlpha;41.300\n", DOWNLOADS, { decimalMark: "," })
    expect(await site.totals()).toEqual({ Alpha: 41_300, Beta: null })
    const other = "Line,Downloads\nAlpha,42.500\n"
    const unknown = "Adbooth doesn't know these headings yet."
    expect((await send(site, other)).detail).toStartWith(unknown)
    const asked = await answer(await site.upload(other), DOWNLOADS)
    expect(asked.text).toContain("42.500 in row 2 can mean 42500 or 42.5.")
    expect((await site.upload("Line;Downloads\nAlpha;42.500\n")).text).toContain("42,500")
    await report(await answer(asked, { decimalMark: "," }))
    expect(await send(site, other.replace("42.5", "43.5"))).toMatchObject({ complete: true })
    expect(await site.totals()).toEqual({ Alpha: 43_500, Beta: null })
    const forgotten = await site.upload("Line;Downloads\nAlpha;44.500\n")
    await forgotten.form(`${forgotten.path}/forget`).send()
    expect((await send(site, "Line;Downloads\nAlpha;44.500\n")).detail).toStartWith(unknown)
  })

  test.each([
    [
      ".",
      "downloads",
      "Line,Count\nAlpha,41.300\n",
      "Line,Count\nAlpha,42.500\n",
      "42.500 in row 2 can mean 42500 or 42.5.",
    ],
    [",", "downloads", "Line;Count\nAlpha;41,300\n", "Line;Count\nAlpha;9\nBeta;42,500\n", "42,500 in row 3 can mean"],
    [
      ".",
      "impressions",
      "Line,Count\nAlpha,123.000\n",
      "Line,Count\nAlpha,9.000\n",
      "9.000 in row 2 can mean 9000 or 9.",
    ],
    [
      ",",
      "impressions",
      "Line;Count\nAlpha;123,000\n",
      "Line;Count\nAlpha;9,000\n",
      "9,000 in row 2 can mean 9000 or 9.",
    ],
  ])("never makes decimals of counts that can be thousands: %s in %s", async (mark, basis, first, next, question) => {
    await using site = await startUploads()
    await site.line({ name: "Alpha", pricingBasis: basis, booked: "" })
    await site.line({ name: "Beta", pricingBasis: basis, booked: "" })
    const answers = { line: "Line", day: "none", [basis]: "Count", figures: "totals" }
    await report(await answer(await answer(await site.upload(first), answers), { decimalMark: mark }))
    const before = await site.totals()
    const asked = await site.upload(next)
    expect([asked.path.endsWith("/reading"), asked.text.includes(question)]).toEqual([true, true])
    expect(await rejectionsOf(site, next)).toContain(question.replace(/ in row \d/, ""))
    expect(await site.totals()).toEqual(before)
    expect((await answer(asked, { decimalMark: mark })).path).not.toContain("/reading")
    // A number that can't be thousands shows that the mark is the same.
    const proven = next.replace("Alpha", `Alpha${next.includes(";") ? ";1234,000" : ",1234.000"}\nBeta`)
    expect((await site.upload(proven)).path).not.toContain("/reading")
  })

  test.each([
    ["its own column", "Line;Downloads\nAlpha;42.500\nBeta;12.5\n", 12.5],
    ["another column", "Line;Downloads;Rate\nAlpha;42.500;12.75\n", null],
    ["contradictions", "Line;Downloads\nAlpha;42.500\nBeta;1.234,5\nBeta;1,234.5\n", null],
  ])("is asked about again if the values show another mark: %s", async (_, text, beta) => {
    const first = text.includes("Rate") ? "Line;Downloads;Rate\nAlpha;41.300;12,75\n" : "Line;Downloads\nAlpha;41.300\n"
    await using site = await startPodcast(first, DOWNLOADS, { decimalMark: "," })
    const asked = await site.upload(text)
    const question = "42.500 in row 2 can mean 42500 or 42.5."
    expect([asked.path.endsWith("/reading"), asked.text.includes(question)]).toEqual([true, true])
    expect(await rejectionsOf(site, text)).toContain("42.500 can mean 42500 or 42.5.")
    expect(await site.totals()).toEqual({ Alpha: 41_300, Beta: beta })
  })

  test("is asked about again if the days show another order", async () => {
    const answers = { line: "Line", day: "Date", downloads: "Downloads", figures: "daily" }
    const first = "Line;Date;Downloads\nAlpha;02/11/2026;9\nAlpha;03/11/2026;5\n"
    await using site = await startPodcast(first, answers, { dayOrder: "day_first" })
    const text = "Line;Date;Downloads\nAlpha;11/02/2026;9\nAlpha;11/13/2026;5\n"
    const asked = await site.upload(text)
    const question = "11/02/2026 in row 2 can mean 2026-02-11 or 2026-11-02."
    expect([asked.path.endsWith("/reading"), asked.text.includes(question)]).toEqual([true, true])
    expect(await rejectionsOf(site, text)).toContain("11/02/2026 can mean 2026-02-11 or 2026-11-02.")
    expect(await site.totals()).toEqual({ Alpha: 14, Beta: null })
    expect((await answer(asked, { dayOrder: "month_first" })).path).not.toContain("/reading")
  })
})

describe("rows of affiliate figures without a code", () => {
  const EXPORT = "Voucher,Day,Visits,Sales\nA,2026-11-02,12,3\n,2026-11-02,500,9\nB,2026-11-03,7,1\n,,520,13\n"

  async function startAffiliate() {
    const site = await startUploads()
    const packageId = await site.line()
    await report(await site.upload(`packageId,code\n${packageId},A\n${packageId},B\n`))
    const open = await site.upload(EXPORT)
    return { site, metrics: await site.browse(`${open.path}?kind=affiliate_metrics`) }
  }
  const COLUMNS = { day: "Day", clicks: "Visits", conversions: "Sales" }

  test("are skipped or stop their day, as somebody chooses, and the choice is remembered", async () => {
    const { site, metrics } = await startAffiliate()
    await using _ = site
    // The only column with codes is chosen.
    expect(metrics.fields).toMatchObject({ code: "0", day: "", clicks: "" })
    const asked = await answer(metrics, COLUMNS)
    expect(asked.html).toContain('<a href="#withoutName">Row 3 and 1 more have a figure but no code.')
    expect(asked.text).toContain("What are rows without a code?")
    expect(asked.fields["withoutName"]).toBeUndefined()
    const preview = await answer(asked, { withoutName: "skip" })
    expect(preview.text).toContain("Rows without a code are skipped")
    expect(preview.text).toContain("Skipped, not yours 2 rows")
    // The file, Upload, the kind, three columns, what happens to rows without a code, Show the preview, Report.
    expect(3 + Object.keys(COLUMNS).length + 1 + 2).toBeLessThanOrEqual(10)
    expect((await report(preview)).text).toContain("2 days reported, 2 rows skipped.")

    const later = EXPORT.replace("12,3", "15,4")
    expect(await send(site, later, "?dry_run=true")).toMatchObject({ complete: true, accepted: 2, skipped: 2 })
    expect((await site.upload(later)).text).toContain("1 day: 15 clicks, 4 conversions")
  })

  test("are asked about before a program may send them, also if earlier files had none", async () => {
    const { site, metrics } = await startAffiliate()
    await using _ = site
    const whole = await site.upload(EXPORT.replaceAll("\n,", "\nB,").replace("B,,520,13\n", ""))
    await report(await answer(await site.browse(`${whole.path}?kind=affiliate_metrics`), COLUMNS))
    const { status, detail } = await send(site, EXPORT)
    expect([status, detail?.startsWith("Row 3 and 1 more have a figure but no code.")]).toEqual([422, true])
    const stopped = await answer(await answer(metrics, COLUMNS), { withoutName: "stop" })
    expect(stopped.text).toContain("Nothing in this file can be reported yet.")
  })
})

describe("figures that were daily before", () => {
  const AS_DAILY = { line: "Line", day: "Date", impressions: "Shown", figures: "daily" }
  const DAY_ONE = "Line,Date,Shown\nAlpha,2026-11-01,100\nAlpha,2026-11-02,90\nBeta,2026-11-01,70\nBeta,2026-11-02,60\n"

  test("are asked about again if each line has one row that isn't below its total", async () => {
    await using site = await startUploads()
    await site.line({ name: "Alpha", booked: "" })
    await site.line({ name: "Beta", booked: "" })
    await report(await answer(await site.upload(DAY_ONE), AS_DAILY))
    expect(await site.totals()).toEqual({ Alpha: 190, Beta: 130 })

    const soFar = "Line,Date,Shown\nAlpha,2026-11-03,300\nBeta,2026-11-03,90\n"
    const asked = await site.upload(soFar)
    expect([asked.path.endsWith("/reading"), asked.text.includes("look like totals so far")]).toEqual([true, true])
    const { status, detail } = await send(site, soFar)
    expect(status).toBe(422)
    expect(detail).toContain("Alpha becomes 300 as totals so far, and 490 as daily figures.")
    expect(await send(site, soFar, "?figures=daily&dry_run=true")).toMatchObject({ status: 200, accepted: 2 })

    const oneDay = "Line,Date,Shown\nAlpha,2026-11-03,80\nBeta,2026-11-03,90\n"
    expect(await send(site, oneDay)).toMatchObject({ complete: true, accepted: 2 })
    // Sending a day again isn't a total, although it's higher than what was known before it.
    expect(await send(site, oneDay)).toMatchObject({ complete: true, accepted: 2 })
    expect(await site.totals()).toEqual({ Alpha: 270, Beta: 220 })
  })

  test("aren't asked about if totals would go down: a later export goes on where the earlier one ended", async () => {
    await using site = await startUploads()
    await site.line({ name: "Alpha", booked: "" })
    await site.line({ name: "Beta", booked: "" })
    await report(await answer(await site.upload(DAY_ONE), AS_DAILY))
    const rising = "Line,Date,Shown\nAlpha,2026-11-03,95\nAlpha,2026-11-04,105\nAlpha,2026-11-05,110\n"
    expect((await site.upload(rising)).path).not.toContain("/reading")
    expect(await send(site, rising)).toMatchObject({ complete: true, accepted: 3 })
    expect(await site.totals()).toEqual({ Alpha: 500, Beta: 130 })

    // From the known total on, they may be totals.
    const soFar = "Line,Date,Shown\nAlpha,2026-11-06,520\nAlpha,2026-11-07,640\n"
    const asked = await site.upload(soFar)
    expect([asked.path.endsWith("/reading"), asked.text.includes("look like totals so far")]).toEqual([true, true])
    expect((await send(site, soFar)).status).toBe(422)
    expect(await site.totals()).toEqual({ Alpha: 500, Beta: 130 })
  })

  test("aren't asked about if no line has an earlier total", async () => {
    await using site = await startUploads()
    await site.line({ name: "Alpha", booked: "" })
    await report(await answer(await site.upload("Line,Date,Shown\nAlpha,2026-11-01,100\n"), AS_DAILY))
    expect(await send(site, "Line,Date,Shown\nAlpha,2026-11-01,100\n")).toMatchObject({ complete: true })
  })

  test("figures that were totals before go down if they are daily, so each line needs a tick", async () => {
    await using site = await startUploads()
    const packageId = await site.line({ name: "Alpha", booked: "" })
    await reportItems(site.app, site.seller, [{ package_id: packageId, impressions: 5_000, as_of: "2026-11-02" }])
    const answers = { ...AS_DAILY, figures: "totals" }
    await report(await answer(await site.upload("Line,Date,Shown\nAlpha,2026-11-03,5300\n"), answers))
    const daily = "Line,Date,Shown\nAlpha,2026-11-04,280\nAlpha,2026-11-05,310\n"
    expect((await site.upload(daily)).text).toContain("The total up to 4 Nov 2026 would go down from 5,300 to 280.")
    expect(await send(site, daily)).toMatchObject({ accepted: 0, left_out: 1 })
  })
})

test("the column of another line isn't remembered: one line for all rows is chosen together with its figures", async () => {
  await using site = await startUploads()
  const one = await site.line({ name: "One", booked: "" })
  const two = await site.line({ name: "Two", booked: "" })
  const file = (day: number) => `Day,E12: Bread,E13: Salt\n2026-11-0${day},55,77\n`
  const answers = { line: `all:${two}`, day: "Day", impressions: "E13: Salt", figures: "daily" }
  await report(await answer(await site.upload(file(1)), answers))
  const asked = await answer(await site.upload(file(1)), { line: `all:${one}` })
  expect(asked.path).toEndWith("/reading")
  await report(await answer(asked, { impressions: "E12: Bread" }))
  expect(await site.totals()).toEqual({ One: 55, Two: 77 })
})
