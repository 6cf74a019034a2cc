import { describe, expect, test } from "bun:test"
import type { FileReport } from "../../../src/domain/upload/file-report.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { CODES, givenSeller, historyOf, lineOf, totalOf } from "../cli/exports.ts"
import { givenPerson } from "./given.ts"
import { reportFile, uploadFile } from "./uploaded.ts"
import { signedIn } from "./visitor.ts"

const plain = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")

async function given() {
  const app: TestApp = await startApp()
  const seller = await givenSeller(app)
  const person = await signedIn(app, await givenPerson(app, { of: seller.slug }))
  const upload = (text: string, name?: string) =>
    uploadFile(person, "delivery", text, name, `/app/o/${seller.slug}/upload`)
  const post = async (address: string, path: string, fields: Record<string, string>) => {
    const answer = await person.post(`${address}/${path}`, fields)
    return answer
  }
  return { app, seller, person, upload, post, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const DAILY = "Line item,Date,Impressions\n5001,2026-11-01,1940\n5001,2026-11-02,2011\n5001,2026-11-03,2177\n"
const COLUMNS = { column_0: "external_id", column_1: "as_of", column_2: "impressions" }

describe("a file whose figures may be totals or days", () => {
  test("is asked about, with what a line of it would become under each, and the answer is remembered", async () => {
    await using g = await given()
    const address = await g.upload(DAILY)
    const asked = plain(await g.person.read(address))
    expect(asked).toContain("Each row is the total so far Line 5001 becomes 2,177.")
    expect(asked).toContain("Each row is one day Line 5001 becomes 6,128.")
    await g.post(address, "columns", { ...COLUMNS, figures: "daily", remember: "yes" })
    await reportFile(g.person, address)
    expect(await historyOf(g.app, g.seller, "5001")).toEqual([1940, 3951, 6128])
    const next = await g.upload(`${DAILY}5001,2026-11-04,100\n`, "next.csv")
    expect(plain(await g.person.read(next))).toMatch(/6,128 6,228 \+100/)
    // Another file may have the same columns and more: it is another export.
    const other = await g.upload("Line item,Impressions\n5001,9000\n", "other.csv")
    expect(plain(await g.person.read(other))).toContain("What are the figures?")
  })

  test("is read without its sums, and what can be read in two ways is asked about", async () => {
    await using g = await given()
    const rows = "15.11.2026;5001;1.940\n16.11.2026;5001;2.011\nGesamt;;3.951\n"
    const address = await g.upload(`Bericht: Podcasts\n\nDatum;Werbemittel;Downloads gesamt\n${rows}`)
    const columns = { column_0: "as_of", column_1: "external_id", column_2: "downloads", figures: "totals" }
    await g.post(address, "columns", columns)
    const preview = plain(await g.person.read(address))
    expect(preview).toContain("1.940 can mean 1940 or 1.94. Read as")
    expect(preview).not.toContain("Write ")
  })

  test("says how each reading compares with now", async () => {
    await using g = await given()
    const first = await g.upload("external_id,impressions,as_of\n5001,6000,2026-11-02\n")
    await reportFile(g.person, first)
    const asked = plain(await g.person.read(await g.upload(DAILY)))
    expect(asked).toContain("Line 5001 becomes 2,177, lower than the 6,000 of now.")
    expect(asked).toContain("Line 5001 becomes 6,128, 128 more than now.")
  })

  test("says nothing of a line whose later total stays by either reading", async () => {
    await using g = await given()
    await reportFile(g.person, await g.upload("external_id,impressions,as_of\n5001,6000,2026-11-14\n"))
    const asked = plain(await g.person.read(await g.upload(DAILY)))
    expect(asked).toContain("What are the figures?")
    expect(asked).not.toContain("becomes")
  })

  test("with our own names is never asked about", async () => {
    await using g = await given()
    const text = "external_id,as_of,impressions\n5001,2026-11-01,5\n5001,2026-11-02,7\n"
    const address = await g.upload(text)
    expect(plain(await g.person.read(address))).toContain("Will update 1 line 2 rows")
    expect(await g.person.read(`${address}/columns`)).not.toContain("What are the figures?")
  })
})

describe("what stands around a table", () => {
  const EXPORT = `Report:,Delivery\nDate range:,"1 Nov 2026, all day"\n\n${DAILY}Total,,6128\n`

  test("is left out, says so, and can be put back", async () => {
    await using g = await given()
    const address = await g.upload(EXPORT)
    expect(plain(await g.person.read(address))).toContain("Left out above the headings: rows 1–3.")
    await g.post(address, "columns", { ...COLUMNS, figures: "daily" })
    const shown = plain(await g.person.read(address))
    expect(shown).toContain("Left out above the headings: rows 1–3.")
    expect(shown).toContain("Left out as the sum of other rows (“Total”): Row 8. Put it back")
    expect(shown).toContain("Refused 0 rows")
    await g.post(address, "readings", { sums: "keep" })
    expect(plain(await g.person.read(address))).toContain("None of your lines has the ID Total Row 8.")
  })
})

describe("days that begin after the flight", () => {
  const LATE = DAILY.replaceAll("2026-11-0", "2026-11-1")

  test("are asked about: whoever knows that nothing came before says so for the whole file", async () => {
    await using g = await given()
    const address = await g.upload(LATE)
    await g.post(address, "columns", { ...COLUMNS, figures: "daily" })
    const asked = plain(await g.person.read(address))
    expect(asked).toContain("the total of Line 5001 at the end of 10 Nov 2026 is not known")
    expect(asked).toContain("Nothing was delivered on those days")
    await g.post(address, "readings", { before: "nothing" })
    await reportFile(g.person, address)
    expect(await historyOf(g.app, g.seller, "5001")).toEqual([1940, 3951, 6128])
    // What is known by then counts on.
    const later = await g.upload("Line item,Date,Impressions\n5001,2026-11-14,100\n", "later.csv")
    if ((await g.person.read(later)).includes("What are the figures?"))
      await g.post(later, "columns", { ...COLUMNS, figures: "daily" })
    await g.post(later, "readings", { before: "nothing" })
    expect(plain(await g.person.read(later))).toMatch(/6,128 6,228 \+100/)
  })

  test("are asked about again where the columns, or the line, are chosen anew", async () => {
    await using g = await given()
    const address = await g.upload("Day,Impressions\n2026-11-11,120\n2026-11-12,140\n", "line.csv")
    const choose = async (name: string) => {
      const line = (await lineOf(g.app, g.seller, name))?.packageId ?? ""
      await g.post(address, "columns", { column_0: "as_of", column_1: "impressions", figures: "daily", line })
      return plain(await g.person.read(address))
    }
    expect(await choose("5001")).toContain("Nothing was delivered on those days")
    await g.post(address, "readings", { before: "nothing" })
    expect(plain(await g.person.read(address))).not.toContain("is not known")
    expect(await choose("5002")).toContain("the total of Line 5002 at the end of 10 Nov 2026 is not known")
  })
})

test("what is wrong with every day of a line is said once", async () => {
  await using g = await given()
  const address = await g.upload(DAILY.replaceAll("Impressions", "Downloads"))
  await g.post(address, "columns", { ...COLUMNS, column_2: "downloads", figures: "daily" })
  expect(plain(await g.person.read(address))).toContain(
    "3 rows: The figure of Line 5001 is missing or of the wrong kind Rows 2–4.",
  )
})

describe("a file of one line", () => {
  test("says which on the page of the columns, and a sum in it is left out", async () => {
    await using g = await given()
    const line = await lineOf(g.app, g.seller, "5001")
    const address = await g.upload("Day,Impressions\n2026-11-01,120\n2026-11-02,140\nTotal,260\n", "line 5001.csv")
    const html = await g.person.read(address)
    const [offered = ""] = /<select id="line".*?<\/select>/s.exec(html) ?? []
    expect(offered).toContain("Line 5001")
    expect(offered).not.toMatch(/<option value="[^"]+" selected/)
    const columns = { column_0: "as_of", column_1: "impressions", figures: "daily" }
    const missing = await g.post(address, "columns", columns)
    expect([missing.status, (await missing.text()).includes('href="#line"')]).toEqual([422, true])
    const other = await givenSeller(g.app)
    const theirs = (await lineOf(g.app, other, "5001"))?.packageId ?? ""
    expect((await g.post(address, "columns", { ...columns, line: theirs })).status).toBe(422)
    await g.post(address, "columns", { ...columns, line: line?.packageId ?? "" })
    expect(plain(await g.person.read(address))).toContain("Left out as the sum of other rows (“Total”): Row 4.")
    await reportFile(g.person, address)
    expect(await historyOf(g.app, g.seller, "5001")).toEqual([120, 260])
  })
})

test("a row with the name of one line and the ID of another is refused, however its file comes", async () => {
  await using g = await given()
  const other = (await lineOf(g.app, g.seller, "5002"))?.packageId
  const texts = [
    `Line ID,Line name,Impressions\n5002,Line 5001,700\n5002,Line 5002,30\n`,
    `Line,Line ID,Impressions\nLine 5001,5002,700\nLine 5002,5002,30\n`,
    `Line name,Package,Impressions\nLine 5001,${other},700\nLine 5002,,30\n`,
  ]
  for (const [i, text] of texts.entries()) {
    const address = await g.upload(text, `${i}.csv`)
    const asked = await g.person.read(address)
    expect(plain(asked)).not.toContain("Line 5001 becomes 700")
    const columns = [...asked.matchAll(/<select name="(column_\d)".*?<\/select>/gs)].map(([select, name = ""]) => [
      name,
      /<option value="([^"]*)" selected/.exec(select)?.[1] ?? "",
    ])
    await g.post(address, "columns", { ...Object.fromEntries(columns), figures: "totals" })
    const shown = plain(await g.person.read(address))
    expect(shown).toContain("The row says “Line 5001”, but its ID is that of “Line 5002”.")
    expect(shown).toContain("Refused 1 row")
  }
  const headers = { Authorization: `Bearer ${g.seller.key}`, "Content-Type": "text/csv" }
  const sent = await g.app.fetch("/api/ingest/files?figures=totals", { method: "POST", headers, body: texts[0] ?? "" })
  const report = (await sent.json()) as FileReport
  expect(report).toMatchObject({ accepted: 1, rejected: 1 })
  expect(await totalOf(g.app, g.seller, "5001")).toBeNull()
})

