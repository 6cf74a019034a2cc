import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { recordAffiliateCodes } from "../../../src/actions/delivery/record-affiliate-codes.ts"
import { reportDelivery } from "../../../src/actions/delivery/report-delivery.ts"
import { UPLOAD_BYTES_MAX, UPLOAD_ROWS_MAX } from "../../../src/domain/limits.ts"
import { createLog } from "../../../src/log/log.ts"
import { keepTotals } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { DOWNLOADS_LINE, givenMarket, givenPerson, LINE, OTHER_SELLERS_LINE, OWN_LINE } from "./given.ts"
import { answerIn } from "./report-anyway.ts"
import { signedIn, type Visitor } from "./visitor.ts"

const UPLOAD = "/app/o/acme-audio/upload"

async function givenMember(app: TestApp): Promise<Visitor> {
  await givenMarket(app)
  return signedIn(app, await givenPerson(app, { of: "acme-audio" }))
}

function preview(person: Visitor, kind: string, text: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  const form = new FormData()
  form.set("kind", kind)
  form.set("file", new File([text], "october.csv", { type: "text/csv" }))
  return person.post(`${UPLOAD}/preview`, form)
}

const decoded = (html: string) => html.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&")

/** Sends the form of a preview as a browser does: what the page carries, line ends as CR LF. */
function confirm(person: Visitor, html: string, isTicked = true): Promise<Response> {
  const form = new FormData()
  for (const [, name = "", value = ""] of html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)) {
    form.set(name, decoded(value))
  }
  const text = /<textarea name="text"[^>]*>([\s\S]*?)<\/textarea>/.exec(html)?.[1] ?? ""
  form.set("text", decoded(text).replaceAll(/\r?\n/g, "\r\n"))
  const answer = answerIn(html)
  if (isTicked && answer !== undefined) form.set("answer", answer)
  return person.post(UPLOAD, form)
}

async function upload(person: Visitor, text: string): Promise<string> {
  const shown = await preview(person, "delivery", text)
  expect(shown.status).toBe(200)
  const sent = await confirm(person, await shown.text())
  expect(sent.status).toBe(200)
  return sent.text()
}

const acme = async (app: TestApp) => (await app.store.organizations.findBySlug("acme-audio")) ?? { id: 0, timeZone: "" }

async function standing(app: TestApp, packageId = LINE) {
  const [line] = await app.store.packageLines.findSold((await acme(app)).id, [packageId])
  if (line === undefined) throw new Error("there is no such line")
  const { entries } = await app.store.deliveryHistory.page(line.lineId, "seller", null, 50_000)
  return { total: line.total, history: entries.map(({ quantity, asOf }) => ({ quantity, asOf })) }
}

const CSV = [
  "package_id;impressions;downloads;as_of;note",
  `${LINE};1000;;2026-11-14;ignored`,
  `${DOWNLOADS_LINE};;12.5;;`,
  `${OTHER_SELLERS_LINE};5;;;`,
  `${LINE};2000;;;`,
  `${LINE};500;;2026-11-13;`,
  `${LINE};2000;;;`,
  "nonsense;1;;;",
].join("\r\n")

test("a file of totals shows what each row would do, changes nothing before it is confirmed, then counts", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const shown = await (await preview(person, "delivery", CSV)).text()
  expect(shown).toContain("Nothing is saved yet.")
  expect(shown).toContain("7 rows: 3 would be reported, 2 refused, 1 would be superseded, 1 would not change.")
  for (const word of [">Saved<", "Reported.", "is the current total now"]) expect(shown).not.toContain(word)
  const line = `/app/o/acme-audio/campaigns/autumn/lines/${LINE}`
  expect(await person.read(line)).toContain("Nothing reported yet")

  const result = await (await confirm(person, shown)).text()
  expect(result).toContain("5 of 7 rows accepted, 2 rejected. 7 rows: 3 saved, 2 refused, 1 superseded, 1 no change.")
  const rejected = [...result.matchAll(/<tr[^>]*>(?:(?!<\/tr>).)*?>Refused<.*?<\/tr>/g)].map(([row]) => row)
  expect(rejected).toHaveLength(2)
  expect(rejected[0]).toMatch(/^<tr[^>]*><th scope="row" class="num">3<.*No line that you sell has this package ID\./)
  expect(rejected[1]).toMatch(/^<tr[^>]*><th scope="row" class="num">7<.*Not a valid package ID\./)
  const page = await person.read(line)
  expect(page).toContain("<strong>2,000</strong>")
  expect(page).toContain("File october.csv, Person")
})

