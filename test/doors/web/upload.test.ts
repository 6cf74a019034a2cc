import { describe, expect, spyOn, test } from "bun:test"
import fc from "fast-check"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { transact } from "../../../src/actions/context.ts"
import { recordAffiliateCodes } from "../../../src/actions/delivery/record-affiliates.ts"
import { reportDelivery } from "../../../src/actions/delivery/report-delivery.ts"
import { removeUser } from "../../../src/actions/people/users.ts"
import { sweepUploads } from "../../../src/actions/upload/sweep.ts"
import { UPLOADS_KEPT_MAX } from "../../../src/domain/limits.ts"
import { SESSION_COOKIE } from "../../../src/doors/web/cookies.ts"
import { exec } from "../../../src/storage/steps/step.ts"
import { keepTotals } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { A_FILE } from "../../storage/contract/given.ts"
import { rawConnection } from "../../trust/raw-connection.ts"
import {
  DOWNLOADS_LINE,
  FLAT_LINE,
  givenMarket,
  givenPerson,
  LINE,
  OTHER_SELLERS_LINE,
  OWN_LINE,
  startMarket,
} from "./given.ts"
import { reportFile, reportText, seenAt, sendFile, UPLOAD, uploadFile } from "./uploaded.ts"
import { signedIn, type Visitor } from "./visitor.ts"

async function givenMember(app: TestApp): Promise<Visitor> {
  await givenMarket(app)
  return signedIn(app, await givenPerson(app, { of: "acme-audio" }))
}

const acme = async (app: TestApp) => (await app.store.organizations.findBySlug("acme-audio")) ?? { id: 0, timeZone: "" }

async function figuresOf(app: TestApp, packageId = LINE) {
  const [line] = await app.store.packageLines.findSold((await acme(app)).id, [packageId])
  if (line === undefined) throw new Error("there is no such line")
  const { entries } = await app.store.deliveryHistory.page(line.lineId, "seller", null, 50_000)
  return { total: line.total, history: entries.map(({ quantity, asOf }) => ({ quantity, asOf })) }
}

/** The text of a page, without tags. */
const plain = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")

const CSV = [
  "package_id;impressions;downloads;as_of;note",
  `${LINE};1000;;2026-11-14;ignored`,
  `${DOWNLOADS_LINE};;12.5;;`,
  `${OTHER_SELLERS_LINE};5;;;`,
  "",
  `${LINE};2000;;;`,
  `${LINE};500;;2026-11-13;`,
  "nonsense;1;;;",
].join("\r\n")

test("a file of totals shows what each line would become, changes nothing before it is confirmed, then counts", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const address = await uploadFile(person, "delivery", CSV)
  const shown = plain(await person.read(address))
  expect(shown).toContain("Nothing is saved until you press Report.")
  // Nothing is noticed about a file that has nothing odd.
  expect(shown).not.toContain("other days")
  expect(shown).toContain("Will update 2 lines 4 rows")
  expect(shown).toContain("Refused 1 row Ignored 1 row")
  // As a spreadsheet counts: the header is row 1, and the empty row counts.
  expect(shown).toContain(`1 row: None of your lines has the ID ${OTHER_SELLERS_LINE} Row 4.`)
  expect(shown).toContain("1 row: Not a line ID for the API Row 8.")
  const line = `/app/o/acme-audio/campaigns/autumn/lines/${LINE}`
  expect(await person.read(line)).toContain("No totals yet")

  const reported = plain(await reportFile(person, address))
  expect(reported).toContain("4 rows reported, 1 refused. 1 row ignored, not yours or sums.")
  expect(reported).toContain("What changed 2 lines")
  const page = await person.read(line)
  expect(page).toContain('<span class="figure">2,000</span>')
  expect(page).toContain("File october.csv, Person")
})

test("a file that is reported is uploaded again to decide what was left out: the rest of it then has no change", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const text = `Line;Impressions so far\nMid-roll;1000\nMidroll 30s;7\n`
  const address = await uploadFile(person, "delivery", text)
  await person.post(`${address}/columns`, {
    column_0: "line_name",
    column_1: "impressions",
    figures: "totals",
    remember: "on",
  })
  const reported = plain(await reportFile(person, address))
  expect(reported).toContain("Not yours, ignored 1 row")
  expect(reported).not.toContain("It is this line")
  const preview = plain(await person.read(await uploadFile(person, "delivery", text)))
  expect(preview).toContain("It is this line")
  expect(preview).toContain("No change 1 line")
})

test("a name that several lines share is no line, and the page says why", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const twin = { package_id: OWN_LINE.replace("a06", "a99"), seller: "acme-audio", name: "Mid-roll" }
  const line = { ...twin, pricing_basis: "impressions", flight_start: "2026-11-01" }
  const campaigns = [{ slug: "twin", name: "Twin", buyer: "brand-co", lines: [line] }]
  expect(await importCatalogue(app, { campaigns }, "test")).toMatchObject({ ok: true })
  const address = await uploadFile(person, "delivery", "Line name;Impressions so far\nMid-roll;1000\n")
  await person.post(`${address}/columns`, { column_0: "line_name", column_1: "impressions", figures: "totals" })
  expect(plain(await person.read(address))).toContain("2 lines are called “Mid-roll”: use their IDs")
})

