import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { signIn } from "../harness/browser/browse.ts"
import { answer, report, startUploads, type UploadSite } from "../harness/data/uploads.ts"
import { eachEngine } from "../harness/store.ts"

const FILES = "/api/ingest/files"
const FIGURES =
  "Placement,Date,Delivered\nPre-roll,2026-11-01,1940\nPre-roll,2026-11-02,2011\nPre-roll,2026-11-03,1177\n"
const OURS = "external_id,impressions,as_of\n"

interface Sending {
  readonly key: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a file as a program would. */
async function send({ app }: UploadSite, body: BodyInit, { key, query = "", headers = {} }: Sending) {
  const response = await app.fetch(FILES + query, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "text/csv", ...headers },
    body,
  })
  return { status: response.status, ...((await response.json()) as Answer) }
}

interface Published {
  readonly paths: Readonly<Record<string, { readonly post: { readonly responses: object } }>>
}

interface Answer {
  readonly detail: string
  readonly code: string
  readonly message: string
  readonly rejected_rows: readonly { readonly row: number; readonly reason: string; readonly message: string }[]
}

async function startFeed(engine?: Parameters<typeof startUploads>[0]) {
  const site = await startUploads(engine)
  const packageId = await site.line({ externalId: "5001", booked: "" })
  const key = await site.key()
  const file = (body: BodyInit, query = "", headers = {}) => send(site, body, { key, query, headers })
  return { site, packageId, key, file, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() }
}

eachEngine((engine) => {
  test("a file with our own headings is reported, and sending it twice counts once", async () => {
    await using feed = await startFeed(engine)
    const body = `${OURS}5001,900,2026-11-03\n5001,700,2026-11-02\nother,5,2026-11-03\n`
    expect(await feed.file(body, "?name=october.csv")).toMatchObject({
      status: 200,
      name: "october.csv",
      dry_run: false,
      complete: true,
      message: "2 totals reported, 1 row skipped.",
      accepted: 2,
      changed: 1,
      rejected: 0,
      skipped: 1,
      skipped_names: [{ name: "other", rows: 1 }],
    })
    expect(await feed.file(body)).toMatchObject({ complete: true, changed: 0, older_than_current: 0, unchanged: 1 })
    expect(await feed.site.history("Pre-roll")).toEqual([700, 900])
  })

  test("a process that ends inside the transaction leaves nothing", async () => {
    await using feed = await startFeed(engine)
    const { database } = feed.site.app
    const failed = database.transactReport(async (tx) => {
      await tx.db
        .insert(tx.uploadMemory)
        .values({ organizationId: feed.site.seller.id, kind: "line", name: "x", meaning: "y" })
      throw new Error("killed")
    })
    await expect(failed).rejects.toThrow("killed")
    expect(await feed.file(`${OURS}x,5,2026-11-03\n`)).toMatchObject({ accepted: 0, skipped: 1 })
  })

  test("with dry_run the answer is the same, but nothing is stored", async () => {
    await using feed = await startFeed(engine)
    const body = `${OURS}5001,900,2026-11-03\n`
    const checked = await feed.file(body, "?dry_run=true")
    expect(checked).toMatchObject({ dry_run: true, complete: true, message: "1 total would be reported." })
    expect(await feed.site.totals()).toEqual({ "Pre-roll": null })
  })
})

describe("figures that can be totals or daily figures", () => {
  test("are refused with both readings, and taken as the program says", async () => {
    await using feed = await startFeed()
    const { site } = feed
    const unknown = await feed.file(FIGURES)
    expect([unknown.status, unknown.code]).toEqual([422, "unreadable_file"])
    expect(unknown.detail).toStartWith("Adbooth doesn't know these headings yet.")
    const answers = { line: "Placement", day: "Date", impressions: "Delivered", figures: "daily" }
    await report(await answer(await site.upload(FIGURES), answers))
    expect(await feed.file(FIGURES)).toMatchObject({ complete: true, accepted: 3 })
    expect(await site.history("Pre-roll")).toEqual([1940, 3951, 5128])

    const rising = FIGURES.replace("1177", "2177")
    const asked = await feed.file(rising)
    expect(asked.detail).toContain("Pre-roll becomes 2,177 as totals so far, and 6,128 as daily figures.")
    expect(asked.detail).toContain("Add the parameter figures=totals or figures=daily.")
    expect(await feed.file(rising, "?figures=daily")).toMatchObject({ complete: true, accepted: 3 })
    expect(await site.totals()).toEqual({ "Pre-roll": 6128 })
    expect((await feed.file(rising, "?figures=weekly")).status).toBe(400)
  })

  test("with our own headings are totals, unless the program says daily", async () => {
    await using feed = await startFeed()
    const body = `${OURS}5001,5,2026-11-01\n5001,7,2026-11-02\n`
    expect(await feed.file(body, "?figures=daily")).toMatchObject({ complete: true })
    expect(await feed.site.history("Pre-roll")).toEqual([5, 12])
    expect((await feed.file("external_id,impressions\n5001,5\n", "?figures=daily")).detail).toContain(
      "Daily figures need a column with the day.",
    )
  })

  test.each([
    [
      "a day",
      "external_id,as_of,impressions\n5001,03/04/2026,5\n5001,2026-11-02,7\n",
      "03/04/2026 can mean 2026-04-03 or 2026-03-04.",
    ],
    [
      "a number",
      "external_id,as_of,downloads\n5001,2026-11-02,5\n5002,2026-11-02,1.000\n",
      "1.000 can mean 1000 or 1.",
    ],
    ["a whole number", "external_id,as_of,impressions\n5001,2026-11-02,123.000\n", "123.000 can mean 123000 or 123."],
  ])("in rows with two readings of %s are rejected with both", async (_, body, message) => {
    await using feed = await startFeed()
    await feed.site.line({ name: "Podcast", externalId: "5002", pricingBasis: "downloads" })
    const { rejected_rows } = await feed.file(body)
    expect(rejected_rows.map((row) => row.message).join()).toContain(message)
  })
})

