import { expect, test } from "bun:test"
import { answer, report, startUploads, type UploadSite } from "../../harness/data/uploads.ts"
import { fileOf } from "../given.ts"

// Daily files that come in another order than their days, or correct days that are known. It's noon on 15 November 2026, and the flight of
// each line starts on 1 November.

const AS_DAILY = { line: "Line", day: "Date", impressions: "Impressions", figures: "daily" }

/** Days of November with their impressions: `[1, 100]`. */
const file = (...days: readonly (readonly [day: number, impressions: number])[]) =>
  ["Line,Date,Impressions", ...days.map(([day, each]) => `Alpha,2026-11-${String(day).padStart(2, "0")},${each}`)].join(
    "\n",
  )

const asProgram = async (site: UploadSite, body: string) => {
  const headers = { Authorization: `Bearer ${await site.key()}`, "Content-Type": "text/csv" }
  return (await site.app.fetch("/api/ingest/files?allow_lower=true", { method: "POST", headers, body })).json()
}

test("days before those that were reported don't disappear: they are sent in one file with the later ones", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", booked: "" })
  const later = file([8, 50], [9, 40], [10, 60])
  await report(await answer(await site.upload(later), AS_DAILY), [packageId])
  expect(await site.totals()).toEqual({ Alpha: 150 })

  const earlier = await site.upload(file([5, 100], [6, 90], [7, 110]))
  expect(earlier.text).toContain(
    "Alpha would have 300 on 7 Nov 2026, but later days would stay as they are, with 50 on 8 Nov 2026.",
  )
  expect(earlier.text).toContain("Send all days up to 10 Nov 2026 in one file.")
  const whole = await site.upload(file([1, 0], [5, 100], [6, 90], [7, 110], [8, 50], [9, 40], [10, 60]))
  await report(whole, [packageId])
  expect(await site.totals()).toEqual({ Alpha: 450 })
})

test("corrected days don't stay without effect silently after the wrong ones were withdrawn", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", booked: "" })
  const wrong = await report(await answer(await site.upload(file([1, 200], [2, 220])), AS_DAILY))
  await report(await site.upload(file([3, 90], [4, 80])))
  await (await site.browse(`${wrong.path}/withdraw`)).send({ reason: "doubled" })
  expect(await site.totals()).toEqual({ Alpha: 590 })

  const corrected = file([1, 110], [2, 100])
  const question =
    "Later totals stay as they are, up to 590 on 4 Nov 2026. If they don’t include these days, or wrong ones,"
  expect((await site.upload(corrected)).text).toContain(question)
  expect(await asProgram(site, corrected)).toMatchObject({ accepted: 0, left_out: 1 })
  await report(await site.upload(file([1, 110], [2, 100], [3, 90], [4, 80])), [packageId])
  expect(await site.totals()).toEqual({ Alpha: 380 })
})

test("a known day that a corrected file no longer has keeps nothing, and its neighbors stay right", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", booked: "" })
  await report(await answer(await site.upload(file([1, 100], [2, 70], [3, 50], [4, 40])), AS_DAILY))
  await report(await site.upload(file([1, 100], [3, 50], [4, 40], [5, 30])), [packageId])
  const slug = site.seller.home.split("/").at(-1)
  const days = await fileOf(site.browse, `${site.seller.home}/campaigns/${slug}-spring/lines/${packageId}/days.csv`)
  expect(days.map(([, day, , total, added]) => [day, total, added])).toEqual([
    ["2026-11-01", "100", "100"],
    ["2026-11-02", "100", "0"],
    ["2026-11-03", "150", "50"],
    ["2026-11-04", "190", "40"],
    ["2026-11-05", "220", "30"],
  ])
})

test("more before the flight than in it is asked about, because the days may be misread", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  // Excel in the United States reads 02.11.2026 as 11 February.
  const days = Array.from({ length: 11 }, (_, i) => `Alpha,2026-${String(i + 1).padStart(2, "0")}-11,100`)
  const preview = await answer(await site.upload(["Line,Date,Impressions", ...days].join("\n")), AS_DAILY)
  expect(preview.text).toContain(
    "The file has 1,000 for days before the flight, and 100 for days in it. If its days are wrong,",
  )
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: null })
})

test("a last day that a corrected file no longer has is asked about, and taken away after a tick", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", booked: "" })
  await site.line({ name: "Beta", booked: "" })
  const beta = "\nBeta,2026-11-01,9\nBeta,2026-11-04,7"
  await report(await answer(await site.upload(file([1, 100], [2, 70], [3, 50], [4, 40]) + beta), AS_DAILY))
  const corrected = await site.upload(file([1, 100], [2, 70], [3, 50]) + beta)
  expect(corrected.text).toContain("The total would go down from 260 to 220.")
  await report(corrected, [packageId])
  expect(await site.totals()).toEqual({ Alpha: 220, Beta: 16 })
})

test("a file that begins after the flight is confirmed once, as long as its first day stays as it was", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", booked: "" })
  const first = await answer(await site.upload(file([3, 100], [4, 70])), AS_DAILY)
  expect(first.text).toContain("what was delivered before the file begins isn’t known")
  await report(first, [packageId])
  expect(await asProgram(site, file([3, 100], [4, 75], [5, 60]))).toMatchObject({ complete: true })
  expect(await asProgram(site, file([3, 150], [4, 75], [5, 60]))).toMatchObject({ accepted: 0, left_out: 1 })
  expect(await site.totals()).toEqual({ Alpha: 235 })
})

test("a line whose rows begin later than the file is confirmed once as well", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", booked: "" })
  await site.line({ name: "Beta", flightStart: "2026-11-03", booked: "" })
  const both = (...days: readonly (readonly [number, number])[]) =>
    `${file(...days)}\nBeta,2026-11-03,9\nBeta,2026-11-10,7`
  await report(await answer(await site.upload(both([5, 100], [7, 70])), AS_DAILY), [packageId])
  expect(await site.totals()).toEqual({ Alpha: 170, Beta: 16 })
  expect(await asProgram(site, both([5, 104], [7, 70], [12, 60]))).toMatchObject({ complete: true })
})

test("a day that the whole file leaves out is asked about, if it has nearly all others", async () => {
  await using site = await startUploads()
  const packageId = await site.line({ name: "Alpha", booked: "" })
  const days = [1, 2, 3, 5, 6, 7, 8].map((day) => [day, 200 - day] as const)
  const preview = await answer(await site.upload(file(...days)), AS_DAILY)
  expect(preview.text).toContain("The file has no row for 4 Nov 2026. If it’s missing, the total is too low.")
  await report(preview, [packageId])
  expect(await site.totals()).toEqual({ Alpha: 1_368 })
  // Mailings have no row for most days, though several lines together may have one for nearly all.
  const others = [2, 3, 5, 6, 7].map((day) => `\nBeta,2026-11-0${day},90`).join("")
  for (const more of ["", others])
    expect((await site.upload(file([1, 199], [4, 190], [8, 192]) + more)).text).not.toContain("has no row for")
})

test("days to come that have no figure yet don't matter", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  const plan = `${file([1, 100], [2, 70])}\nAlpha,2026-11-16,\nAlpha,2026-11-17,`
  await report(await answer(await site.upload(plan), AS_DAILY))
  expect(await site.totals()).toEqual({ Alpha: 170 })
})