test("refused rows keep a column that says something, although it is called as one of ours", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const address = await uploadFile(person, "delivery", "message,impressions,row\nPre-roll,x,x\n")
  await person.post(`${address}/columns`, { column_0: "line_name", column_1: "impressions", figures: "totals" })
  const refused = await (await person.get(`${address}/refused`)).text()
  expect(refused.replace("\ufeff", "").trim().split("\r\n")).toEqual([
    "message,impressions,row,reason,message",
    expect.stringMatching(/^Pre-roll,x,2,invalid_item,/),
  ])
})

test("refused rows are downloaded in the shape they came in, with their row and the reason, as the API has them", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const address = await uploadFile(person, "delivery", CSV)
  const refused = await (await person.get(`${address}/refused`)).text()
  expect(refused.replace("\ufeff", "").trim().split("\r\n")).toEqual([
    "package_id,impressions,downloads,as_of,note,row,reason,message",
    expect.stringMatching(/^nonsense,1,,,,8,invalid_item,Not a line ID for the API/),
  ])
  // Its text is removed after a week.
  await reportFile(person, address)
  await transact(app, ({ db, uploadText }) => exec(db.delete(uploadText)))
  const gone = await person.get(`${address}/refused`)
  expect([gone.status, gone.headers.get("location")]).toEqual([303, address])
  expect(plain(await person.read(address))).toContain("We no longer have this file.")
})

describe("columns with other names", () => {
  const EXPORT =
    "Order line;Day;Ad impressions;Advertiser\nLA-117;02.11.2026;7.412.000;Fernweh\nLA-118;03.11.2026;5;Fernweh\n"

  async function givenExternalIds(app: TestApp) {
    const person = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
    const edit = `/app/o/acme-audio/campaigns/autumn/lines/${LINE}/edit`
    const fields = {
      line_name: "Pre-roll",
      pricing_basis: "impressions",
      flight_start: "2026-11-01",
      flight_end: "2026-11-30",
    }
    const saved = await person.edit(edit, { ...fields, booked: "9000000", external_id: "LA-117" })
    expect(saved.status).toBe(303)
  }

  test("are matched by hand once, then remembered", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    await givenExternalIds(app)
    const address = await uploadFile(person, "delivery", EXPORT)
    const asked = plain(await person.read(address))
    expect(asked).toContain("What do these columns mean?")
    const wrong = await person.post(`${address}/columns`, { column_0: "", column_1: "as_of", column_2: "impressions" })
    expect([wrong.status, plain(await wrong.text())]).toEqual([
      422,
      expect.stringContaining("Say which column is “Line ID for the API”, “Your line ID” or “Line name”."),
    ])
    const columns = { column_0: "external_id", column_1: "as_of", column_2: "impressions", column_3: "" }
    const unsaid = await person.post(`${address}/columns`, { ...columns, remember: "yes" })
    expect([unsaid.status, plain(await unsaid.text())]).toEqual([
      422,
      expect.stringContaining("Say what the figures are."),
    ])
    await person.post(`${address}/columns`, { ...columns, remember: "yes", figures: "totals" })
    const shown = plain(await person.read(address))
    expect(shown).toContain("None of your lines has the ID LA-118 Row 3.")
    expect(shown).toMatch(/Pre-roll Autumn · Brand Co 1 None yet 7,412,000 \+7,412,000 2 Nov, 23:59/)

    // A file that was only looked at teaches nothing.
    const early = await uploadFile(person, "delivery", EXPORT.replace("02.11", "03.11"))
    expect(plain(await person.read(early))).toContain("What do these columns mean?")
    await reportFile(person, address)
    const next = await uploadFile(person, "delivery", EXPORT.replace("02.11", "04.11"))
    expect(plain(await person.read(next))).toContain("Pre-roll Autumn · Brand Co")
  })

  test("of another organization are not known", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const stranger = await signedIn(app, await givenPerson(app, { of: "other-seller" }))
    const address = await uploadFile(person, "delivery", CSV)
    const theirs = address.replace("acme-audio", "other-seller")
    for (const path of ["", "/refused", "/columns", "/sheet", "/discard"]) {
      expect([path, (await stranger.get(`${theirs}${path}`)).status]).toEqual([path, 404])
    }
    for (const path of ["/report", "/discard", "/columns", "/readings", "/match", "/forget", "/sheet"]) {
      expect([path, (await stranger.post(`${theirs}${path}`)).status]).toEqual([path, 404])
    }
    expect(plain(await person.read(address))).toContain("Will update 2 lines")
  })
})

