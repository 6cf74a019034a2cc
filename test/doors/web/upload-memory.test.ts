import { describe, expect, test } from "bun:test"
import { FILES_PATH } from "../../../src/domain/feed-addresses.ts"
import { startApp } from "../../harness.ts"
import { givenSeller, historyOf, lineOf, totalOf } from "../cli/exports.ts"
import { givenPerson } from "./given.ts"
import { reportFile, uploadFile } from "./uploaded.ts"
import { signedIn, textOf } from "./visitor.ts"

async function given() {
  const app = await startApp()
  const seller = await givenSeller(app)
  const person = await signedIn(app, await givenPerson(app, { of: seller.slug }))
  const upload = (text: string, name?: string) =>
    uploadFile(person, "delivery", text, name, `/app/o/${seller.slug}/upload`)
  const post = async (address: string, path: string, fields: Record<string, string>) => {
    const answer = await person.post(`${address}/${path}`, fields)
    return answer
  }
  const read = async (address: string) => textOf(await person.read(address))
  const headers = { Authorization: `Bearer ${seller.key}`, "Content-Type": "text/csv" }
  const send = (body: string, query = "") => app.fetch(`${FILES_PATH}${query}`, { method: "POST", headers, body })
  const lineId = async (externalId: string) => (await lineOf(app, seller, externalId))?.packageId ?? ""
  return {
    app,
    seller,
    person,
    upload,
    post,
    read,
    send,
    lineId,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** An export of single days with more columns than it needs. */
const DAYS =
  "Line item,Date,Device,Impressions\n5001,2026-11-01,All,1940\n5001,2026-11-02,All,2011\n5001,2026-11-03,All,1177\n"
const COLUMNS = { column_0: "external_id", column_1: "as_of", column_2: "", column_3: "impressions" }
/** Totals so far, of another system with some of the same headings. */
const SO_FAR = "Line item,Date,Impressions\n5001,2026-11-01,40000\n5001,2026-11-02,45000\n5001,2026-11-03,50243\n"

async function givenRemembered() {
  const g = await given()
  const address = await g.upload(DAYS, "days.csv")
  await g.post(address, "columns", { ...COLUMNS, figures: "daily", remember: "yes" })
  await reportFile(g.person, address)
  return g
}

describe("a reading is remembered for the whole row of headings", () => {
  test("and for no other export with some of them: that is asked about, and refused to a program with both readings", async () => {
    await using g = await givenRemembered()
    for (const query of ["", "?dry_run=true"]) {
      const sent = await g.send(SO_FAR, query)
      const { detail } = (await sent.json()) as { detail: string }
      expect([sent.status, detail]).toEqual([422, expect.stringContaining("is at 50,243; as single days, at 135,243")])
    }
    expect(await g.read(await g.upload(SO_FAR, "so-far.csv"))).toContain("What are the figures?")
    expect(await historyOf(g.app, g.seller, "5001")).toEqual([1940, 3951, 5128])
  })

  test("in their order: the same headings otherwise arranged are another export", async () => {
    await using g = await givenRemembered()
    const text = "Date,Line item,Device,Impressions\n2026-11-04,5001,All,100\n"
    expect(await g.read(await g.upload(text))).toContain("What are the figures?")
  })

  test("and is not overwritten by what is remembered of another export", async () => {
    await using g = await givenRemembered()
    const other = await g.upload("Line item,Date,Impressions\n5002,2026-11-01,7\n", "other.csv")
    const columns = { column_0: "external_id", column_1: "", column_2: "impressions" }
    await g.post(other, "columns", { ...columns, figures: "totals", remember: "yes" })
    await reportFile(g.person, other)
    const sent = await g.send(`${DAYS}5001,2026-11-04,All,100\n`)
    expect([sent.status, await sent.json()]).toMatchObject([200, { complete: true }])
    expect((await totalOf(g.app, g.seller, "5001"))?.quantity).toBe(5228)
  })

  test("is said with its day, changed, and forgotten on the page of the file", async () => {
    await using g = await givenRemembered()
    const next = await g.upload(`${DAYS}5001,2026-11-04,All,100\n`, "next.csv")
    expect(await g.read(next)).toContain("Read as on 15 Nov")
    expect(await g.read(next)).toContain("Forget")
    await g.post(next, "forget", {})
    expect(await g.read(next)).toContain("What are the figures?")
    const sent = await g.send(DAYS)
    expect(sent.status).toBe(422)
  })

  test.each([
    ["of two days", [1000, 1400]],
    ["of three days", [1000, 1400, 1400]],
    ["of seven days", [100, 200, 300, 400, 500, 600, 700]],
  ])("but figures that never fall, %s, are asked about again where they are to be read as days", async (_, figures) => {
    await using g = await givenRemembered()
    const rows = figures.map((figure, i) => `5002,2026-11-0${i + 1},All,${figure}\n`)
    const text = `Line item,Date,Device,Impressions\n${rows.join("")}`
    const asked = await g.read(await g.upload(text))
    expect(asked).toContain("What are the figures?")
    expect(asked).toContain("never fall")
    expect((await g.send(text)).status).toBe(422)
    const said = await g.send(text, "?figures=daily")
    expect([said.status, await said.json()]).toMatchObject([200, { complete: true }])
    const sum = figures.reduce((total, figure) => total + figure)
    expect((await totalOf(g.app, g.seller, "5002"))?.quantity).toBe(sum)
  })
})

describe("a name that is none of the seller's lines", () => {
  const TEXT = "external_id,impressions\nEp. 40: Ropes,15424\n5002,30\n"

  test("is ignored, and no line is chosen for it", async () => {
    await using g = await given()
    const html = await g.person.read(await g.upload(TEXT))
    const select = /<select name="line".*?<\/select>/s.exec(html)?.[0] ?? ""
    expect(select).toContain("<option value>Choose the line</option>")
    expect(select).not.toContain("selected")
    expect(textOf(html)).toContain("Not yours, ignored")
    expect(textOf(html)).toContain("Not mine")
    expect(textOf(html)).not.toContain("Refused 1")
  })

  test("is a line once somebody says so, which is shown and undone on the same page", async () => {
    await using g = await given()
    const address = await g.upload(TEXT)
    await g.post(address, "match", { text: "Ep. 40: Ropes", line: "" })
    expect(await g.read(address)).toContain("Will update 1 line")
    await g.post(address, "match", { text: "Ep. 40: Ropes", line: await g.lineId("5001") })
    const shown = await g.read(address)
    expect(shown).toContain("Will update 2 lines")
    expect(shown).toContain("“Ep. 40: Ropes” counts as Line 5001")
    await g.post(address, "match", { text: "Ep. 40: Ropes", undo: "yes" })
    expect(await g.read(address)).toContain("Will update 1 line")
    await g.post(address, "match", { text: "Ep. 40: Ropes", not_mine: "yes" })
    expect(await g.read(address)).toContain("“Ep. 40: Ropes” is not yours")
  })

  test("stays none when the file is discarded", async () => {
    await using g = await given()
    const address = await g.upload(TEXT)
    await g.post(address, "match", { text: "Ep. 40: Ropes", line: await g.lineId("5001") })
    await g.person.post(`${address}/discard`, {})
    const next = await g.upload(TEXT, "next.csv")
    expect(await g.read(next)).toContain("Will update 1 line")
    expect(await totalOf(g.app, g.seller, "5001")).toBeNull()
  })

  test("is the line in later files once it is reported, which says so and can be undone", async () => {
    await using g = await given()
    const address = await g.upload(TEXT)
    await g.post(address, "match", { text: "Ep. 40: Ropes", line: await g.lineId("5001") })
    await reportFile(g.person, address)
    const next = await g.upload(TEXT.replace("15424", "15999"), "next.csv")
    expect(await g.read(next)).toContain("“Ep. 40: Ropes” counts as Line 5001")
    await g.post(next, "match", { text: "Ep. 40: Ropes", undo: "yes" })
    expect(await g.read(next)).not.toContain("15,999")
    const later = await g.upload(TEXT.replace("15424", "16000"), "later.csv")
    expect(await g.read(later)).not.toContain("16,000")
  })
})

test("amounts that are shown while the columns are chosen are those of the result, or none", async () => {
  await using g = await given()
  // The second day can be read in two ways, so nobody knows yet what the line becomes.
  const text = "Line item,Date,Impressions\n5001,2026-11-01,19000\n5001,03/11/2026,3830\n"
  const asked = await g.read(await g.upload(text))
  expect(asked).toContain("What are the figures?")
  expect(asked).not.toContain("becomes 3,830")
  expect(asked).not.toContain("becomes 19,000")
})