test("a comma inside a figure never cuts it", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const german = await (await preview(person, "delivery", `package_id;downloads\n${DOWNLOADS_LINE};1234,5\n`)).text()
  expect(german).toContain("1 row: 1 would be reported.")
  expect(german).toContain(">1234.5<")
  const either = await (await preview(person, "delivery", `package_id;downloads\n${DOWNLOADS_LINE};1.000\n`)).text()
  expect(either).toContain("1.000 can mean 1000 or 1. Write 1000 or 1.")
  const grouped = await preview(person, "delivery", `package_id,downloads\n${DOWNLOADS_LINE},1,234\n`)
  expect([grouped.status, await grouped.text()]).toEqual([422, expect.stringContaining("got 3 on line 2")])
})

test("a file of affiliate metrics goes the same way", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const { id: organizationId } = await acme(app)
  const source = { kind: "command", reference: "", detail: "" } as const
  const log = createLog({ format: "json", clock: app.clock, write: () => undefined })
  const codes = [{ packageId: LINE, code: "AUTUMN10" }]
  await recordAffiliateCodes({ ...app, log }, { organizationId, source }, codes, { dryRun: false })
  const csv = "code,date,clicks,conversions,conversionValue\nAUTUMN10,2026-11-14,120,4,199.95\nOTHER,2026-11-14,1,,\n"
  const shown = await (await preview(person, "affiliate_metrics", csv)).text()
  expect(shown).toContain("2 rows: 1 would be reported, 1 refused.")
  const figures = () => app.store.affiliateFigures.byCode({ organizationIds: [organizationId] })
  expect((await figures())[0]?.clicks).toBeNull()
  expect(await (await confirm(person, shown)).text()).toContain("1 of 2 rows accepted, 1 rejected.")
  expect(await figures()).toMatchObject([{ code: "AUTUMN10", clicks: 120n, conversions: 4n, valueMicros: 199950000n }])
})

test.each([
  [
    "without the column that names the line",
    "delivery",
    "line,impressions\nx,1",
    "The header row has no column package_id.",
  ],
  ["without rows", "delivery", "package_id,impressions\n", "There are no rows below the header."],
  ["that is empty", "delivery", "", "The header row has no column package_id."],
  ["that is no CSV", "delivery", 'package_id\n"unclosed', "This file could not be read as CSV"],
  ["of an unknown kind", "nonsense", "package_id\nx", "Choose the type of data."],
])("a file %s is refused with a sentence", async (_, kind, text, said) => {
  await using app = await startApp()
  const answer = await preview(await givenMember(app), kind, text)
  expect([answer.status, (await answer.text()).includes(said)]).toEqual([422, true])
})

/** A dated history of one line: one total for each minute since the start of the flight. */
function historyOf(rows: number, more = ""): string {
  const start = Date.parse("2026-11-01T00:00:00Z")
  const at = (i: number) => new Date(start + i * 60_000).toISOString()
  const body = Array.from({ length: rows }, (_, i) => `${LINE},${i + 1},${at(i)}${more && `,${more}`}`)
  return [`package_id,impressions,as_of${more && ",note"}`, ...body, ""].join("\n")
}

describe("a dated history of one line", () => {
  test.each([1, 2, 500, 501, 1_000])("of %p rows is taken whole and in order", async (rows) => {
    await using app = await startApp()
    const person = await givenMember(app)
    const shown = await (await preview(person, "delivery", historyOf(rows))).text()
    const count = rows === 1 ? "1 row" : `${rows.toLocaleString("en")} rows`
    expect(shown).toContain(`${count}: ${rows.toLocaleString("en")} would be reported.`)
    expect(await (await confirm(person, shown)).text()).toContain(`${rows.toLocaleString("en")} of ${count} accepted.`)
    const { total, history } = await standing(app)
    expect(total?.quantity).toBe(rows)
    expect(history.map(({ quantity }) => quantity)).toEqual(Array.from({ length: rows }, (_, i) => rows - i))
  })

  test("newest first ends at the same total, and repeated rows add nothing", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const [header = "", ...rows] = historyOf(50).trim().split("\n")
    const shown = await (await preview(person, "delivery", [header, ...rows.toReversed(), ...rows].join("\n"))).text()
    expect(shown).toContain("100 rows: 1 would be reported, 98 would be superseded, 1 would not change.")
    await confirm(person, shown)
    const { total, history } = await standing(app)
    expect([total?.quantity, history.length]).toEqual([50, 50])
  })

  test("of two rows of the same time the later row stands", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const csv = `package_id,impressions,as_of\n${LINE},10,2026-11-14\n${LINE},20,2026-11-14\n${OWN_LINE},7,2026-11-14\n`
    expect(await upload(person, csv)).toContain("3 of 3 rows accepted.")
    expect((await standing(app)).total?.quantity).toBe(20)
    expect((await standing(app, OWN_LINE)).total?.quantity).toBe(7)
  })
})