describe("what can be read in two ways is decided for the whole file", () => {
  const NUMBERS = `package_id;downloads\n${DOWNLOADS_LINE};1.000\n`

  test.each([
    ["grouped", "1,000"],
    ["decimal", "1"],
  ])("numbers as %s", async (numbers, read) => {
    await using app = await startApp()
    const person = await givenMember(app)
    const address = await uploadFile(person, "delivery", NUMBERS)
    const shown = plain(await person.read(address))
    expect(shown).toContain("A figure can be read in two ways Row 2. Downloads: 1.000 can mean 1000 or 1.")
    await person.post(`${address}/readings`, { numbers })
    expect(plain(await person.read(address))).toContain(`1 None yet ${read} +${read}`)
  })

  test.each([
    ["day_first", "2 Nov, 23:59"],
    ["month_first", "11 Feb 2026"],
  ])("days as %s", async (dates, read) => {
    await using app = await startApp({ now: "2026-12-15T12:00:00Z" })
    const person = await givenMember(app)
    const address = await uploadFile(person, "delivery", `package_id,impressions,as_of\n${LINE},5,02/11/2026\n`)
    expect(plain(await person.read(address))).toContain("02/11/2026 can mean 2026-11-02 or 2026-02-11.")
    await person.post(`${address}/readings`, { dates })
    const shown = plain(await person.read(address))
    expect(shown).toContain(dates === "day_first" ? read : "Measured before the flight of Pre-roll")
  })
})

test("affiliate codes and figures go the same way", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const codes = `packageId,code,slug\n${LINE},AUTUMN10,autumn\n${OTHER_SELLERS_LINE},OTHER,\n`
  const address = await uploadFile(person, "affiliate_codes", codes)
  expect(plain(await person.read(address))).toContain("Will update 1 code 1 row")
  expect(plain(await reportFile(person, address))).toContain("1 row reported. 1 row ignored")
  const metrics =
    "code,date,clicks,conversions,conversionValue\nAUTUMN10,2026-11-14,120,4,199.95\nOTHER,2026-11-14,1,,\n"
  expect(plain(await reportText(person, "affiliate_metrics", metrics))).toContain("1 row reported. 1 row ignored")
  const { id } = await acme(app)
  expect((await app.store.affiliateFigures.figures({ organizationIds: [id] })).codes).toMatchObject([
    { code: "AUTUMN10", clicks: 120n, conversions: 4n, valueMicros: 199950000n },
  ])
})

test.each([
  ["without rows", "package_id,impressions\n", "There are no rows below the header."],
  ["that is empty", "", "This file is empty."],
  ["that is no CSV", 'package_id\n"unclosed', "a quotation mark in row 2 is never closed"],
])("a file %s is refused with a sentence", async (_, text, said) => {
  await using app = await startApp()
  const person = await givenMember(app)
  const refused = await sendFile(person, "delivery", text)
  expect([refused.status, plain(await refused.text())]).toEqual([422, expect.stringContaining(said)])
  expect(await app.store.uploads.list((await acme(app)).id, 10)).toEqual([])
})

test.each([
  ["of an unknown kind", "nonsense", "package_id\nx", "Choose the type of data."],
  ["that is no workbook", "delivery", "PK\u0003\u0004xyz", "This workbook could not be read."],
  ["that is not text", "delivery", "a,b\n\0\0", "This is not a text file."],
])("a file %s is refused at once, and nothing of it is kept", async (_, kind, text, said) => {
  await using app = await startApp()
  const person = await givenMember(app)
  const answer = await sendFile(person, kind, text)
  expect([answer.status, plain(await answer.text())]).toEqual([422, expect.stringContaining(said)])
  expect(await app.store.uploads.list((await acme(app)).id, 10)).toEqual([])
})

test("a file that is too large is refused at once, in the page, though the rest of it never comes", async () => {
  const [start, bytes, sentence] = ["package_id,impressions\r\n", 40_000_000, "larger than 20 MB"]
  await using app = await startApp()
  const person = await givenMember(app)
  const connection = await rawConnection(app.url)
  const head = [
    `POST ${UPLOAD} HTTP/1.1`,
    `Host: ${new URL(app.url).host}`,
    "Sec-Fetch-Site: same-origin",
    `Cookie: ${SESSION_COOKIE}=${person.cookie(SESSION_COOKIE)}`,
    "Content-Type: multipart/form-data; boundary=mark",
    `Content-Length: ${bytes}`,
  ]
  const kind = '--mark\r\nContent-Disposition: form-data; name="kind"\r\n\r\ndelivery\r\n'
  const file = '--mark\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
  connection.send(`${head.join("\r\n")}\r\n\r\n${kind}${file}`)
  connection.send(Buffer.from(start, "latin1"))
  connection.send(Buffer.alloc(100_000, "a"))
  const answer = await connection.until(/<\/html>/)
  connection.end()
  expect(answer).toMatch(/^HTTP\/1.1 422/)
  expect(plain(answer)).toContain(sentence)
})

