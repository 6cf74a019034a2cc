import { expect, test } from "bun:test"
import { answer, report, startUploads } from "../../harness/data/uploads.ts"

// Affiliate figures whose rows have everything so far must never be added up silently.

const days = (figures: readonly (readonly (number | string)[])[]) =>
  figures.map((row, i) => `A,2026-11-${String(i + 1).padStart(2, "0")},${row.join()}\n`).join("")

async function startCodes() {
  const site = await startUploads()
  const packageId = await site.line()
  await report(await site.upload(`packageId,code\n${packageId},A\n${packageId},B\n`))
  const send = async (body: string) => {
    const headers = { Authorization: `Bearer ${await site.key()}`, "Content-Type": "text/csv" }
    return (await site.app.fetch("/api/ingest/files", { method: "POST", headers, body })).json()
  }
  return { site, send }
}

const AS = { code: "Voucher", day: "Day", clicks: "Clicks", conversions: "Sales" }

test.each([
  ["never fall", "Voucher,Day,Clicks,Sales", "The figures in this file are never below the ones before them."],
  ["have a heading that says so", "Voucher,Day,Clicks to date,Sales", "The column is called “Clicks to date”."],
])("figures of codes that %s are asked about, because they may be totals so far", async (why, headings, question) => {
  const { site, send } = await startCodes()
  await using _ = site
  const text = `${headings}\n${days(
    why === "never fall"
      ? [
          [5, 0],
          [9, 1],
          [9, 2],
          [30, 2],
        ]
      : [[5, 1]],
  )}`
  const open = await site.upload(text)
  const metrics = await site.browse(`${open.path}?kind=affiliate_metrics`)
  expect(metrics.text).toContain("Each row must have the figures of its day, not everything so far.")
  const preview = await answer(metrics, { ...AS, clicks: headings.includes("to date") ? "Clicks to date" : "Clicks" })
  expect(preview.text).toContain(question)
  expect((await report(preview)).text).toContain("1 code left out.")
  expect(await send(text)).toMatchObject({ complete: false, accepted: 0, left_out: 1 })
  const again = await site.upload(text)
  const done = await report(again, ["A"])
  expect(done.text).toMatch(/\d days? reported/)
  expect(done.text).toContain("To correct them, upload the right figures of the same days, which replace these.")
})

test("a code's only day is asked about if it isn't below everything that was known before", async () => {
  const { site, send } = await startCodes()
  await using _ = site
  const headings = "Voucher,Day,Clicks,Sales\n"
  const open = await site.upload(`${headings}${days([[5, 1]])}`)
  await report(await answer(await site.browse(`${open.path}?kind=affiliate_metrics`), AS))
  expect(await send(`${headings}A,2026-11-02,9,1\n`)).toMatchObject({ complete: false, left_out: 1 })
  expect(await send(`${headings}A,2026-11-02,4,1\n`)).toMatchObject({ complete: true, accepted: 1 })
  // Sending the day again isn't a total, and neither are days if one of their figures falls.
  expect(await send(`${headings}A,2026-11-02,4,1\n`)).toMatchObject({ complete: true, accepted: 1 })
  const falling = days([
    [5, 1],
    [4, 1],
    [3, 2],
    [8, 2],
  ])
  expect(await send(`${headings}${falling}`)).toMatchObject({ complete: true, accepted: 4 })
  // Our own heading is the figure of a day.
  const ours = `code,date,clicks\n${days([[5], [9], [12]])}`.replaceAll("A,", "B,")
  expect(await send(ours)).toMatchObject({ complete: true, accepted: 3 })
})

test("totals so far with one reversal are asked about, because the other figures never fall", async () => {
  const { site, send } = await startCodes()
  await using _ = site
  const text = `Voucher,Day,Clicks,Revenue\n${days([20, 45, 70, 55, 80, 99].map((value, i) => [30 * (i + 1), value]))}`
  const open = await site.upload(text)
  const metrics = await site.browse(`${open.path}?kind=affiliate_metrics`)
  const preview = await answer(metrics, { code: "Voucher", day: "Day", clicks: "Clicks", conversionValue: "Revenue" })
  expect(preview.text).toContain("The figures in this file are never below the ones before them.")
  await report(preview)
  expect(await send(text)).toMatchObject({ accepted: 0 })
})

test("another part of known days doesn't replace the first one silently", async () => {
  const { site, send } = await startCodes()
  await using _ = site
  const file = (device: string, clicks: readonly number[]) =>
    `Voucher,Day,Device,Clicks\n${days(clicks.map((count) => [device, count]))}`
  const open = await site.upload(file("Phone", [31, 25, 37, 20]))
  const metrics = await site.browse(`${open.path}?kind=affiliate_metrics`)
  await report(await answer(metrics, { code: "Voucher", day: "Day", clicks: "Clicks" }))
  const other = file("Desktop", [62, 50, 81, 44])
  expect((await site.upload(other)).text).toContain("The file changes each day that was known before.")
  expect(await send(other)).toMatchObject({ accepted: 0, left_out: 1 })
  expect(await send(file("Phone", [31, 29, 37, 40]))).toMatchObject({ accepted: 4 })
})

test("the template of codes lists flat-rate lines as well, because they may have codes", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ pricingBasis: "flat_rate" })
  const template = (kind: string) => site.browse(`${site.seller.home}/upload/template/${kind}`)
  expect((await template("affiliate_codes")).html).toContain(packageId)
  expect((await template("delivery")).html).not.toContain(packageId)
  await report(await site.upload(`packageId,code\n${packageId},A\n`))
  expect((await site.upload("code,date,clicks\nA,2026-11-02,5\n")).text).toContain("1 day: 5 clicks")
})