describe("a line about which something is odd is left out", () => {
  test("if it goes down, unless the program allows it", async () => {
    await using feed = await startFeed()
    await feed.file(`${OURS}5001,900,2026-11-02\n`)
    const lower = `${OURS}5001,800,2026-11-03\n`
    expect(await feed.file(lower)).toMatchObject({
      complete: false,
      accepted: 0,
      left_out: 1,
      lines_left_out: [
        { name: "Pre-roll", current: 900, reason: "The total would go down from 900 to 800.", is_lower: true },
      ],
    })
    expect(await feed.file(lower, "?allow_lower=true")).toMatchObject({ complete: true, accepted: 1 })
    expect(await feed.site.totals()).toEqual({ "Pre-roll": 800 })
  })

  test("if days before the file are unknown, whatever the program allows", async () => {
    await using feed = await startFeed()
    const late = `${OURS}5001,5,2026-11-11\n5001,7,2026-11-12\n`
    expect(await feed.file(late, "?figures=daily&allow_lower=true")).toMatchObject({ accepted: 0, left_out: 1 })
    await feed.file(`${OURS}5001,100,2026-11-10\n`)
    expect(await feed.file(late, "?figures=daily")).toMatchObject({ complete: true, accepted: 2 })
    expect(await feed.site.totals()).toEqual({ "Pre-roll": 112 })
  })
})

describe("daily figures", () => {
  test("of devices and hours add up, and continue the total of the day before", async () => {
    await using feed = await startFeed()
    const headings = "external_id,impressions,as_of,device\n"
    const day = (date: string, ...counts: number[]) =>
      counts.map((count, i) => `5001,${count},${date},${["Phone", "TV", "Web"][i]}\n`).join("")
    await feed.file(headings + day("2026-11-01", 10, 20) + day("2026-11-02", 5), "?figures=daily")
    await feed.file(headings + day("2026-11-03", 1, 2, 4), "?figures=daily")
    expect(await feed.site.history("Pre-roll")).toEqual([30, 35, 42])
  })

  test("of a line with a row that can't be read are rejected, and other lines aren't", async () => {
    await using feed = await startFeed()
    await feed.site.line({ name: "Mid-roll", externalId: "5002" })
    const body = `${OURS}5001,5,2026-11-01\n5001,many,2026-11-02\n5002,7,2026-11-02\n5001,9,2026-11-03\n`
    const found = await feed.file(body, "?figures=daily")
    expect(found).toMatchObject({ complete: false, accepted: 1, rejected: 3 })
    expect(found.rejected_rows.map(({ row, reason }) => [row, reason])).toEqual(
      [2, 3, 4 + 1].map((row) => [row, "invalid_item"]),
    )
    expect(await feed.site.totals()).toEqual({ "Pre-roll": null, "Mid-roll": 7 })
  })

  test("with a row that has a figure but no line stop the file, and sums don't", async () => {
    await using feed = await startFeed()
    for (const total of ["Total", "Total général", "Grand Total", "Gesamtsumme", "Total geral", "SUBTOTAL:"]) {
      const sums = `${OURS}5001,5,2026-11-01\n${total},5,\n,5,Summe\n`
      expect(await feed.file(sums, "?figures=daily")).toMatchObject({ complete: true, accepted: 1, skipped: 0 })
    }
    const merged = `${OURS}5001,5,2026-11-01\n,6,2026-11-02\n`
    expect(await feed.file(merged, "?figures=daily")).toMatchObject({ complete: false, accepted: 0, rejected: 2 })
  })

  test("before the flight don't count, and days in the future are rejected by themselves", async () => {
    await using feed = await startFeed()
    const body = `${OURS}5001,40,2026-10-31\n5001,5,2026-11-01\n5001,6,2026-11-16\n5001,0,2026-10-30\n`
    const { rejected_rows } = await feed.file(body, "?figures=daily")
    expect(rejected_rows.map(({ row, reason }) => [row, reason])).toEqual([
      [2, "before_flight_start"],
      [4, "as_of_in_future"],
    ])
    expect(await feed.site.totals()).toEqual({ "Pre-roll": 5 })
  })
})

