import { describe, expect, test } from "bun:test"
import { answer, report, startUploads } from "../../harness/data/uploads.ts"

const FIGURES =
  "Placement,Date,Delivered\nPre-roll,2026-11-01,1940\nPre-roll,2026-11-02,2011\nPre-roll,2026-11-03,2177\n"
const COLUMNS = { line: "Placement", day: "Date", impressions: "Delivered" }

describe("what somebody must choose", () => {
  test("the columns of the day and the totals and what the rows are begin empty. The only column with lines doesn't", async () => {
    await using site = await startUploads()
    await site.line()
    await site.line({ name: "Podcast", pricingBasis: "downloads" })
    const { fields } = await site.upload(FIGURES)
    expect(fields).toMatchObject({ line: "0", day: "", impressions: "", downloads: "" })
    expect(fields["figures"]).toBeUndefined()
    await site.line({ name: "Mid-roll", externalId: "2177" })
    expect((await site.upload(FIGURES)).fields).toMatchObject({ line: "" })
  })

  test("if it's missing, every error is beside its field, and nothing that was chosen is lost", async () => {
    await using site = await startUploads()
    await site.line()
    const refused = await answer(await site.upload(FIGURES), { asOf: "soon", impressions: "Delivered" })
    expect([refused.status, refused.title.startsWith("Error:")]).toEqual([422, true])
    for (const [field, error] of [
      ["day", "Choose the column with the day, or say that no column has it."],
      ["figures", "Choose what the rows are."],
      ["asOf", "soon isn’t a day."],
    ] as const) {
      expect(refused.html).toContain(`<a href="#${field}">${error}`)
      expect(refused.html).toContain(`id="${field}-error"`)
    }
    expect(refused.fields).toMatchObject({ line: "0", impressions: "2", asOf: "soon" })
    const same = await answer(await site.upload(FIGURES), { ...COLUMNS, impressions: "Date", figures: "daily" })
    expect(same.text).toContain("This column is already chosen above, as day.")
  })

  test("the page shows what each line becomes as totals and as daily figures, by the check that reporting makes", async () => {
    await using site = await startUploads()
    await site.line()
    const refused = await answer(await site.upload(FIGURES), COLUMNS)
    expect(refused.text).toContain("Pre-roll None yet 2,177 6,128")
    const live = await (await site.upload(FIGURES)).send({ day: "1", impressions: "2", "~mode": "preview" })
    expect([live.status, live.text.includes("Pre-roll None yet 2,177 6,128")]).toEqual([200, true])
    // It follows what a person changes about a file that is read as before.
    const text = "Placement,Date,Delivered,Clicks\nPre-roll,2026-11-01,1940,7\nPre-roll,2026-11-02,77,6\n"
    await report(await answer(await site.upload(text), { ...COLUMNS, figures: "daily" }))
    const again = await site.upload(text)
    const changed = await site.browse(`${again.path}/reading`)
    expect(changed.text).toContain("Pre-roll 2,017 77")
    expect((await changed.send({ impressions: "3", "~mode": "preview" })).text).toContain("Pre-roll 2,017 6")
  })

  test("daily figures need a day, and a file of one line needs no column for it", async () => {
    await using site = await startUploads()
    const packageId = await site.line()
    await site.line({ name: "Mid-roll" })
    const open = await site.upload("Date,Delivered\n2026-11-01,120\n2026-11-02,140\nTotal,260\n")
    const answers = { impressions: "Delivered", figures: "daily" }
    const refused = await answer(open, { ...answers, line: `all:${packageId}`, day: "none" })
    expect(refused.html).toContain('<a href="#day">Daily figures need a column with the day.')
    const preview = await answer(refused, { day: "Date" })
    expect(preview.text).toContain("All rows: Pre-roll · Day: Date · Impressions: Delivered · Daily figures")
    await report(preview)
    expect(await site.history("Pre-roll")).toEqual([120, 260])
    // The next file may be about another line.
    expect((await site.upload("Date,Delivered\n2026-11-03,9\n")).path).toContain("/reading")
  })

  test("the row of the headings can be changed", async () => {
    await using site = await startUploads()
    await site.line()
    const open = await site.upload(`Report of all placements,from,to,by,at\n${FIGURES}`)
    expect(open.text).toContain("Report of all placements")
    // The kind that was chosen stays, and the other way around.
    const codes = await site.browse(`${open.path}?kind=affiliate_codes`)
    expect(codes.html).toContain('<input type="hidden" name="kind" value="affiliate_codes"')
    expect((await site.browse(`${open.path}?headings=2`)).html).toContain('href="?kind=affiliate_codes&amp;headings=2"')
    const changed = await site.browse(`${open.path}?headings=2`)
    await report(await answer(changed, { ...COLUMNS, figures: "daily" }))
    expect(await site.totals()).toEqual({ "Pre-roll": 6128 })
  })

  test("totals without a day are measured at the upload, or at the time that a person enters", async () => {
    await using site = await startUploads()
    await site.line()
    const answers = { line: "Placement", day: "none", impressions: "Delivered", figures: "totals" }
    const first = await answer(await site.upload("Placement,Delivered\nPre-roll,5\n"), answers)
    expect(first.text).toContain("15 Nov, 13:00")
    const change = await site.browse(`${first.path}/reading`)
    expect((await answer(change, { asOf: "14 Nov 2026" })).text).toContain("14 Nov, 23:59")
    // It stays if something else is changed.
    for (const [typed, shown] of [
      ["14 Nov 2026", "2026-11-14"],
      ["14 Nov 2026 6:30 pm", "2026-11-14 18:30"],
    ] as const) {
      await answer(change, { asOf: typed })
      expect((await site.browse(change.path)).fields).toMatchObject({ asOf: shown })
    }
  })
})