test("a large file waits for no form of another that does not arrive", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const large = `package_id,impressions,note\n${`${LINE},1000,${"x".repeat(30_000)}\n`.repeat(40)}`
  const [first, second] = [await uploadFile(person, "delivery", large), await uploadFile(person, "delivery", large)]
  const connection = await rawConnection(app.url)
  const head = [
    `POST ${first}/columns HTTP/1.1`,
    `Host: ${new URL(app.url).host}`,
    "Sec-Fetch-Site: same-origin",
    `Cookie: ${SESSION_COOKIE}=${person.cookie(SESSION_COOKIE)}`,
    "Content-Type: application/x-www-form-urlencoded",
    "Content-Length: 100",
  ]
  connection.send(`${head.join("\r\n")}\r\n\r\n`)
  // It is read by then.
  for (const _ of [1, 2, 3]) await person.read(UPLOAD)
  expect(plain(await person.read(second))).toContain("Will update 1 line")
  expect(connection.isAnswered()).toBe(false)
  connection.end()
})

test("a file larger than the limit is refused, and nothing of it is kept", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  expect(await person.read(UPLOAD)).toContain("At most 20 MB and 50,000 rows.")
  const answer = await sendFile(person, "delivery", `package_id,impressions\n${"x".repeat(20 * 1_048_576)}`)
  expect([answer.status, plain(await answer.text())]).toEqual([422, expect.stringContaining("larger than 20 MB")])
  expect(await app.store.uploads.list((await acme(app)).id, 10)).toEqual([])
})

test("files that nobody decides about leave no room for another, which is said", async () => {
  await using app = await startMarket()
  const uploadedBy = await givenPerson(app, { of: "acme-audio" })
  const person = await signedIn(app, uploadedBy)
  const file = { ...A_FILE, organizationId: (await acme(app)).id, uploadedBy, uploadedAt: app.clock() }
  for (let i = 0; i < UPLOADS_KEPT_MAX; i++) await app.store.uploads.add(file, ["x"])
  const refused = await sendFile(person, "delivery", CSV)
  expect([refused.status, plain(await refused.text())]).toEqual([
    422,
    expect.stringContaining("Too many files are waiting for a decision."),
  ])
})

test("the encodings of spreadsheets are understood", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const text = `package_id,impressions,Größe\n${LINE},5,für\n`
  const latin = Uint8Array.from(text, (character) => character.charCodeAt(0))
  const wide = new Uint8Array(Buffer.from(`\ufeff${text}`, "utf16le"))
  for (const [name, bytes] of [
    ["latin", latin],
    ["wide", wide],
    ["mac", text.replaceAll("\n", "\r")],
  ] as const) {
    const address = await uploadFile(person, "delivery", bytes, `${name}.csv`)
    const start = await app.store.uploads.text(Number(address.split("/").at(-1)), 0)
    expect([name, start]).toEqual([name, text])
  }
})

test("a file is discarded, and cannot be reported any more", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const address = await uploadFile(person, "delivery", CSV)
  expect((await person.get(`${address}/discard`)).status).toBe(200)
  expect((await person.post(`${address}/discard`)).status).toBe(303)
  expect((await person.get(address)).status).toBe(404)
  expect((await person.post(`${address}/report`)).status).toBe(404)
  expect((await figuresOf(app)).total).toBeNull()
})

test("a file that is reported twice at the same time counts once", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const address = await uploadFile(person, "delivery", CSV)
  const seen = await seenAt(person, address)
  await Promise.all([1, 2, 3].map(() => person.post(`${address}/report`, seen)))
  expect((await figuresOf(app)).history).toHaveLength(3)
  expect((await person.post(`${address}/discard`)).headers.get("location")).toBe(address)
})

test("a template has the lines of the organization, and goes back as it is", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const text = await person.read(`${UPLOAD}/template/delivery`)
  expect(text).toContain("package_id,impressions,downloads,as_of,line")
  expect(text).toContain(`${LINE},,,,Pre-roll`)
  expect(text).not.toContain(OTHER_SELLERS_LINE)
  const address = await uploadFile(person, "delivery", text)
  expect(plain(await person.read(address))).toContain("Newsletter")
  expect((await person.get(`${UPLOAD}/template/nonsense`)).status).toBe(404)
})

/** A dated history of one line: one total for each minute since the start of the flight. */
function historyOf(rows: number): string[] {
  const start = Date.parse("2026-11-01T00:00:00Z")
  return Array.from({ length: rows }, (_, i) => `${LINE},${i + 1},${new Date(start + i * 60_000).toISOString()}`)
}

const HEADER = "package_id,impressions,as_of"

