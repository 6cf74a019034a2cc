import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { FILES_PATH } from "../../../src/domain/feed-addresses.ts"
import { startApp } from "../../harness.ts"
import { givenSeller, historyOf } from "../cli/exports.ts"
import { givenPerson } from "./given.ts"
import { sendFile, uploadFile } from "./uploaded.ts"
import { signedIn } from "./visitor.ts"

const workbook = (name: string) => new Uint8Array(readFileSync(`test/fixtures/workbooks/${name}.xlsx`))
const plain = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

test("the sheet of an Excel workbook is read like the CSV of it, in the app and from a program", async () => {
  await using app = await startApp({ now: "2026-11-15T12:00:00Z" })
  const seller = await givenSeller(app)
  const person = await signedIn(app, await givenPerson(app, { of: seller.slug }))
  const to = `/app/o/${seller.slug}/upload`
  const address = await uploadFile(person, "delivery", workbook("one-sheet"), "delivery.xlsx", to)
  expect(plain(await person.read(address))).toContain("Each row is one day Line 5001 becomes 6,128.")
  const headers = { Authorization: `Bearer ${seller.key}`, "Content-Type": "text/csv" }
  const body = workbook("one-sheet")
  const sent = await app.fetch(`${FILES_PATH}?figures=daily`, { method: "POST", headers, body })
  expect([sent.status, await sent.json()]).toMatchObject([200, { complete: true, accepted: 3 }])
  expect(await historyOf(app, seller, "5001")).toEqual([1940, 3951, 6128])
})

test("a workbook with several sheets, or one that is none, is refused with what to do", async () => {
  await using app = await startApp()
  const seller = await givenSeller(app)
  const person = await signedIn(app, await givenPerson(app, { of: seller.slug }))
  const to = `/app/o/${seller.slug}/upload`
  const refused = async (bytes: Uint8Array<ArrayBuffer>) =>
    plain(await (await sendFile(person, "delivery", bytes, "x.xlsx", to)).text())
  expect(await refused(workbook("two-sheets"))).toContain("This workbook has several sheets: Delivery, Other.")
  expect(await refused(workbook("one-sheet").slice(0, 500))).toContain("Save As and the type CSV")
  const bomb = workbook("one-sheet")
  const entry = Buffer.from(bomb.buffer).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  new DataView(bomb.buffer).setUint32(entry + 24, 2_000_000_000, true)
  expect(await refused(bomb)).toContain("This workbook is too large.")
})