describe("days and numbers with two readings", () => {
  const file = (...rows: string[]) => `Placement;Date;Delivered\n${rows.map((row) => `Pre-roll;${row}\n`).join("")}`
  const daily = { ...COLUMNS, figures: "daily" }

  test.each<[string, readonly string[], readonly number[]]>([
    ["a day proves the order of the others", ["02/11/2026;5", "13/11/2026;7"], [5, 12]],
    ["a day proves that months come first", ["11/2/26;5", "11/13/26;7"], [5, 12]],
    ["a number proves the point before decimals", ["1.11.2026;1234.000", "2.11.2026;123.000"], [1234, 1357]],
    ["a number proves points as thousands", ["1.11.2026;1.234.000", "2.11.2026;123.000"], [1_234_000, 1_357_000]],
    ["a whole number such as 7.500 proves thousands", ["1.11.2026;7.500", "2.11.2026;123.000"], [7_500, 130_500]],
  ])("%s", async (_, rows, history) => {
    await using site = await startUploads()
    const packageId = await site.line()
    await report(await answer(await site.upload(file(...rows)), daily), [packageId])
    expect(await site.history("Pre-roll")).toEqual([...history])
  })

  test("a day with two readings is asked about with both, and the answer is remembered", async () => {
    await using site = await startUploads()
    const packageId = await site.line()
    const asked = await answer(await site.upload(file("02/11/2026;5")), daily)
    expect(asked.html).toContain('<a href="#dayOrder">02/11/2026 in row 2 can mean 2026-11-02 or 2026-02-11.')
    const preview = await answer(asked, { dayOrder: "day_first" })
    expect(preview.text).toContain("2 Nov, 23:59")
    await report(preview, [packageId])
    expect((await site.upload(file("03/11/2026;4"))).text).toContain("3 Nov, 23:59")
  })

  test("whole numbers that all end in .000 are asked about with both", async () => {
    await using site = await startUploads()
    await site.line()
    const asked = await answer(await site.upload(file("1.11.2026;123.000", "2.11.2026;9")), daily)
    expect(asked.html).toContain('<a href="#decimalMark">123.000 in row 2 can mean 123000 or 123.')
    expect((await answer(asked, { decimalMark: "." })).text).toContain("132")
  })

  test("numbers that contradict each other are asked about", async () => {
    await using site = await startUploads()
    await site.line()
    const asked = await answer(
      await site.upload(file('1.11.2026;"1.234.000"', '2.11.2026;"1,234,000"', '3.11.2026;"7.500"')),
      daily,
    )
    expect(asked.html).toContain('<a href="#decimalMark">7.500 in row 4 can mean 7500 or 7.5.')
  })
})