describe("a dated history of one line", () => {
  test.each([1, 500, 1_001])("of %p rows is taken whole and in order", async (rows) => {
    await using app = await startApp()
    const person = await givenMember(app)
    await reportText(person, "delivery", [HEADER, ...historyOf(rows)].join("\n"))
    const { total, history } = await figuresOf(app)
    expect(total?.quantity).toBe(rows)
    expect(history.map(({ quantity }) => quantity)).toEqual(Array.from({ length: rows }, (_, i) => rows - i))
  })

  test("newest first ends at the same total, without a question, and repeated rows add nothing", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const rows = historyOf(50)
    const text = [HEADER, ...rows.toReversed(), ...rows].join("\n")
    const address = await uploadFile(person, "delivery", text)
    expect(plain(await person.read(address))).not.toContain("To confirm")
    await reportFile(person, address, false)
    const { total, history } = await figuresOf(app)
    expect([total?.quantity, history.length]).toEqual([50, 50])
  })
})

describe("odd lines", () => {
  const LOWER = `${HEADER}\n${LINE},5,2026-11-14\n${OWN_LINE},7,2026-11-14\n`

  async function givenTotal(app: TestApp): Promise<Visitor> {
    const person = await givenMember(app)
    await reportText(person, "delivery", `${HEADER}\n${LINE},219000,2026-11-13\n`)
    return person
  }

  test("are left out unless somebody ticks them", async () => {
    await using app = await startApp()
    const person = await givenTotal(app)
    const address = await uploadFile(person, "delivery", LOWER)
    const shown = plain(await person.read(address))
    expect(shown).toContain("To confirm 1 line")
    expect(shown).toContain("The total would go down from 219,000 to 5.")
    expect(plain(await reportFile(person, address, false))).toContain("1 row reported, 1 left out")
    expect((await figuresOf(app)).total?.quantity).toBe(219_000)
    expect((await figuresOf(app, OWN_LINE)).total?.quantity).toBe(7)

    const again = await uploadFile(person, "delivery", LOWER)
    const id = /name="anyway" value="(\d+)"/.exec(await person.read(again))?.[1] ?? ""
    await person.post(`${again}/report`, { ...(await seenAt(person, again)), anyway: id })
    expect((await figuresOf(app)).total?.quantity).toBe(5)
  })

  test("are asked about again when totals have changed since the preview", async () => {
    await using app = await startApp()
    const person = await givenTotal(app)
    const address = await uploadFile(person, "delivery", LOWER)
    const seen = await seenAt(person, address)
    await reportText(person, "delivery", `${HEADER}\n${LINE},220000,2026-11-14\n`)
    await person.post(`${address}/report`, { ...seen, anyway_all: "yes" })
    const again = plain(await person.read(address))
    expect(again).toContain("another report has changed totals")
    expect(again).toContain("The total would go down from 220,000 to 5.")
    expect((await figuresOf(app)).total?.quantity).toBe(220_000)
  })
})

test("a file does what its rows, sent to the API one after the other, would do", async () => {
  const row = fc.record({
    package_id: fc.constantFrom(LINE, OWN_LINE, DOWNLOADS_LINE, FLAT_LINE, OTHER_SELLERS_LINE, "nonsense"),
    impressions: fc.constantFrom(0, 1, 2, 300, 5_000_000),
    as_of: fc.constantFrom(undefined, "2026-11-15", "2026-11-14", "2026-11-10T10:00:00Z", "2026-10-01", "2026-11-16"),
  })
  const now = "2026-11-15T12:00:00Z"
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
      await using byApi = await startApp({ now })
      await givenMarket(byApi)
      const { id: organizationId } = await acme(byApi)
      const source = { kind: "command", reference: "", detail: "" } as const
      let accepted = 0
      for (const item of rows) {
        const context = { ...byApi, log: { error: () => undefined } }
        accepted += (await reportDelivery(context, { organizationId, source }, [item], { dryRun: false })).accepted
      }

      await using app = await startApp({ now })
      const person = await givenMember(app)
      const body = rows.map(({ package_id, impressions, as_of = "" }) => `${package_id},${impressions},${as_of}`)
      const address = await uploadFile(person, "delivery", [HEADER, ...body].join("\n"))
      const others = rows.filter(({ package_id }) => package_id === OTHER_SELLERS_LINE).length
      expect(plain(await person.read(address))).toContain(`Refused ${rows.length - accepted - others} row`)
      await reportFile(person, address)
      for (const line of [LINE, OWN_LINE]) expect(await figuresOf(app, line)).toEqual(await figuresOf(byApi, line))
    }),
    { numRuns: 15 },
  )
})

