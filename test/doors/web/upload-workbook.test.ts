import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { FILES_PATH } from "../../../src/domain/feed-addresses.ts"
import { startApp } from "../../harness.ts"
import { givenSeller, historyOf } from "../cli/exports.ts"
import { withFarCell } from "./far-cell.ts"
import { givenPerson } from "./given.ts"
import { sendFile, uploadFile } from "./uploaded.ts"
import { signedIn, textOf } from "./visitor.ts"

const workbook = (name: string) => new Uint8Array(readFileSync(`test/fixtures/workbooks/${name}.xlsx`))

test("the sheet of an Excel workbook is read like the CSV of it, in the app and from a program", async () => {
  await using app = await startApp({ now: "2026-11-15T12:00:00Z" })
  const seller = await givenSeller(app)
  const person = await signedIn(app, await givenPerson(app, { of: seller.slug }))
  const to = `/app/o/${seller.slug}/upload`
  const address = await uploadFile(person, "delivery", workbook("one-sheet"), "delivery.xlsx", to)
  expect(textOf(await person.read(address))).toContain("Each row is one day Line 5001 becomes 6,128.")
  const headers = { Authorization: `Bearer ${seller.key}`, "Content-Type": "text/csv" }
  const body = workbook("one-sheet")
  const sent = await app.fetch(`${FILES_PATH}?figures=daily`, { method: "POST", headers, body })
  expect([sent.status, await sent.json()]).toMatchObject([200, { complete: true, accepted: 3 }])
  expect(await historyOf(app, seller, "5001")).toEqual([1940, 3951, 6128])
})

test("of a workbook with several sheets a person chooses one, and a program says which", async () => {
  await using app = await startApp({ now: "2026-11-15T12:00:00Z" })
  const seller = await givenSeller(app)
  const person = await signedIn(app, await givenPerson(app, { of: seller.slug }))
  const address = await uploadFile(person, "delivery", workbook("two-sheets"), "x.xlsx", `/app/o/${seller.slug}/upload`)
  expect(textOf(await person.read(address))).toContain("Which sheet has the figures? Delivery Other")
  // How many rows it has is known once a sheet is chosen.
  expect(textOf(await person.read(address))).not.toContain("0 rows")
  expect(await person.read(address)).not.toMatch(/name="sheet"[^>]* checked/)
  await person.post(`${address}/sheet`, { sheet: "9" })
  expect(textOf(await person.read(address))).toContain("Which sheet has the figures?")
  await person.post(`${address}/sheet`, { sheet: "1" })
  expect(textOf(await person.read(address))).toContain("Each row is one day Line 5001 becomes 6,128.")
  const headers = { Authorization: `Bearer ${seller.key}`, "Content-Type": "text/csv" }
  const send = async (query: string) => {
    const sent = await app.fetch(`${FILES_PATH}?${query}`, { method: "POST", headers, body: workbook("two-sheets") })
    return { status: sent.status, ...((await sent.json()) as object) }
  }
  const detail = expect.stringContaining("This workbook has these sheets: Delivery, Other. Say which: sheet=NAME")
  expect(await send("figures=daily")).toMatchObject({ status: 422, detail })
  expect(await send("figures=daily&sheet=Nothing")).toMatchObject({ status: 422, detail })
  expect(await send("figures=daily&sheet=Other")).toMatchObject({ status: 200, complete: true })
  expect(await historyOf(app, seller, "5001")).toEqual([1940, 3951, 6128])
})

test("a workbook that is none, or whose cells are further out than any table, is refused with what to do", async () => {
  await using app = await startApp()
  const seller = await givenSeller(app)
  const person = await signedIn(app, await givenPerson(app, { of: seller.slug }))
  const to = `/app/o/${seller.slug}/upload`
  const refused = async (bytes: Uint8Array<ArrayBuffer>) =>
    textOf(await (await sendFile(person, "delivery", bytes, "x.xlsx", to)).text())
  expect(await refused(workbook("one-sheet").slice(0, 500))).toContain("Save As and the type CSV")
  const bomb = workbook("one-sheet")
  const entry = Buffer.from(bomb.buffer).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  new DataView(bomb.buffer).setUint32(entry + 24, 2_000_000_000, true)
  expect(await refused(bomb)).toContain("This workbook is too large.")
  expect(await refused(withFarCell("XFD1048576"))).toContain("has a cell at XFD1048576")
  // Written so that only reading it shows where it is: then its thread is ended.
  expect(await refused(withFarCell("&#88;FD&#49;048576"))).toContain("This workbook could not be read.")
})