test("a heading that promises a day is not followed where its values are none, nor is the day of an episode", async () => {
  await using g = await given()
  const address = await g.upload("Episode,Episode date,All time\nLine 5001,03.11.2026,412\n")
  const html = await g.person.read(address)
  const chosen = [...html.matchAll(/<select name="column_\d".*?<\/select>/gs)].map(
    ([select]) => /<option value="([^"]*)" selected/.exec(select)?.[1] ?? "",
  )
  expect(chosen).not.toContain("as_of")
})

describe("a line that is not known", () => {
  const TEXT = "external_id,impressions,as_of\nAutumn pre-roll 30s,700,2026-11-02\n"

  test("is matched in place by hand, with any line, and known from then on", async () => {
    await using g = await given()
    const line = await lineOf(g.app, g.seller, "5001")
    const address = await g.upload(TEXT.replace("Autumn pre-roll 30s", "Line 5001 (pre-roll)"))
    const html = await g.person.read(address)
    expect(plain(html)).toContain("None of your lines has the ID Line 5001 (pre-roll)")
    const [offered = ""] = /<select name="line".*?<\/select>/s.exec(html) ?? []
    expect(offered).not.toContain("selected")
    expect([...offered.matchAll(/<option/g)].length).toBe(
      1 + (await g.app.store.packageLines.listWithTotals(g.seller.organizationId)).length,
    )
    await g.post(address, "match", { text: "Line 5001 (pre-roll)", line: line?.packageId ?? "" })
    expect(plain(await g.person.read(address))).toContain("Will update 1 line 1 row")
    await reportFile(g.person, address)
    expect((await totalOf(g.app, g.seller, "5001"))?.quantity).toBe(700)
    const next = await g.upload(`external_id,impressions\nLine 5001 (pre-roll),800\n`, "next.csv")
    expect(plain(await g.person.read(next))).toContain("Will update 1 line 1 row")
  })

  test("is matched only with a line of one's own", async () => {
    await using g = await given()
    const other = await givenSeller(g.app)
    const theirs = await lineOf(g.app, other, "5001")
    const address = await g.upload(TEXT)
    await g.post(address, "match", { text: "Autumn pre-roll 30s", line: theirs?.packageId ?? "" })
    expect(plain(await g.person.read(address))).toContain("None of your lines has the ID Autumn pre-roll 30s")
  })

  test("leaves no dead end: the columns can be changed where nothing can be reported", async () => {
    await using g = await given()
    const address = await g.upload(TEXT)
    const html = await g.person.read(address)
    expect(plain(html)).toContain("Nothing in this file can be reported yet.")
    expect(html).toContain(`${address}/columns`)
    expect((await g.person.get(`${address}/columns`)).status).toBe(200)
  })

  test("is found by its name in a column of IDs", async () => {
    await using g = await given()
    const address = await g.upload("external_id,impressions\nLine 5001,5\n")
    expect(plain(await g.person.read(address))).toContain("Will update 1 line 1 row")
  })
})