test("what a server leaves undone is reported again, and nothing counts twice", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const address = await uploadFile(person, "delivery", [HEADER, ...historyOf(1_000)].join("\n"))
  const id = Number(address.split("/").at(-1))
  // As a server that was killed leaves it: some rows are stored, and nobody has noted it.
  const { id: organizationId } = await acme(app)
  const upload = await app.store.uploads.find(organizationId, id)
  if (upload === null) throw new Error("there is no such file")
  const reporter = { organizationId, source: { kind: "file", reference: "", detail: "x" } } as const
  const elements = historyOf(300).map((text) => text.split(","))
  for (const [package_id, impressions, as_of] of elements) {
    const element = { package_id, impressions: Number(impressions), as_of }
    await reportDelivery({ ...app, log: { error: () => undefined } }, reporter, [element], { dryRun: false })
  }
  await app.store.uploads.fixReceipt(id, app.clock())
  app.clock.advance({ seconds: 11 })
  await reportFile(person, address)
  const { total, history } = await figuresOf(app)
  expect([total?.quantity, history.length]).toEqual([1_000, 1_000])
})

describe("files of an unlikely shape are refused with a sentence", () => {
  const wide = Array.from({ length: 201 }, (_, i) => `c${i}`).join(",")
  test.each([
    [
      "rows",
      `${HEADER}\n${`${LINE},5,\n`.repeat(50_001)}`,
      "has more than 50,000 rows. Split it, and send the parts one by one.",
    ],
    ["columns", `${wide}\n1\n`, "This file could not be read as CSV: row 1 has more than 200 columns"],
    [
      "a row with a million cells",
      `${HEADER}\n${LINE},5,\n${",".repeat(1_000_000)}\n`,
      "row 3 has more than 200 columns",
    ],
    [
      "a cell",
      `${HEADER}\n${LINE},5,${"x".repeat(40_000)}\n`,
      "This file could not be read as CSV: row 2 has a cell with more than 32,767 characters",
    ],
    [
      "a row",
      `${HEADER}\n${LINE},5,\n${"x".repeat(1_100_000)}\n`,
      "This file could not be read as CSV: row 3 is longer than 1,048,576 characters",
    ],
  ])("%s", async (_, text, sentence) => {
    await using app = await startApp()
    const person = await givenMember(app)
    const page = plain(await (await sendFile(person, "delivery", text)).text())
    expect(page).toContain(sentence)
    expect(page.length).toBeLessThan(5_000)
  })
})

test("codes by the seller's own line id", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const { id: organizationId } = await acme(app)
  const source = { kind: "command", reference: "", detail: "" } as const
  const context = { ...app, log: { error: () => undefined } }
  await recordAffiliateCodes(context, { organizationId, source }, [{ packageId: LINE, code: "A" }], { dryRun: false })
  const address = await uploadFile(person, "affiliate_codes", "external_id,code\nnobody,A\n")
  expect(plain(await person.read(address))).toContain("None of your lines has the ID nobody Row 2.")
})

describe("columns", () => {
  test.each(["Package ID,Impressions", "PACKAGE_ID,IMPRESSIONS", "package id,impressions"])(
    "with our names in whatever case need no question: %p",
    async (header) => {
      await using app = await startApp()
      const person = await givenMember(app)
      const address = await uploadFile(person, "delivery", `${header}\n${LINE},200000\n`)
      expect(plain(await person.read(address))).toContain("Will update 1 line 1 row")
    },
  )

  test("beside others are chosen and say so", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const address = await uploadFile(person, "delivery", `Placement,Impressions\nPre-roll,200000\n`)
    const html = await person.read(address)
    expect(html).toMatch(/value="impressions" selected/)
    // Found by its values.
    expect(html).toMatch(/value="line_name" selected/)
    await person.post(`${address}/columns`, { column_0: "line_name", column_1: "impressions", figures: "totals" })
    expect(plain(await reportFile(person, address))).toContain("1 total reported")
    expect((await figuresOf(app)).total?.quantity).toBe(200_000)
  })

  test("that say nothing are left to somebody, except one with lines of ours", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const address = await uploadFile(person, "delivery", `What,When,How much\n${LINE},14.11.2026,200000\n`)
    const html = await person.read(address)
    expect(html).toContain('value="package_id" selected')
    for (const meaning of ["as_of", "impressions"]) expect(html).not.toContain(`value="${meaning}" selected`)
  })

  test("with names of lines find each line by its name; a name that several have finds none", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const edit = `/app/o/acme-audio/campaigns/acme-only/lines/${OWN_LINE}/edit`
    const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
    const rows = "pre-roll,200000\nMid-roll,5\nNo such line,1\n"
    const before = await uploadFile(person, "delivery", `line_name,impressions\n${rows}`)
    expect(plain(await person.read(before))).toContain("Will update 2 lines 2 rows")
    const basis = { pricing_basis: "impressions", flight_start: "2026-11-01", flight_end: "2026-11-30" }
    expect((await admin.edit(edit, { line_name: "Pre-roll", ...basis, booked: "500000" })).status).toBe(303)
    const after = plain(await person.read(await uploadFile(person, "delivery", `line_name,impressions\n${rows}`)))
    expect(after).toContain("2 lines are called “pre-roll”: use their IDs Row 2.")
    expect(after).toContain("No line is called “No such line” Row 4.")
    expect(after).toContain("Refused 1 row")
  })
})

