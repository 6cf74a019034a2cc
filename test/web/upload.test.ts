import { expect, test } from "bun:test"
import { recordAffiliateCodes } from "../../src/actions/record-affiliate-codes.ts"
import { createLog } from "../../src/log.ts"
import { startApp, type TestApp } from "../harness.ts"
import { DOWNLOADS_LINE, givenMarket, givenPerson, LINE, OTHER_SELLERS_LINE } from "./given.ts"
import { signedIn, type Visitor } from "./visitor.ts"

const UPLOAD = "/app/o/acme-audio/upload"

async function givenMember(app: TestApp): Promise<Visitor> {
  await givenMarket(app)
  return signedIn(app, await givenPerson(app, { of: "acme-audio" }))
}

function preview(person: Visitor, kind: string, text: string): Promise<Response> {
  const form = new FormData()
  form.set("kind", kind)
  form.set("file", new File([text], "october.csv", { type: "text/csv" }))
  return person.post(`${UPLOAD}/preview`, form)
}

const confirm = (person: Visitor, kind: string, text: string) =>
  person.post(UPLOAD, { kind, text, file_name: "october.csv" })

const CSV = [
  "package_id;impressions;downloads;as_of;note",
  `${LINE};1000;;2026-11-14;ignored`,
  `${DOWNLOADS_LINE};;12.5;;`,
  `${OTHER_SELLERS_LINE};5;;;`,
  `${LINE};2000;;;`,
  "nonsense;1;;;",
].join("\r\n")

test("a file of totals shows what each row would do, changes nothing before it is confirmed, then counts", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const shown = await (await preview(person, "delivery", CSV)).text()
  expect(shown).toContain("2 of 5 rows would be accepted, 3 refused")
  for (const code of ["applied", "not_seller", "duplicate_package_id", "invalid_item"])
    expect(shown).toContain(`>${code}<`)
  const line = `/app/o/acme-audio/campaigns/autumn/lines/${LINE}`
  expect(await person.read(line)).toContain("Nothing reported yet")

  expect((await confirm(person, "delivery", CSV)).status).toBe(303)
  expect(await person.read(UPLOAD)).toContain("2 of 5 rows were accepted. Row 3: package_id names no package")
  const page = await person.read(line)
  expect(page).toContain("<strong>1,000</strong>")
  expect(page).toContain("File october.csv, Person")
})

test("a comma inside a figure never cuts it", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const german = await (await preview(person, "delivery", `package_id;downloads\n${DOWNLOADS_LINE};1234,5\n`)).text()
  expect(german).toContain("1 of 1 rows would be accepted")
  expect(german).toContain(">1234.5<")
  const either = await (await preview(person, "delivery", `package_id;downloads\n${DOWNLOADS_LINE};1.000\n`)).text()
  expect(either).toContain("1.000 can mean 1000 or 1. Write 1000 or 1.")
  const grouped = await preview(person, "delivery", `package_id,downloads\n${DOWNLOADS_LINE},1,234\n`)
  expect([grouped.status, await grouped.text()]).toEqual([422, expect.stringContaining("got 3 on line 2")])
})

test("a file of affiliate metrics goes the same way", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const { id: organizationId = 0 } = (await app.store.organizations.findBySlug("acme-audio")) ?? {}
  const source = { kind: "command", reference: "", detail: "" } as const
  const log = createLog({ format: "json", clock: app.clock, write: () => undefined })
  const codes = [{ packageId: LINE, code: "AUTUMN10" }]
  await recordAffiliateCodes({ ...app, log }, { organizationId, source }, codes, { dryRun: false })
  const csv = "code,date,clicks,conversions,conversionValue\nAUTUMN10,2026-11-14,120,4,199.95\nOTHER,2026-11-14,1,,\n"
  expect(await (await preview(person, "affiliate_metrics", csv)).text()).toContain("1 of 2 rows would be accepted")
  const figures = () => app.store.affiliateFigures.byCode({ organizationIds: [organizationId] })
  expect((await figures())[0]?.clicks).toBeNull()
  await confirm(person, "affiliate_metrics", csv)
  expect(await figures()).toMatchObject([{ code: "AUTUMN10", clicks: 120n, conversions: 4n, valueMicros: 199950000n }])
})

test.each([
  ["without the column that names the line", "delivery", "line,impressions\nx,1", "The first row lacks package_id."],
  ["without rows", "delivery", "package_id,impressions\n", "There are no rows below the first."],
  ["that is no CSV", "delivery", 'package_id\n"unclosed', "This is not CSV as we can read it"],
  ["of an unknown kind", "nonsense", "package_id\nx", "Choose what is in the file."],
])("a file %s is refused with a sentence", async (_, kind, text, said) => {
  await using app = await startApp()
  const answer = await preview(await givenMember(app), kind, text)
  expect([answer.status, (await answer.text()).includes(said)]).toEqual([422, true])
})

test("totals for more lines than one request of the API takes are all reported", async () => {
  await using app = await startApp()
  const person = await givenMember(app)
  const rows = Array.from({ length: 1200 }, (_, i) => `${LINE},${i},2026-11-14T10:00:00Z`)
  const text = ["package_id,impressions,as_of", ...rows].join("\n")
  expect((await confirm(person, "delivery", text)).status).toBe(303)
  // One total per line and request: the first row of each of the three requests counts.
  expect(await person.read(UPLOAD)).toContain("3 of 1200 rows were accepted")
})
