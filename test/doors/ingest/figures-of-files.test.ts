import { describe, expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { FILES_PATH } from "../../../src/domain/feed-addresses.ts"
import type { FileReport } from "../../../src/domain/upload/file-report.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { givenSeller, historyOf, lineOf, totalOf } from "../cli/exports.ts"

const DAILY = "Line item,Date,Impressions\n5001,2026-11-01,1940\n5001,2026-11-02,2011\n5001,2026-11-03,2177\n"

async function given() {
  const app: TestApp = await startApp({ options: { limitIngest: "100000" } })
  const seller = await givenSeller(app)
  const send = async (body: string, query = "") => {
    const headers = { Authorization: `Bearer ${seller.key}`, "Content-Type": "text/csv" }
    const response = await app.fetch(`${FILES_PATH}${query}`, { method: "POST", headers, body })
    const report = (await response.json()) as FileReport & { detail: string }
    return { status: response.status, ...report }
  }
  return { app, seller, send, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

describe("figures that may be totals or days", () => {
  test("are refused with both readings, and taken as they are said to be", async () => {
    await using g = await given()
    const refused = await g.send(DAILY)
    expect(refused.status).toBe(422)
    expect(refused.detail).toContain("As totals so far, Line 5001 is at 2,177; as single days, at 6,128.")
    expect(refused.detail).toContain("figures=totals or figures=daily")
    expect(await totalOf(g.app, g.seller, "5001")).toBeNull()
    expect((await g.send(DAILY, "?figures=weekly")).status).toBe(400)
    expect(await g.send(DAILY, "?figures=daily")).toMatchObject({ status: 200, complete: true, accepted: 3 })
    expect(await historyOf(g.app, g.seller, "5001")).toEqual([1940, 3951, 6128])
  })

  test("on days that may be of two months are rejected with both readings, and taken as the days are said to be written", async () => {
    await using g = await given()
    const text = "Line item,Date,Impressions\n5001,01/11/2026,1940\n5001,02/11/2026,2011\n"
    const refused = await g.send(text, "?figures=daily")
    expect(refused).toMatchObject({ state: "failed", accepted: 0 })
    expect(refused.problems[0]?.text).toContain("01/11/2026 can mean 2026-11-01 or 2026-01-11.")
    expect(refused.problems[0]?.text).toContain("dates=day_first or dates=month_first")
    expect((await g.send(text, "?figures=daily&dates=iso")).status).toBe(400)
    expect(await g.send(text, "?figures=daily&dates=day_first")).toMatchObject({ complete: true, accepted: 2 })
    expect(await historyOf(g.app, g.seller, "5001")).toEqual([1940, 3951])
  })

  test("on days that show another order than is said are refused with both readings, and nothing is stored", async () => {
    await using g = await given()
    const text = "Line item,Date,Impressions\n5001,01/11/2026,100\n5001,13/11/2026,200\n5001,14/11/2026,300\n"
    const refused = await g.send(text, "?figures=daily&dates=month_first")
    expect(refused).toMatchObject({ status: 422, code: "unreadable_file" })
    expect(refused.detail).toContain("The month of its days is said to come first, but 13/11/2026 in row 3 can only be")
    expect(refused.detail).toContain("01/11/2026 can mean 2026-11-01 or 2026-01-11.")
    const mixed = `${text}5001,11/15/2026,400\n`
    for (const dates of ["day_first", "month_first"])
      expect((await g.send(mixed, `?figures=daily&dates=${dates}`)).status).toBe(422)
    const late = `external_id,as_of,impressions\n${"5001,2026-11-01,1\n".repeat(300)}5001,13/11/2026,2\n5001,01/11/2026,3\n`
    expect((await g.send(late, "?dates=month_first")).status).toBe(422)
    expect(await totalOf(g.app, g.seller, "5001")).toBeNull()
    expect(await g.send(text, "?figures=daily&dates=day_first")).toMatchObject({ complete: true, accepted: 3 })
    expect((await totalOf(g.app, g.seller, "5001"))?.quantity).toBe(600)
  })

  test("as totals are the last one", async () => {
    await using g = await given()
    expect(await g.send(DAILY, "?figures=totals")).toMatchObject({ complete: true })
    expect((await totalOf(g.app, g.seller, "5001"))?.quantity).toBe(2177)
  })

  test.each([
    ["devices", "Line item,Device,Date,Impressions\n5001,Phone,2026-11-02,1000\n5001,Desktop,2026-11-02,1500\n"],
    ["hours", "Line item,Date,Hour,Impressions\n5001,2026-11-02,0,1000\n5001,2026-11-02,1,1500\n"],
    ["months", "Line item,Month,Impressions\n5001,Oct 2026,1000\n5001,Nov 2026,1500\n"],
  ])("are no totals where one line has two at a time, of %s", async (_, text) => {
    await using g = await given()
    const report = await g.send(text, "?figures=totals")
    expect(report).toMatchObject({ state: "failed", accepted: 0, rejected: 2 })
    expect(report.problems[0]?.title).toBe("Two totals of Line 5001 at the same time")
    expect(report.problems[0]?.text).toContain("1,000 in row 2 and 1,500 in row 3")
    expect(await totalOf(g.app, g.seller, "5001")).toBeNull()
  })

  test("that fall within a file are left out, with what they fall from", async () => {
    await using g = await given()
    const falling = "Line item,Date,Impressions\n5001,2026-11-01,1500\n5001,2026-11-02,800\n"
    const { lines_left_out } = await g.send(falling, "?figures=totals")
    expect(lines_left_out).toEqual([{ line: "5001", current: 1500, total: 800 }])
  })

  test("of both bases in one export count by what the line is priced by", async () => {
    await using g = await given()
    const both = "Line item|Date|Impressions|Downloads\n5001|2026-11-02|900|0\n"
    expect(await g.send(both, "?figures=totals")).toMatchObject({ complete: true, accepted: 1 })
    expect((await totalOf(g.app, g.seller, "5001"))?.quantity).toBe(900)
  })

  test.each([
    ["our own names", "external_id,impressions,as_of\n5001,5,2026-11-01\n5001,7,2026-11-02\n", 7],
    ["blank rows above the headings", `${"\n".repeat(20_000)}external_id,impressions\n5001,12\n`, 12],
    ["blank rows below them", `external_id,impressions\n${"\n".repeat(20_000)}5001,13\n`, 13],
  ])("are not asked about with %s", async (_, text, total) => {
    await using g = await given()
    expect(await g.send(text)).toMatchObject({ status: 200, complete: true })
    expect((await totalOf(g.app, g.seller, "5001"))?.quantity).toBe(total)
  })

  test.each([
    ["a total of a day", "Line item,Date,Total impressions\n5001,2026-11-02,9\n"],
    ["a total of the report's days", "Line item,Total impressions\n5001,11\n"],
    ["words that mean totals", "Line item,Date,Impressions to date\n5001,2026-11-02,9\n"],
    ["totals to date of several days", "Line item,Date,Total impressions\n5001,2026-11-02,9\n5001,2026-11-03,12\n"],
    ["no day", "Line item,Impressions\n5001,9\n"],
    ["headings that others use too", "External ID,Impressions\n5001,9\n"],
    ["names of lines", "Line name,Impressions\nLine 5001,9\n"],
  ])("are asked about with %s", async (_, text) => {
    await using g = await given()
    expect(await g.send(text)).toMatchObject({ status: 422, detail: expect.stringContaining("in two ways") })
  })

  test("in a column that may be another's are refused with both, unless all columns have our own names", async () => {
    await using g = await given()
    // 30,000 are booked, 12,480 delivered.
    const text = 'Line item ID,Impressions,Delivered\n5001,"30,000","12,480"\n'
    const refused = await g.send(text, "?figures=totals")
    expect(refused.status).toBe(422)
    expect(refused.detail).toContain('Its figures may be in the column "Impressions" or "Delivered".')
    expect(await g.send("external_id,impressions,delivered\n5001,30000,12480\n")).toMatchObject({ complete: true })
  })

  test("of single days need the day", async () => {
    await using g = await given()
    expect(await g.send("Line item,Impressions\n5001,9\n", "?figures=daily")).toMatchObject({
      status: 422,
      detail: expect.stringContaining("need a column with the day"),
    })
  })
})

describe("a row of single days", () => {
  const file = (...rows: string[]) => `Line item,Date,Impressions\n${rows.map((row) => `${row}\n`).join("")}`
  const counted = ({ rejected, ignored, rows }: FileReport) => ({ rejected, ignored, rows })
  const rejectedRows = ({ rejected_rows: text }: FileReport) =>
    text
      .split("\n")
      .slice(1, -1)
      .map((row) => row.split(",").slice(0, 5).join(" "))

  test("that cannot be read is rejected once, with the others of its line, and each of them comes back", async () => {
    await using g = await given()
    const alone = await g.send(file("5001,2026-11-01,many"), "?figures=daily")
    expect(counted(alone)).toEqual({ rejected: 1, ignored: 0, rows: 1 })
    expect(alone.message).toBe("Nothing reported; 1 rejected.")
    const rows = [
      "5001,2026-11-01,5",
      "5001,2026-11-02,many",
      "5002,2026-11-02,7",
      "5001,2026-11-03,9",
      "other,2026-11-03,1",
    ]
    const report = await g.send(file(...rows), "?figures=daily")
    expect(counted(report)).toEqual({ rejected: 3, ignored: 1, rows: 5 })
    expect(report.problems.map(({ title, count, rows }) => [title, count, rows])).toEqual([
      ["Figures of Line 5001 are incomplete", 2, "2, 5"],
      ["A figure cannot be read", 1, "3"],
      ["None of your lines has the ID other", 1, "6"],
    ])
    expect(rejectedRows(report).sort()).toEqual([
      "5001 2026-11-01 5 2 invalid_item",
      "5001 2026-11-02 many 3 invalid_item",
      "5001 2026-11-03 9 5 invalid_item",
    ])
  })

  test("in the future is rejected itself, and the days before it count", async () => {
    await using g = await given()
    const rows = ["5001,2026-11-01,5", "5001,2027-01-01,6", "5001,2027-01-01,7", "5001,2027-01-02,8"]
    const report = await g.send(file(...rows), "?figures=daily")
    expect(report).toMatchObject({ accepted: 1, rejected: 3, problems: [{ reason: "as_of_in_future", rows: "3-5" }] })
  })

  test("before the flight is not lost without a word", async () => {
    await using g = await given()
    const report = await g.send(file("5001,2026-10-30,0", "5001,2026-10-31,40", "5001,2026-11-01,5"), "?figures=daily")
    expect(report).toMatchObject({ accepted: 1, rejected: 1, problems: [{ reason: "before_flight_start", rows: "3" }] })
    expect((await totalOf(g.app, g.seller, "5001"))?.quantity).toBe(5)
  })

  test("with a name that several lines have is rejected, not taken for one about lines of others", async () => {
    await using g = await given()
    const lines = [1, 2].map((place) => ({
      package_id: crypto.randomUUID(),
      external_id: `twin-${place}-${g.seller.slug}`,
      seller: g.seller.slug,
      name: "Twin",
      pricing_basis: "impressions",
      flight_start: "2026-11-01",
    }))
    const campaigns = [{ slug: `twins-${g.seller.slug}`, name: "Twins", buyer: g.seller.slug, lines }]
    expect(await importCatalogue(g.app, { campaigns }, "test")).toMatchObject({ ok: true })
    const text = "Line name,Date,Impressions\nTwin,2026-11-01,10\nLine 5001,2026-11-01,20\nOf others,2026-11-01,5\n"
    for (const figures of ["daily", "totals"])
      expect(await g.send(text, `?figures=${figures}`)).toMatchObject({
        ...{ complete: false, accepted: 1, rejected: 1, ignored: 1 },
        problems: [{ title: "2 lines are called “Twin”: use their IDs" }, { reason: "not_seller" }],
      })
  })

  test("may end with empty cells that have no heading", async () => {
    await using g = await given()
    expect(await g.send(file("5001,2026-11-01,5,", "5001,2026-11-02,6, ,"), "?figures=daily")).toMatchObject({
      complete: true,
    })
    expect((await totalOf(g.app, g.seller, "5001"))?.quantity).toBe(11)
    expect(await g.send(file("5001,2026-11-03,1,234"), "?figures=daily")).toMatchObject({ accepted: 0, rejected: 1 })
  })

  test("of a code is rejected once, too", async () => {
    await using g = await given()
    const codes = "id,publisher_id,sale_amount,commission,date,commission_status\n"
    const report = await g.send(`${codes}1,77001,5,1,2026-11-05,0\n2,77001,5,1,soon,0\n3,77001,7,1,2026-11-06,0\n`)
    expect(counted(report)).toEqual({ rejected: 3, ignored: 0, rows: 3 })
  })
})

describe("days that are sent again", () => {
  const day = (date: string, count: number) => `${date},5001,${count}\n`
  const file = (...rows: string[]) => `Day,Line item ID,Impressions\n${rows.join("")}`
  const daily = "?figures=daily"

  test("are refused where later totals would not follow, with what would happen; all of them together are taken", async () => {
    await using g = await given()
    await g.send(file(day("2026-11-01", 1000), day("2026-11-02", 1500)), daily)
    await g.send(file(day("2026-11-03", 100)), daily)
    expect((await totalOf(g.app, g.seller, "5001"))?.quantity).toBe(2600)
    const wrong = await g.send(file(day("2026-11-01", 10), day("2026-11-02", 15)), daily)
    expect(wrong).toMatchObject({ state: "failed", accepted: 0 })
    expect(wrong.problems[0]).toMatchObject({
      title: "Later days of Line 5001 would not follow",
      text: "Up to 2 Nov 2026 it would be 25 instead of 2,500, but the 2,600 up to 3 Nov 2026 would stay. Send all days up to 3 Nov 2026 in one file.",
    })
    expect(await historyOf(g.app, g.seller, "5001")).toEqual([1000, 2500, 2600])
    const same = await g.send(file(day("2026-11-01", 1000), day("2026-11-02", 1500)), daily)
    expect(same).toMatchObject({ complete: true })
    const all = file(day("2026-11-01", 10), day("2026-11-02", 15), day("2026-11-03", 100))
    expect(await g.send(all, `${daily}&allow_lower=true`)).toMatchObject({ complete: true })
    expect((await totalOf(g.app, g.seller, "5001"))?.quantity).toBe(125)
  })
})

describe("days of which the number says which comes first", () => {
  test("are read so in the whole column", async () => {
    await using g = await given()
    const text = "Line item,Date,Impressions\n5001,11/02/26,5\n5001,11/14/26,7\n"
    expect(await g.send(text, "?figures=totals")).toMatchObject({ complete: true, accepted: 2 })
    expect(await historyOf(g.app, g.seller, "5001")).toEqual([5, 7])
  })

  test("or rejected with both readings where the column leaves two", async () => {
    await using g = await given()
    const report = await g.send("external_id,as_of,impressions\n5001,11/02/26,5\n5001,11/03/26,7\n")
    expect(report).toMatchObject({ rejected: 2, problems: [{ title: "A day can be read in two ways" }] })
    expect(report.problems[0]?.text).toContain("11/02/26 can mean 2026-02-11 or 2026-11-02.")
  })
})

test("sums are left out, unless they are lines", async () => {
  await using g = await given()
  const text = "external_id,impressions,as_of\n5001,5,2026-11-02\nTotal,5,\n,5,Summe\n"
  expect(await g.send(text)).toMatchObject({ complete: true, accepted: 1, rejected: 0, ignored: 2 })
})

test("a heading that stands twice is refused", async () => {
  await using g = await given()
  expect(await g.send("external_id,impressions,impressions\n5001,5,6\n")).toMatchObject({
    status: 422,
    detail: 'Two columns are called "impressions". Leave one of them out.',
  })
})

test("figures of affiliates under other names are not taken without anybody's word", async () => {
  await using g = await given()
  expect(await g.send("Coupon,Date,Clicks\n77001,2026-11-02,5\n77001,2026-11-02,6\n")).toMatchObject({ status: 422 })
  expect(await g.send("code,date,clicks\n77001,2026-11-02,5\n")).toMatchObject({ complete: true })
})

describe("numbers with one mark", () => {
  const totalFrom = async (text: string, query: string) => {
    await using g = await given()
    const report = await g.send(text, query)
    return { ...report, total: (await totalOf(g.app, g.seller, "5001"))?.quantity ?? null }
  }

  test.each([
    ["decimals of three places", ["1234.000", "123.000", "0.000"], 1_357],
    ["thousands with a point", ["1.234.000", "123.000", "7"], 1_357_007],
    ["decimals after a comma", ["1.234,0", "12,000", "1.000"], 2_246],
    ["nothing: whole figures are thousands then", ["41.300", "1,200"], 42_500],
  ])("are read as the other figures of the file show: %s", async (_, figures, total) => {
    const rows = figures.map((figure, i) => `5001;2026-11-0${i + 1};${figure}\n`)
    const text = `Line item;Date;Impressions\n${rows.join("")}`
    expect(await totalFrom(text, "?figures=daily")).toMatchObject({ complete: true, total })
  })

  test("are refused with both readings where no other figure shows it, or others contradict each other", async () => {
    await using g = await given()
    const text = "package_id,downloads,as_of\n"
    const { packageId = "" } = (await lineOf(g.app, g.seller, "5001")) ?? {}
    for (const others of [[], ['"1.234,5"', '"1,234.5"']]) {
      const rows = [...others, '"30,000"'].map((figure, i) => `${packageId},${figure},2026-11-0${i + 1}\n`)
      const { problems } = await g.send(text + rows.join(""), "?dry_run=true")
      expect(problems.map((problem) => problem.text).join()).toContain("30,000 can mean 30000 or 30.")
    }
  })
})

describe("rows without a line", () => {
  test("that have a figure of a day are those of a merged cell above: nothing of the file is counted without them", async () => {
    await using g = await given()
    const text = "Line item,Date,Impressions\n5001,2026-11-01,10000\n,2026-11-02,11000\n,2026-11-03,12000\n"
    for (const figures of ["daily", "totals"]) {
      const report = await g.send(text, `?figures=${figures}&dry_run=true`)
      expect(report).toMatchObject({ complete: false, ignored: 0 })
      expect(report.problems.map(({ title }) => title)).toContain("A row has a figure of a day, but no line")
    }
    await g.send(text, "?figures=daily")
    expect(await totalOf(g.app, g.seller, "5001")).toBeNull()
  })

  test("and without a day are sums, and ignored, as are those that say so where the day stands", async () => {
    await using g = await given()
    const text =
      "Line item,Date,Impressions\n,,900\n5001,2026-11-01,400\n5001,2026-11-02,500\n5001,Total,900\nTotal,,900\n"
    expect(await g.send(text, "?figures=daily")).toMatchObject({ complete: true, accepted: 2, ignored: 3 })
    expect((await totalOf(g.app, g.seller, "5001"))?.quantity).toBe(900)
  })
})