const RECEIPTS_AT = "2026-11-15T12:00:00Z"

test("a file does what its rows, sent to the API one after the other, would do, and the preview says so before", async () => {
  const row = fc.record({
    package_id: fc.constantFrom(LINE, OWN_LINE, DOWNLOADS_LINE, OTHER_SELLERS_LINE, "nonsense"),
    impressions: fc.constantFrom(0, 1, 2, 300, 5_000_000),
    as_of: fc.constantFrom(undefined, "2026-11-15", "2026-11-14", "2026-11-10T10:00:00Z", "2026-10-01", "2026-11-16"),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
      await using byApi = await startApp({ now: RECEIPTS_AT })
      await givenMarket(byApi)
      const { id: organizationId, timeZone } = await acme(byApi)
      const source = { kind: "command", reference: "", detail: "" } as const
      const labels: string[] = []
      for (const item of rows) {
        const context = { ...byApi, log: { error: () => undefined } }
        const reporter = { organizationId, timeZone, source }
        const [result] = (await reportDelivery(context, reporter, [item], { dryRun: false })).results
        labels.push(result?.effect ?? "refused")
      }

      await using app = await startApp({ now: RECEIPTS_AT })
      const person = await givenMember(app)
      const body = rows.map(({ package_id, impressions, as_of = "" }) => `${package_id},${impressions},${as_of}`)
      const shown = await (
        await preview(person, "delivery", ["package_id,impressions,as_of", ...body].join("\n"))
      ).text()
      const result = await (await confirm(person, shown)).text()
      expect(labelsIn(shown)).toEqual(labels.map((label) => PREVIEWED[label] ?? ""))
      expect(labelsIn(result)).toEqual(labels.map((label) => SENT[label] ?? ""))
      for (const line of [LINE, OWN_LINE]) expect(await standing(app, line)).toEqual(await standing(byApi, line))
    }),
    { numRuns: 15 },
  )
}, 120_000)

const PREVIEWED: Readonly<Record<string, string>> = {
  applied: "Would be reported",
  unchanged: "Would not change",
  older_than_current: "Would be superseded",
  refused: "Refused",
}
const SENT: Readonly<Record<string, string>> = {
  applied: "Saved",
  unchanged: "No change",
  older_than_current: "Superseded",
  refused: "Refused",
}

