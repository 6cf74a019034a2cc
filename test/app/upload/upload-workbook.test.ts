import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { zipSync } from "fflate"
import { answer, report, startUploads } from "../../harness/data/uploads.ts"

describe("a workbook", () => {
  const workbook = (name: string) => new Uint8Array(readFileSync(`test/fixtures/workbooks/${name}.xlsx`))
  const answers = { line: "Line item", day: "Date", impressions: "Impressions", figures: "daily" }

  test("is read like its CSV", async () => {
    await using site = await startUploads()
    await site.line({ externalId: "5001" })
    await report(await answer(await site.upload(workbook("one-sheet"), "delivery.xlsx"), answers))
    expect(await site.history("Pre-roll")).toEqual([1940, 3951, 6128])
  })

  test("with several sheets asks which one", async () => {
    await using site = await startUploads()
    await site.line({ externalId: "5001" })
    const open = await site.upload(workbook("two-sheets"), "delivery.xlsx")
    expect(open.text).toContain(
      "Which sheet has the table? Only this sheet is read. If several have the same lines and days, put them into one first. Delivery 4 rows Other 4 rows",
    )
    for (const sheet of [{ sheet: "9" }, {}]) {
      const { html } = await open.send(sheet)
      expect(html).toContain('<a href="#sheet">Choose a sheet.')
      expect(html).not.toContain('href="#day"')
    }
    await report(await answer(await open.send({ sheet: "1" }), answers))
    expect(await site.history("Pre-roll")).toEqual([1940, 3951, 6128])
    // Both sheets have the same headings now. The one that is chosen is read as before.
    const same = await site.upload(workbook("two-sheets"), "delivery.xlsx")
    const again = same.path.endsWith("/reading") ? await same.send({ sheet: "1" }) : same
    expect(again.fields).toMatchObject({ line: "0", day: "1", impressions: "2" })
    expect(again.text).toContain("but those in this one look like totals so far.")
  })

  test.each([
    ["a text that no cell can have", `<c r="A1" t="inlineStr"><is><t>${"x".repeat(300_000)}</t></is></c>`],
    ["more tags than a table", "<row/>".repeat(5_000_001)],
    ["a cell far away", '<c r="XFD1048576"><v>1</v></c>'],
  ])("with %s is refused before it takes much memory", async (_, rows) => {
    await using site = await startUploads()
    const xml = `<worksheet><sheetData>${rows}</sheetData></worksheet>`
    const file = zipSync({ "xl/worksheets/sheet1.xml": new TextEncoder().encode(xml) }, { level: 1 })
    const refused = await site.upload(file, "large.xlsx")
    expect([refused.status, refused.text.includes("as CSV")]).toEqual([422, true])
    expect(refused.text).not.toContain("can’t be read")
  })

  test("that can't be read is refused in words", async () => {
    await using site = await startUploads()
    const refused = await site.upload(workbook("one-sheet").slice(0, 500), "delivery.xlsx")
    expect([refused.status, refused.text.includes("choose Save As and the type CSV")]).toEqual([422, true])
  })
})
