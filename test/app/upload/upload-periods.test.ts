import { expect, test } from "bun:test"
import { answer, report, startUploads } from "../../harness/data/uploads.ts"

// Totals of a part of the flight: the file says above its headings or in a column when its period begins.

const rows = (...lines: readonly string[]) => `${lines.join("\n")}\n`

test("totals below a period that begins after the flight are asked about", async () => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  await site.line({ name: "Late", flightStart: "2026-11-08", booked: "" })
  const answers = { line: "Line", day: "none", impressions: "Impressions", figures: "totals" }
  const file = (from: string, figure: number) =>
    rows(
      `Report,"${from} – Nov 14, 2026",,`,
      "Line,Booked,Impressions,Rate",
      `Alpha,9,${figure},1`,
      `Late,9,${figure},1`,
    )
  await report(
    await answer(await site.browse(`${(await site.upload(file("Nov 1, 2026", 50))).path}?headings=2`), answers),
  )
  expect(await site.totals()).toEqual({ Alpha: 50, Late: 50 })
  const preview = await site.upload(file("Nov 8, 2026", 70))
  expect(preview.text).toContain(
    "Above the headings, the file says 8 Nov 2026 to 14 Nov 2026. If it has only a part of the time,",
  )
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: 50, Late: 70 })
})

test.each(["11/08/2026 - 11/14/2026", "11/08/2026 - 11/12/2026", "08.11.2026 bis 14.11.2026"])(
  "totals below the period %s are asked about, whichever number is the day",
  async (period) => {
    await using site = await startUploads()
    await site.line({ name: "Alpha", booked: "" })
    const answers = { line: "Line", day: "none", impressions: "Impressions", figures: "totals" }
    const open = await site.upload(rows(`Report,${period}`, "Line,Impressions,Rate", "Alpha,9,1"))
    const preview = await answer(await site.browse(`${open.path}?headings=2`), answers)
    expect(preview.text).toContain("Above the headings, the file says 8 Nov 2026 to 1")
  },
)

test.each([
  "Zeitraum: Letzte 7 Tage",
  "Zeitraum: KW 46",
  "Zeitraum: 09.11. - 18.11.2026",
  "Period: This week",
  "Month: Nov 2026",
])("totals below “%s” are asked about", async (period) => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  const answers = { line: "Line", day: "none", impressions: "Impressions", figures: "totals" }
  const open = await site.upload(rows(`Report,${period}`, "Line,Impressions,Rate", "Alpha,9,1"))
  const preview = await answer(await site.browse(`${open.path}?headings=2`), answers)
  expect(preview.text).toContain("Above the headings, the file says “")
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: null })
})

test.each([
  ["2026-11-08", "2026-11-14"],
  ["2026-11-08 00:00", "2026-11-14"],
  ["08/11/2026", "14/11/2026"],
])("totals whose rows begin after the flight, on %s, are asked about", async (from, to) => {
  await using site = await startUploads()
  await site.line({ name: "Alpha", booked: "" })
  await site.line({ name: "Late", flightStart: "2026-11-08", booked: "" })
  const answers = { line: "Line", day: "Bis", impressions: "Impressions", figures: "totals" }
  const file = (line: string) => `${from},${to},${line},70`
  const preview = await answer(
    await site.upload(rows("Von,Bis,Line,Impressions", file("Alpha"), file("Late"))),
    answers,
  )
  expect(preview.text).toContain(
    "Row 2 begins on 8 Nov 2026. If it has only the days from then on, the total is too low.",
  )
  await report(preview)
  expect(await site.totals()).toEqual({ Alpha: null, Late: 70 })
})