describe("days with two readings", () => {
  test("are read as the column says, and asked about where it says nothing", async () => {
    await using g = await given()
    const one = await g.upload("external_id,as_of,impressions\n5001,11/02/26,5\n5001,11/14/26,7\n")
    expect(plain(await g.person.read(one))).toContain("14 Nov, 23:59")
    const two = await g.upload("external_id,as_of,impressions\n5001,11/02/26,5\n", "two.csv")
    expect(plain(await g.person.read(two))).toContain("11/02/26 can mean 2026-02-11 or 2026-11-02.")
    await g.post(two, "readings", { dates: "month_first" })
    expect(plain(await g.person.read(two))).toContain("2 Nov, 23:59")
  })

  test("are not read against what the column shows, whoever says it: a person is told why", async () => {
    await using g = await given()
    const address = await g.upload("Placement,Day,Views\n5001,01/11/2026,100\n5001,13/11/2026,200\n")
    const columns = { column_0: "external_id", column_1: "as_of", column_2: "impressions", figures: "daily" }
    expect((await g.post(address, "columns", { ...columns, dates: "month_first" })).status).toBe(422)
    await g.post(address, "columns", columns)
    expect(plain(await g.person.read(address))).toContain("Day first")
    await g.post(address, "readings", { dates: "month_first" })
    const told = plain(await g.person.read(address))
    expect(told).toContain("13/11/2026 in row 3 can only be 2026-11-13, with the day first.")
    await reportFile(g.person, address)
    expect(await historyOf(g.app, g.seller, "5001")).toEqual([100, 300])
  })

  test("are read anew where another column is said to have the days", async () => {
    await using g = await given()
    const text = "Line item,Made,Date,Impressions\n5001,13/11/2026,02/11/2026,5\n"
    const address = await g.upload(text)
    const columns = { column_0: "external_id", column_3: "impressions", figures: "totals" }
    await g.post(address, "columns", { ...columns, column_1: "as_of", column_2: "" })
    await g.post(address, "columns", { ...columns, column_1: "", column_2: "as_of" })
    expect(plain(await g.person.read(address))).toContain("02/11/2026 can mean 2026-11-02 or 2026-02-11.")
  })
})

test("rows that share a code and a day are not counted until somebody says that they add up", async () => {
  await using g = await given()
  const [code = ""] = Object.keys(CODES)
  const text = `Coupon,Date,Device,Clicks\n${code},2026-11-01,Phone,10\n${code},2026-11-01,Desktop,20\n${code},2026-11-02,Phone,5\n`
  const address = await uploadFile(g.person, "affiliate_metrics", text, "devices.csv", `/app/o/${g.seller.slug}/upload`)
  await g.post(address, "columns", { column_0: "code", column_1: "date", column_2: "", column_3: "clicks" })
  const asked = plain(await g.person.read(address))
  expect(asked).toContain("2 rows: A code has several rows for one day")
  expect(asked).toContain(`Rows 2 and 3 both have ${code} on 2026-11-01, with other figures.`)
  await g.post(address, "readings", { parts: "add" })
  await reportFile(g.person, address)
  const { organizationId } = g.seller
  const { codes } = await g.app.store.affiliateFigures.figures({ organizationIds: [organizationId] })
  expect(codes.find((figures) => figures.code === code)?.clicks).toBe(35n)
})