/** What the table of a preview or a result says of each row, in the order of the file. */
function labelsIn(html: string): string[] {
  const rows = [...html.matchAll(/<tr><th scope="row" class="num">(\d+)<\/th>(.*?)<\/tr>/g)]
  return rows
    .map(([, number, cells = ""]) => [Number(number), /class="badge[^>]*>([^<]*)</.exec(cells)?.[1] ?? ""] as const)
    .sort(([one], [other]) => one - other)
    .map(([, label]) => label)
}

describe("the size of a file", () => {
  /** Rows of about 380 bytes, so that the file is as large as asked. */
  const large = (bytes: number) => {
    const text = historyOf(5_000, "x".repeat(290))
    return text + "\n".repeat(bytes - text.length)
  }

  test("is stated before one is chosen", async () => {
    await using app = await startApp()
    expect(await (await givenMember(app)).read(UPLOAD)).toContain("At most 2 MB and 20,000 rows.")
  })

  test.each([
    ["1.9 MB", 1_900_000],
    ["exactly the limit", UPLOAD_BYTES_MAX],
  ])("%s is previewed, and what is previewed can be sent", async (_, bytes) => {
    await using app = await startApp()
    const text = large(bytes)
    expect(text).toHaveLength(bytes)
    expect(await upload(await givenMember(app), text)).toContain("5,000 of 5,000 rows accepted.")
    expect((await standing(app)).total?.quantity).toBe(5_000)
  })

  test("a file whose every byte grows on its way back can be sent too", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const start = new TextEncoder().encode(`package_id,impressions,as_of,note\n${LINE},5,2026-11-14,`)
    const bytes = new Uint8Array(UPLOAD_BYTES_MAX).fill(0xe9)
    bytes.set(start)
    const shown = await preview(person, "delivery", bytes)
    expect(shown.status).toBe(200)
    expect(await (await confirm(person, await shown.text())).text()).toContain("1 of 1 row accepted.")
  })

  test.each([
    ["one byte more", UPLOAD_BYTES_MAX + 1],
    ["much more", UPLOAD_BYTES_MAX * 3],
  ])("%s than the limit is refused at the preview", async (_, bytes) => {
    await using app = await startApp()
    const answer = await preview(await givenMember(app), "delivery", large(bytes))
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain("This file is larger than 2 MB. Split it and upload the parts")
  })

  test("too many rows are refused at the preview", async () => {
    await using app = await startApp()
    const answer = await preview(await givenMember(app), "delivery", `package_id\n${"x\n".repeat(UPLOAD_ROWS_MAX + 1)}`)
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain("This file has more than 20,000 rows.")
  })
})

describe("rows that look like a slip", () => {
  const LOWER = `package_id,impressions,as_of\n${LINE},5,2026-11-14\n${OWN_LINE},7,2026-11-14\n`

  async function givenTotal(app: TestApp): Promise<Visitor> {
    const person = await givenMember(app)
    await upload(person, `package_id,impressions,as_of\n${LINE},219000,2026-11-13\n`)
    return person
  }

  test("are marked in the preview and sent only by whoever confirms them", async () => {
    await using app = await startApp()
    const person = await givenTotal(app)
    const shown = await (await preview(person, "delivery", LOWER)).text()
    expect(shown).toContain("1 row needs a check.")
    expect(shown).toContain("The total would go down from 219,000 to 5.")
    const refused = await confirm(person, shown, false)
    expect(refused.status).toBe(422)
    const again = await refused.text()
    expect(again).toContain("Nothing was saved. Some rows look like mistakes")
    expect((await standing(app)).total?.quantity).toBe(219_000)
    expect((await standing(app, OWN_LINE)).total).toBeNull()
    expect(await (await confirm(person, again)).text()).toContain("2 of 2 rows accepted.")
    expect((await standing(app)).total?.quantity).toBe(5)
  })

  test("are asked about again when totals have moved since the preview", async () => {
    await using app = await startApp()
    const person = await givenTotal(app)
    const shown = await (await preview(person, "delivery", LOWER)).text()
    await upload(person, `package_id,impressions,as_of\n${LINE},220000,2026-11-14\n`)
    const again = await (await confirm(person, shown)).text()
    expect(again).toContain("Totals have changed since the preview")
    expect(again).toContain("The total would go down from 220,000 to 5.")
    expect((await standing(app)).total?.quantity).toBe(220_000)
  })

  test("are not asked about again only because time has passed", async () => {
    await using app = await startApp()
    const person = await givenTotal(app)
    const today = `package_id,impressions,as_of\n${LINE},220000,2026-11-15\n${LINE},5,2026-11-15\n${OWN_LINE},7,\n`
    const shown = await (await preview(person, "delivery", today)).text()
    expect(shown).toContain("The total would go down from 220,000 to 5.")
    app.clock.advance({ minutes: 3 })
    expect(await (await confirm(person, shown)).text()).toContain("3 of 3 rows accepted.")
  })

  test("count the rows before them in the same file", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const csv = `package_id,impressions,as_of\n${LINE},1000,2026-11-12\n${LINE},30,2026-11-13\n${LINE},2000,2026-11-14\n`
    const shown = await (await preview(person, "delivery", csv)).text()
    expect(shown).toContain("The total would go down from 1,000 to 30.")
    expect(shown.match(/class="asked"/g)).toHaveLength(1)
  })

  test("a line that moves while the file is sent keeps its total, and its rows are reported as not saved", async () => {
    await using app = await startApp()
    const person = await givenMember(app)
    const { deliveries } = app.store
    const { recordUnlessOutdated } = deliveries
    const [line] = (await deliveries.linesSold((await acme(app)).id, [LINE])).found
    const source = { kind: "command", reference: "", detail: "" } as const
    const elsewhere = { lineId: line?.lineId ?? 0, quantity: 219_000, asOf: app.clock() }
    let calls = 0
    Object.assign(deliveries, {
      async recordUnlessOutdated(...sent: Parameters<typeof recordUnlessOutdated>) {
        if (calls++ === 0) await keepTotals(app.store, [elsewhere], { receivedAt: app.clock(), source })
        return recordUnlessOutdated(...sent)
      },
    })
    const result = await upload(person, LOWER)
    expect(result).toContain("1 of 2 rows accepted, 1 rejected. 2 rows: 1 not saved, 1 saved.")
    expect(result).toContain("The total of this line changed during the upload.")
    expect((await standing(app)).total?.quantity).toBe(219_000)
    expect((await standing(app, OWN_LINE)).total?.quantity).toBe(7)
  })
})