describe("a program's file", () => {
  test("is refused if no column has the line, because that is only answered for one file", async () => {
    await using feed = await startFeed()
    const text = "Date,Shown\n2026-11-01,5\n2026-11-02,4\n"
    const answers = { line: `all:${feed.packageId}`, day: "Date", impressions: "Shown", figures: "daily" }
    await report(await answer(await feed.site.upload(text), answers))
    const { status, detail } = await feed.file(text)
    expect([status, detail]).toEqual([
      422,
      "No column of this file has your lines, so it can only be uploaded in the app. A program’s file needs a column with the line.",
    ])
  })

  test("is refused if it has one column per day, under any headings", async () => {
    await using feed = await startFeed()
    for (const line of ["Line", "external_id"]) {
      const body = `${line},impressions,2026-11-13,2026-11-14,2026-11-15\n5001,18,5,6,7\n`
      const { status, detail } = await feed.file(body, "?figures=totals")
      expect(status).toBe(422)
      expect(detail).toBe(
        "This file has one column per day. Unpivot it first, so that each row has one line, one day and one number.",
      )
    }
  })

  test("is withdrawn by an admin, also after what became of it is forgotten", async () => {
    await using feed = await startFeed()
    const { site } = feed
    await feed.file(`${OURS}5001,700,2026-11-02\n5001,900,2026-11-03\n`, "?name=october.csv")
    await feed.file(`${OURS}5001,950,2026-11-04\n`)
    site.app.clock.advance({ hours: 100 * 24 })
    const admin = await signIn(site.app, { organization: site.seller })
    await (await admin(`${site.seller.home}/upload`)).send({ file: new File([FIGURES], "x.csv") })
    const uploads = await admin(`${site.seller.home}/upload`)
    const path = /href="([^"]*)"[^>]*>october\.csv/.exec(uploads.html)?.[1] ?? ""
    expect((await admin(path)).text).toContain("kept for 90 days")
    const withdrawn = await (await admin(`${path}/withdraw`)).send({ reason: "The wrong month" })
    expect(withdrawn.text).toContain("2 totals of 1 line withdrawn.")
    expect(await site.history("Pre-roll")).toEqual([950])
  })

  test("can be a workbook", async () => {
    await using feed = await startFeed()
    const body = readFileSync("test/fixtures/workbooks/one-sheet.xlsx")
    const answers = { line: "Line item", day: "Date", impressions: "Impressions", figures: "daily" }
    await report(await answer(await feed.site.upload(body), answers))
    expect(await feed.file(body, "?figures=daily")).toMatchObject({ complete: true, accepted: 3 })
    const two = await feed.file(readFileSync("test/fixtures/workbooks/two-sheets.xlsx"), "?figures=daily")
    expect([two.status, two.detail]).toEqual([
      422,
      "This workbook has several sheets with a table. Save the one that you mean as CSV, and send that.",
    ])
  })

  test("is refused if something about the request is wrong, in the published order", async () => {
    await using feed = await startFeed()
    const body = `${OURS}5001,5,2026-11-02\n`
    const large = "x".repeat(20 * 1_048_576 + 1)
    const refusals: readonly (readonly [number, () => Promise<{ readonly status: number }>])[] = [
      [401, () => send(feed.site, body, { key: "abi_wrong" })],
      [415, () => feed.file(large, "?sheet=1", { "Content-Type": "application/json" })],
      [415, () => feed.file(Bun.gzipSync(body), "", { "Content-Encoding": "gzip" })],
      [413, () => feed.file(large, "?sheet=1")],
      [400, () => feed.file("a,b\n1,2\n", "?dry_run=maybe")],
      [400, () => feed.file(body, "?dry_run=true&dry_run=false")],
      [400, () => feed.file(body, "?sheet=1")],
      [400, () => feed.file(body, "?as_of=yesterday")],
      [422, () => feed.file(new Uint8Array([0x50, 0x4b, 3, 4, 0]))],
      [422, () => feed.file("a,b\n1,2\n")],
    ]
    const published = (await (await feed.site.app.fetch("/openapi.json")).json()) as Published
    const documented = Object.keys(published.paths[FILES]?.post.responses ?? {})
    for (const [status, refused] of refusals) {
      expect((await refused()).status).toBe(status)
      expect(documented).toContain(String(status))
    }
    expect((await feed.site.app.fetch(FILES)).status).toBe(405)
  })

  test("counts in the window of its key, 60 in a minute", async () => {
    await using feed = await startFeed()
    for (let i = 0; i < 60; i++) expect((await feed.file("a,b\n1,2\n")).status).toBe(422)
    expect((await feed.file("a,b\n1,2\n")).status).toBe(429)
  })
})