describe("what is remembered", () => {
  test("is for exactly these headings in their order, can be changed and forgotten, and isn't learned from a discarded file", async () => {
    await using site = await startUploads()
    await site.line()
    const discarded = await answer(await site.upload(FIGURES.replace("2177", "77")), { ...COLUMNS, figures: "daily" })
    await (await site.browse(`${discarded.path}/discard`)).send()
    expect((await site.upload(FIGURES)).path).toContain("/reading")
    await report(await answer(await site.upload(FIGURES.replace("2177", "77")), { ...COLUMNS, figures: "daily" }))
    for (const headings of ["Date,Placement,Delivered", "Placement,Date,Delivered,Clicks", "placement,Date,Delivered"])
      expect((await site.upload(FIGURES.replace("Placement,Date,Delivered", headings))).path).toContain("/reading")

    site.app.clock.advance({ hours: 48 })
    const next = await site.upload(FIGURES.replace("2177", "77"))
    expect(next.text).toContain("Read as on 15 Nov 2026")
    expect((await site.browse(`${next.path}/reading`)).fields).toMatchObject({ line: "0", day: "1", figures: "daily" })
    const forgotten = await next.form(`${next.path}/forget`).send()
    expect(forgotten.path).toContain("/reading")
    expect((await site.upload(FIGURES)).path).toContain("/reading")
  })

  test("daily figures that only rise are asked about again, because they may be totals", async () => {
    await using site = await startUploads()
    await site.line()
    await report(await answer(await site.upload(FIGURES.replace("2177", "77")), { ...COLUMNS, figures: "daily" }))
    const asked = await site.upload(FIGURES)
    expect([asked.path.endsWith("/reading"), asked.text.includes("2,177")]).toEqual([true, true])
    expect((await answer(asked, { figures: "daily" })).text).toContain("6,128")
  })

  test("a name that isn't a line begins without a choice, and is known or not yours from then on", async () => {
    await using site = await startUploads()
    const packageId = await site.line({ name: "Autumn" })
    const file = (...names: string[]) => `Placement,Delivered\n${names.map((name) => `${name},700\n`).join("")}`
    const answers = { line: "Placement", day: "none", impressions: "Delivered", figures: "totals" }
    const preview = await answer(await site.upload(file("Autumn (Spring) 30s", "House ad")), answers)
    const names = preview.form(`${preview.path}/names`)
    expect(names.fields).toMatchObject({ "line.0": "", "line.1": "" })
    const matched = await names.send({ "line.0": packageId, "line.1": "not mine" })
    expect(matched.text).toContain("Will update 1 line")
    await report(matched)
    expect(await site.totals()).toEqual({ Autumn: 700 })

    const next = await site.upload(file("Autumn (Spring) 30s", "House ad", "New"))
    const { fields } = next.form(`${next.path}/names`)
    expect([fields["name.0"], fields["line.0"]]).toEqual(["New", ""])
    expect(Object.values(fields)).toContain("not mine")
    expect(Object.values(fields)).toContain(packageId)
  })

  test("a name that fits two lines fits none", async () => {
    await using site = await startUploads()
    await site.line({ name: "Twin" })
    await site.line({ name: "twin" })
    const answers = { line: "Placement", day: "none", impressions: "Delivered", figures: "totals" }
    const preview = await answer(await site.upload("Placement,Delivered\nTwin,7\n"), answers)
    expect(preview.text).toContain("Nothing in this file can be reported yet.")
    expect(preview.text).toContain("Names and their lines 1 name")
  })
})

