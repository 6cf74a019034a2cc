import { describe, expect, test } from "bun:test"
import { FILES_PATH } from "../../../src/domain/feed-addresses.ts"
import type { FileReport } from "../../../src/domain/upload/file-report.ts"
import { headingsKey } from "../../../src/domain/upload/recognize-file.ts"
import { WORKBOOK_TYPE } from "../../../src/domain/upload/upload.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { EXPORTS, givenSeller, historyOf, lineOf, type Seller, totalOf } from "../cli/exports.ts"
import { givenPerson } from "../web/given.ts"
import { signedIn } from "../web/visitor.ts"
import { type Content, checkers, publishedBy } from "./published-schemas.ts"

const GAM = EXPORTS.get("google-ad-manager")?.text ?? ""
const GHOST = EXPORTS.get("ghost")?.text ?? ""
const POST = "https://news.example.com/autumn/"

// Whoever asks again and again is not stopped here.
const UNLIMITED = { limitIngest: "100000" }

function send(app: TestApp, key: string, body: BodyInit, query = "", headers: Record<string, string> = {}) {
  return app.fetch(`${FILES_PATH}${query}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "text/csv", ...headers },
    body,
  })
}

/** Sends a file. The answer comes when the server is done with it. */
async function reported(app: TestApp, { key }: Seller, body: string, query = ""): Promise<FileReport> {
  const response = await send(app, key, body, query)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as FileReport
}

describe("a program sends a whole file", () => {
  test("with dry_run it is only checked, and the answer says what would be reported", async () => {
    await using app = await startApp({ options: UNLIMITED })
    const seller = await givenSeller(app)
    const checked = await reported(app, seller, GAM, "?dry_run=true")
    expect(checked).toMatchObject({ state: "done", complete: true, accepted: 3, ignored: 1 })
    expect(checked.message).toBe("3 totals would be reported; 1 row ignored.")
    expect(await totalOf(app, seller, "5001")).toBeNull()
    expect(await app.store.uploads.list(seller.organizationId, 1)).toEqual([])
    expect((await reported(app, seller, GAM)).accepted).toBe(3)
    const lower = await reported(app, seller, GAM.replace(",300,", ",3,"), "?dry_run=true")
    expect(lower).toMatchObject({ complete: false, accepted: 0, left_out: 3 })
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(2500)
  })

  test("an admin withdraws all that it reported", async () => {
    await using app = await startApp({ options: UNLIMITED })
    const seller = await givenSeller(app)
    await reported(app, seller, GAM)
    const [{ id } = { id: 0 }] = await app.store.uploads.list(seller.organizationId, 1)
    const admin = await signedIn(app, await givenPerson(app, { of: seller.slug, role: "admin" }))
    const address = `/app/o/${seller.slug}/upload/${id}`
    expect(await admin.read(address)).toContain("Withdraw this upload")
    const back = await admin.follow(`${address}/withdraw`, { reason: "The wrong month" })
    expect(await back.text()).toContain("3 totals of 1 line withdrawn.")
    expect(await totalOf(app, seller, "5001")).toBeNull()
  })

  test("it is reported under the key, with the name of the file", async () => {
    await using app = await startApp({ options: UNLIMITED })
    const seller = await givenSeller(app)
    const report = await reported(app, seller, GAM, "?name=october.csv")
    expect(report).toMatchObject({
      state: "done",
      complete: true,
      preset: "google-ad-manager",
      accepted: 3,
      ignored: 1,
    })
    const line = await lineOf(app, seller, "5001")
    const { entries } = await app.store.deliveryHistory.page(line?.lineId ?? 0, "seller", null, 1)
    expect(entries[0]?.source).toMatchObject({ kind: "key", sender: "ad server", detail: "october.csv" })
    await app.store.flushWriteBuffer()
    const [key] = await app.store.feedActivity.keys(seller.organizationId)
    const counts = (await app.store.feedActivity.counts(key?.id ?? "", 0)).filter(({ feed }) => feed === "files")
    expect(counts.map(({ unit, outcome, count }) => [unit, outcome, count]).sort()).toEqual([
      ["item", "accepted", 3],
      ["request", "answered", 1],
    ])
  })

  test("sent again later it has no other effect: its figures were measured when it was made", async () => {
    await using app = await startApp({ options: UNLIMITED })
    const seller = await givenSeller(app)
    await reported(app, seller, GHOST, "?modified=2026-11-14T10:00:00Z")
    await reported(app, seller, GHOST.replace(",2100,", ",2300,"), "?modified=2026-11-15T10:00:00Z")
    app.clock.advance({ days: 2 })
    await reported(app, seller, GHOST, "?modified=2026-11-14T10:00:00Z")
    expect((await totalOf(app, seller, POST))?.quantity).toBe(2300)
    expect(await historyOf(app, seller, POST)).toEqual([2100, 2300])
  })

  test("figures of the day on which the file was made are not those of the whole day", async () => {
    await using app = await startApp({ now: "2026-11-03T12:00:00Z", options: UNLIMITED })
    const seller = await givenSeller(app)
    const day = (date: string, count: number) =>
      `Dimension.DATE,Dimension.LINE_ITEM_ID,Column.AD_SERVER_IMPRESSIONS\n${date},5001,${count}\n`
    await reported(app, seller, day("2026-11-01", 10), "?modified=2026-11-02T01:00:00Z")
    await reported(app, seller, day("2026-11-02", 5), "?modified=2026-11-02T12:00:00Z")
    // The afternoon of the second is in neither file.
    const gap = await reported(app, seller, day("2026-11-03", 1), "?modified=2026-11-03T11:00:00Z")
    expect([gap.state, gap.problems[0]?.title]).toEqual(["failed", "Days before the file are missing"])
    await reported(app, seller, `${day("2026-11-02", 8)}2026-11-03,5001,1\n`, "?modified=2026-11-03T11:00:00Z")
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(19)
  })

  test("what was known before is found however many reports came since", async () => {
    await using app = await startApp({ now: "2026-11-03T12:00:00Z", options: UNLIMITED })
    const seller = await givenSeller(app)
    const day = (date: string, count: number) =>
      `Dimension.DATE,Dimension.LINE_ITEM_ID,Column.AD_SERVER_IMPRESSIONS\n${date},5001,${count}\n`
    const total = (count: number, at: string) => `external_id,impressions,as_of\n5001,${count},${at}\n`
    await reported(app, seller, day("2026-11-01", 10), "?modified=2026-11-02T01:00:00Z")
    const minutes = Array.from({ length: 700 }, (_, i) => new Date(Date.UTC(2026, 10, 2, 20, i)).toISOString())
    await reported(
      app,
      seller,
      `${total(20, "2026-11-02T12:00:00Z")}${minutes.map((at, i) => `5001,${40 + i},${at}`).join("\n")}\n`,
    )
    // A late total is compared with those around it, and a day is added to the total of the day before.
    expect(await reported(app, seller, total(9, "2026-11-02T11:00:00Z"))).toMatchObject({
      left_out: 1,
      lines_left_out: [{ line: "5001", total: 9 }],
    })
    const late = await reported(app, seller, day("2026-11-02", 15), "?modified=2026-11-02T13:00:00Z")
    expect(late.problems).toEqual([])
    expect(await historyOf(app, seller, "5001")).toContain(25)
  })

  test("our own columns, and those that somebody matched in the app, need no preset", async () => {
    await using app = await startApp({ options: UNLIMITED })
    const seller = await givenSeller(app)
    expect(await reported(app, seller, "external_id;impressions;as_of\n5001;77;2026-11-03\n")).toMatchObject({
      complete: true,
      preset: null,
    })
    const mine = "Placement,Views\n5001,99\n"
    expect((await send(app, seller.key, mine)).status).toBe(422)
    const reading = { kind: "delivery", columns: ["external_id", "impressions"], figures: "totals", at: app.clock() }
    const said = JSON.stringify({ ...reading, numbers: null, dates: null })
    await app.store.uploads.remember(seller.organizationId, "reading", headingsKey(["Placement", "Views"]), said)
    expect(await reported(app, seller, mine)).toMatchObject({ complete: true, accepted: 1 })
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(99)
  })

  test("lines before the header and totals at the end do not disturb a preset", async () => {
    await using app = await startApp({ options: UNLIMITED })
    const seller = await givenSeller(app)
    const text = `"Report, all lines"\nRange;1 to 4 November\n\n${GAM}`
    expect(await reported(app, seller, text)).toMatchObject({ complete: true, accepted: 3 })
    const ended = GHOST.replace("Next letter,", "Total,")
    expect(await reported(app, seller, ended)).toMatchObject({ complete: true, accepted: 1 })
    expect(await reported(app, seller, `${GAM}Total,,,2510,6\nGrand total,-,,,\n`)).toMatchObject({ complete: true })
  })

  test("a row that cannot be read holds up its own line, and nobody else's", async () => {
    await using app = await startApp({ options: UNLIMITED })
    const seller = await givenSeller(app)
    const columns = "Dimension.DATE,Dimension.LINE_ITEM_ID,Column.AD_SERVER_IMPRESSIONS"
    const rows = ["2026-11-01,5001,10", "2026-11-02,5001,many", "2026-11-01,5002,7", "2026-11-02,5002,8"]
    const report = await reported(app, seller, [columns, ...rows, ",5002,9", "someday,7777,1"].join("\n"))
    expect(report).toMatchObject({ state: "failed", complete: false })
    expect(report.problems.map(({ title }) => title).sort()).toEqual([
      "A day is missing",
      "A figure cannot be read",
      "Figures of Line 5001 are incomplete",
      "Figures of Line 5002 are incomplete",
      "None of your lines has the ID 7777",
    ])
    const better = await reported(app, seller, [columns, ...rows, "someday,7777,1"].join("\n"))
    expect(better).toMatchObject({ state: "done", complete: false, accepted: 2 })
    expect((await totalOf(app, seller, "5002"))?.quantity).toBe(15)
    expect(await totalOf(app, seller, "5001")).toBeNull()
    // Of a row that is longer than the header nobody knows what it is about.
    const long = await reported(app, seller, [columns, "2026-11-01,5002,1", "2026-11-01,1,5002,1"].join("\n"))
    expect(long).toMatchObject({ state: "failed", accepted: 0 })
    const codes = "id,publisher_id,sale_amount,commission,date,commission_status\n"
    const sold = "1,77001,5,1,2026-11-05,0\n2,77001,5,1,soon,0\n3,77002,7,1,2026-11-05,0\n"
    expect(await reported(app, seller, `${codes}${sold}sum,,,,all,\n`)).toMatchObject({
      state: "done",
      complete: false,
      accepted: 1,
    })
  })

  test("the rejected rows come back as they were, with the reason, and those about other lines do not", async () => {
    await using app = await startApp({ options: UNLIMITED })
    const seller = await givenSeller(app)
    const text = 'external_id;impressions;note\n5001;5;a\nother;7;b\n5001;many;"c;d"\n'
    const report = await reported(app, seller, text)
    expect(report).toMatchObject({ accepted: 1, rejected: 1, ignored: 1, complete: false, dry_run: false })
    expect(report.rejected_rows.split("\n")).toEqual([
      "external_id,impressions,note,row,reason,message",
      expect.stringMatching(/^5001,many,c;d,4,invalid_item,.*many is not a number/),
      "",
    ])
  })

  test("rows of our own feed about packages of others are rejected, and a lower total is a correction", async () => {
    await using app = await startApp({ options: UNLIMITED })
    const seller = await givenSeller(app)
    const line = await lineOf(app, seller, "5001")
    const csv = (total: number, id = line?.packageId) => `package_id,impressions\n${id},${total}\n`
    expect(await reported(app, seller, csv(9))).toMatchObject({ complete: true })
    expect(await reported(app, seller, csv(8), "?modified=2020-01-01T00:00:00Z")).toMatchObject({ complete: true })
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(8)
    const others = await reported(app, seller, csv(9, crypto.randomUUID()))
    expect(others).toMatchObject({ state: "failed", rejected: 1, ignored: 0, problems: [{ reason: "not_seller" }] })
  })

  test("every refusal is documented, and none leaves a file behind that somebody has to decide about", async () => {
    await using app = await startApp({ options: { limitIngest: "12" } })
    const { key, organizationId } = await givenSeller(app)
    const published = await publishedBy(app)
    const responses = published.paths[FILES_PATH]?.["post"]?.responses ?? {}
    const checkerOf = checkers(published)
    const contentOf = (status: number, type: string): Content => {
      const content = responses[status]?.content[type]
      if (content === undefined) throw new Error(`${status} is not documented`)
      return content
    }
    const isReport = checkerOf(contentOf(200, "application/json").schema)
    const fine = await send(app, key, GAM)
    expect([isReport(await fine.json()), isReport.errors]).toEqual([true, null])
    const large = `${GAM}${"2026-11-01,5001,x,1,1\n".repeat(1_000_000)}`
    const refusals = [
      await app.fetch(FILES_PATH, { method: "POST", body: GAM }),
      await send(app, "abi_wrong", GAM),
      await send(app, key, GAM, "?modified=yesterday"),
      await send(app, key, GAM, "?allow_lower=yes"),
      await send(app, key, GAM, "?dry_run=maybe"),
      await send(app, key, GAM, "", { "Content-Type": "application/json" }),
      await send(app, key, Bun.gzipSync(GAM), "", { "Content-Encoding": "gzip" }),
      await send(app, key, large),
      await send(app, key, new Uint8Array([0x50, 0x4b, 3, 4, 0]), "", { "Content-Type": WORKBOOK_TYPE }),
      await send(app, key, "a,b\n1,2\n"),
    ]
    const statuses = [401, 401, 400, 400, 400, 415, 415, 413, 422, 422]
    expect(refusals.map(({ status }) => status)).toEqual(statuses)
    for (const response of refusals) {
      const isProblem = checkerOf(contentOf(response.status, "application/problem+json").schema)
      expect([isProblem(await response.json()), isProblem.errors]).toEqual([true, null])
    }
    const left = await app.store.uploads.list(organizationId, 50)
    expect(left.map(({ state }) => state)).toEqual(["done"])
    const tired: number[] = []
    for (let i = 0; i < 4; i++) tired.push((await send(app, key, GAM)).status)
    expect(tired.at(-1)).toBe(429)
  })

  test("totals that were known already, or are older than the current one, are not called reported", async () => {
    await using app = await startApp({ options: UNLIMITED })
    const seller = await givenSeller(app)
    const totals = (...rows: string[]) => `external_id,impressions,as_of\n${rows.join("\n")}\n`
    await reported(app, seller, totals("5001,900,2026-11-03"))
    const older = await reported(app, seller, totals("5001,500,2026-11-02"), "?dry_run=true")
    expect(older).toMatchObject({ accepted: 1, older_than_current: 1, unchanged: 0 })
    expect(older.message).toBe("Nothing would change; 1 older than the current total, which stays.")
    const known = await reported(app, seller, totals("5001,900,2026-11-03", "5002,7,2026-11-03"))
    expect(known).toMatchObject({ accepted: 2, older_than_current: 0, unchanged: 1 })
    expect(known.message).toBe("1 total reported; 1 already known.")
    const both = await reported(app, seller, totals("5001,500,2026-11-02", "5002,7,2026-11-03"))
    expect(both.message).toBe("Nothing changed; 1 already known; 1 older than the current total, which stays.")
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(900)
  })
})