describe("a reported file", () => {
  const many = Array.from(
    { length: 30 },
    (_, i) => `${LINE},${1_000 * (i + 1)},2026-11-${String((i % 14) + 1).padStart(2, "0")}`,
  )

  test("lists the lines that it changed, and is withdrawn as one, with a reason", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    await reportText(person, "delivery", `package_id,impressions,as_of\n${LINE},700,2026-11-01\n`, "first.csv")
    const before = await figuresOf(app)
    app.clock.advance({ hours: 1 })
    const text = `package_id,impressions,downloads,as_of\n${LINE},9000,,2026-11-14\n${DOWNLOADS_LINE},,50,2026-11-14\n`
    const address = await uploadFile(person, "delivery", text)
    const receipt = await reportFile(person, address)
    expect(plain(receipt)).toContain("2 totals reported")
    expect(receipt).toContain(`/app/o/acme-audio/campaigns/autumn/lines/${LINE}`)
    expect(plain(receipt)).toContain("700 9,000")
    expect((await person.post(`${address}/withdraw`, { reason: "" })).status).toBe(422)
    const other = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
    expect(await other.read(address)).not.toContain("Withdraw this upload")
    await other.post(`${address}/withdraw`, { reason: "Not mine" })
    expect((await figuresOf(app)).total?.quantity).toBe(9_000)

    const back = plain(await (await person.follow(`${address}/withdraw`, { reason: "The wrong month" })).text())
    expect(back).toContain("This upload was withdrawn")
    expect(back).toContain("2 totals of 2 lines withdrawn.")
    expect((await figuresOf(app)).total).toEqual(before.total)
    expect((await figuresOf(app, DOWNLOADS_LINE)).total).toBeNull()
    expect(back).not.toContain("Withdraw this upload")
    const { entries } = await app.store.audit.list({ action: "withdraw delivery_reports" }, { before: null, limit: 1 })
    expect(entries).toMatchObject([{ details: { lines: 2, reports: 2, reason: "The wrong month" } }])
  })

  test("that is withdrawn twice at the same time keeps what was withdrawn", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const address = await uploadFile(person, "delivery", `package_id,impressions\n${LINE},9000\n`)
    await reportFile(person, address)
    const withdraw = () => person.follow(`${address}/withdraw`, { reason: "The wrong month" })
    const pages = await Promise.all([withdraw(), withdraw()])
    for (const page of pages) expect(plain(await page.text())).toContain("1 total of 1 line no longer count")
    expect(plain(await person.read(address))).toContain("1 total of 1 line no longer count")
    const { entries } = await app.store.audit.list({ action: "withdraw delivery_reports" }, { before: null, limit: 5 })
    expect(entries).toHaveLength(1)
  })

  test("is still possible once its text and pages are gone", async () => {
    await using app = await startApp()
    await givenMarket(app)
    const id = await givenPerson(app, { of: "acme-audio", role: "admin" })
    const uploader = await signedIn(app, id)
    await reportText(uploader, "delivery", `package_id,impressions,as_of\n${LINE},700,2026-11-01\n`, "first.csv")
    app.clock.advance({ hours: 1 })
    const text = `package_id,impressions,downloads,as_of\n${LINE},9000,,2026-11-14\n${DOWNLOADS_LINE},,50,2026-11-14\n`
    const address = await uploadFile(uploader, "delivery", text)
    await reportFile(uploader, address)
    app.clock.advance({ days: 8 })
    await sweepUploads(app, new AbortController().signal)
    const person = await signedIn(app, id)
    // What came later stays, on the same line, too.
    await reportText(person, "delivery", `package_id,downloads\n${DOWNLOADS_LINE},60\n`, "later.csv")
    const back = plain(await (await person.follow(`${address}/withdraw`, { reason: "The wrong month" })).text())
    expect(back).toContain("2 totals of 2 lines withdrawn.")
    expect((await figuresOf(app)).total?.quantity).toBe(700)
    expect((await figuresOf(app, DOWNLOADS_LINE)).total?.quantity).toBe(60)
  })

  test("is withdrawn of all its lines after its pages are gone, although it came while the clock was ahead", async () => {
    await using app = await startApp()
    await givenMarket(app)
    const id = await givenPerson(app, { of: "acme-audio", role: "admin" })
    app.clock.advance({ days: 3 })
    const text = `package_id,impressions,downloads,as_of\n${LINE},9000,,2026-11-14\n${DOWNLOADS_LINE},,50,2026-11-14\n`
    const uploader = await signedIn(app, id)
    const address = await uploadFile(uploader, "delivery", text)
    await reportFile(uploader, address)
    app.clock.advance({ days: -3, hours: 1 })
    // More than are read of a history at once.
    const [{ lineId } = { lineId: 0 }] = await app.store.packageLines.findSold((await acme(app)).id, [LINE])
    const later = Array.from({ length: 600 }, (_, i) => ({ lineId, quantity: 10 + i, asOf: app.clock() - 600 + i }))
    const source = { kind: "key", reference: "1", detail: "" } as const
    await keepTotals(app.store, later, { receivedAt: app.clock(), source })
    app.clock.advance({ days: 20 })
    await sweepUploads(app, new AbortController().signal)
    const person = await signedIn(app, id)
    const back = plain(await (await person.follow(`${address}/withdraw`, { reason: "The wrong day" })).text())
    expect(back).toContain("2 totals of 2 lines withdrawn.")
    expect((await figuresOf(app)).total?.quantity).toBe(609)
    expect((await figuresOf(app, DOWNLOADS_LINE)).total).toBeNull()
  })

  test("of many lines is withdrawn of all of them, and in few queries", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const fields = { seller: "acme-audio", pricing_basis: "impressions", flight_start: "2026-11-01" }
    const lines = Array.from({ length: 150 }, (_, i) => {
      return { ...fields, package_id: `${OWN_LINE.slice(0, -4)}${(0xb000 + i).toString(16)}`, name: `Spot ${i}` }
    })
    const campaigns = [{ slug: "spots", name: "Spots", buyer: "brand-co", lines }]
    expect(await importCatalogue(app, { campaigns }, "test")).toMatchObject({ ok: true })
    const rows = lines.map(({ package_id }) => `${package_id},700,2026-11-14`)
    const address = await uploadFile(person, "delivery", `package_id,impressions,as_of\n${rows.join("\n")}\n`)
    await reportFile(person, address)
    const asked = spyOn(app.store, "query")
    const back = plain(await (await person.follow(`${address}/withdraw`, { reason: "The wrong day" })).text())
    expect(back).toContain("150 totals of 150 lines withdrawn.")
    expect(asked.mock.calls.length).toBeLessThan(50)
  })

  test("that was interrupted and reported again is withdrawn with what the first attempt reported", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const address = await uploadFile(person, "delivery", `package_id,impressions\n${LINE},9000\n`)
    await reportFile(person, address)
    // As a server leaves it that was killed before it noted that all is stored.
    const by = { actor: "test", at: app.clock(), action: null }
    await app.store.uploads.move(Number(address.split("/").at(-1)), "done", { state: "open" }, by)
    app.clock.advance({ seconds: 11 })
    expect(plain(await reportFile(person, address))).toContain("1 row already known")
    const back = plain(await (await person.follow(`${address}/withdraw`, { reason: "The wrong month" })).text())
    expect(back).toContain("1 total of 1 line withdrawn.")
    expect((await figuresOf(app)).total).toBeNull()
  })

  test("by an earlier version, which kept no ids of lines, is withdrawn line by line, as people are told", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const address = await uploadFile(person, "delivery", `package_id,impressions\n${LINE},9000\n`)
    await reportFile(person, address)
    await transact(app, ({ db, upload }) => exec(db.update(upload).set({ lines: null })))
    const told = plain(await (await person.follow(`${address}/withdraw`, { reason: "The wrong month" })).text())
    expect(told).toContain("Withdraw its totals on the page of each line.")
  })

  test("is withdrawn by an admin also when the account of whoever uploaded it is gone", async () => {
    await using app = await startApp()
    await givenMarket(app)
    const id = await givenPerson(app, { of: "acme-audio" })
    const uploader = await signedIn(app, id)
    const address = await uploadFile(uploader, "delivery", `package_id,impressions\n${LINE},9000\n`)
    await reportFile(uploader, address)
    expect(await removeUser(app, id, "test")).toBe("done")
    const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
    const back = plain(await (await admin.follow(`${address}/withdraw`, { reason: "The wrong month" })).text())
    expect(back).toContain("1 total of 1 line withdrawn.")
    expect((await figuresOf(app)).total).toBeNull()
  })

  test("stays a person's, also when that account is gone: people decide about it", async () => {
    await using app = await startApp()
    await givenMarket(app)
    const id = await givenPerson(app, { of: "acme-audio" })
    const address = await uploadFile(await signedIn(app, id), "delivery", `package_id,impressions\n${LINE},9000\n`)
    expect(await removeUser(app, id, "test")).toBe("done")
    const admin = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
    expect(plain(await admin.read(address))).toContain("Will update 1 line")
  })

  test.each([1, 30])("with %p rows of a line gives all of them back", async (count) => {
    await using app = await startApp()
    const person = await givenMember(app)
    const text = ["package_id,impressions,as_of", ...many.slice(0, count)].join("\n")
    const address = await uploadFile(person, "delivery", text)
    await reportFile(person, address)
    const { history } = await figuresOf(app)
    expect(history.length).toBe(count)
    await person.post(`${address}/withdraw`, { reason: "A test" })
    expect((await figuresOf(app)).total).toBeNull()
    const again = await uploadFile(person, "delivery", text)
    await reportFile(person, again)
    expect((await figuresOf(app)).total).not.toBeNull()
  })
})