test("values of affiliate figures may have the sign or code of one currency", async () => {
  await using site = await startUploads()
  const packageId = await site.line()
  await report(await site.upload(`packageId,code\n${packageId},A\n${packageId},B\n${packageId},C\n`))
  const values = async (...texts: string[]) => {
    const rows = texts.map((text, i) => `${"ABC"[i]},2026-11-02,1,"${text}"\n`).join("")
    return (await site.upload(`code,date,clicks,conversionValue\n${rows}`)).text
  }
  const euros = await values("€1,049.50", "2,000.25 €", "€ 3.5")
  for (const value of ["1049.5", "2000.25", "3.5"]) expect(euros).toContain(`1 clicks, value ${value}`)
  expect(await values("EUR 1.049,50", "7", "2,5\u00a0EUR")).toContain("value 1049.5 ")
  // Amounts in several currencies don't add up, and 5 MIO isn't five.
  const others = await values("US$5", "€5", "5 MIO")
  expect(others).toContain("Row 3 €5 isn’t a number.")
  expect(others).toContain("Row 4 5 MIO isn’t a number.")
  expect(others).toContain("value 5")
})

test("a file with one column per day is refused, whatever is answered", async () => {
  await using site = await startUploads()
  const packageId = await site.line()
  for (const days of [
    "2026-11-13,2026-11-14,2026-11-15",
    "13.11.2026,14.11.2026,15.11.2026",
    "11/1/26,11/2/26,11/13/26",
  ]) {
    const open = await site.upload(`Line,${days},Total\nPre-roll,5,6,7,18\n`)
    const [first = ""] = days.split(",")
    const total = { line: "Line", day: "none", impressions: "Total", figures: "totals" }
    for (const answers of [total, { ...total, impressions: first }, { ...total, line: `all:${packageId}` }]) {
      const refused = await answer(open, answers)
      expect([refused.status, refused.text.includes("This file has one column per day.")]).toEqual([422, true])
    }
    expect((await answer(open, {})).text).toContain("Unpivot it first, so that each row has one line, one day and one")
    expect((await open.send({ impressions: "2", "~mode": "preview" })).text).toContain("one column per day.")
  }
})

test("the page says which day a mailing has, and that the total of an episode has none", async () => {
  await using site = await startUploads()
  await site.line()
  const { text } = await site.upload("Line,Subject,Send Date,Opens\nPre-roll,Hello,2026-11-02,5\n")
  expect(text).toContain("For one row per mailing, choose the day it was sent, and daily figures below.")
  expect(text).toContain(
    "If the file has totals of episodes so far, no column has it: Published isn’t the day they were measured.",
  )
})

test("the page says which row can't be read, if rows belong to lines", async () => {
  await using site = await startUploads()
  await site.line()
  const open = await site.upload("Line,Date,Shown\nPre-roll,03/04/2026,5\nElsewhere,03/04/2026,6\n")
  const answers = { line: "Line", day: "Date", impressions: "Shown" }
  const asked = await answer(open, answers)
  expect(asked.text).not.toContain("no row belongs to one of your lines")
  expect(asked.text).toContain(
    "No row of your lines can be read yet. Row 2: 03/04/2026 can mean 2026-04-03 or 2026-03-04.",
  )
  const other = await answer(await site.upload("Line,Shown\nElsewhere,6\n"), { ...answers, day: "none" })
  expect(other.text).toContain("With these answers, no row belongs to one of your lines.")
})

test("the button says how many lines are reported, if they have totals of several days", async () => {
  await using site = await startUploads()
  await site.line({ booked: "" })
  await site.line({ name: "Mid-roll", booked: "" })
  const days = "Pre-roll,2026-11-01,5\nPre-roll,2026-11-02,7\nMid-roll,2026-11-02,9\n"
  const answers = { line: "Line", day: "Date", impressions: "Shown", figures: "totals" }
  expect((await answer(await site.upload(`Line,Date,Shown\n${days}`), answers)).html).toContain("Report 2 lines")
})
