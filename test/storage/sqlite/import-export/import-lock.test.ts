import { expect, test } from "bun:test"
import { importCatalogue } from "../../../../src/actions/catalogue/import-catalogue.ts"
import { startApp, type TestApp } from "../../../harness.ts"
import { recordSql } from "../recorded-sql.ts"

const ORGANIZATIONS = ["acme", "brand"].map((slug) => ({ slug, name: slug }))

function fileOf(count: number) {
  const lines = Array.from({ length: count }, (_, i) => ({
    seller: "acme",
    name: `Line ${i}`,
    pricing_basis: "impressions",
    flight_start: "2026-11-01",
  }))
  return { organizations: ORGANIZATIONS, campaigns: [{ slug: "autumn", name: "Autumn", buyer: "brand", lines }] }
}

async function statementsFor(app: TestApp, count: number): Promise<number> {
  using recorded = recordSql()
  const outcome = await importCatalogue(app, fileOf(count), "import")
  expect(outcome.ok && outcome.imported.lines).toEqual({ created: count, updated: 0 })
  return recorded.prepared()
}

test("an import of many lines is taken over with as few statements as one of a few: others wait for no line of it", async () => {
  await using one = await startApp()
  await using many = await startApp()
  const few = await statementsFor(one, 1)
  // Two more to put many rows at a time where they are taken over from, and what a server's own jobs prepare meanwhile.
  expect(await statementsFor(many, 1_000)).toBeLessThan(few + 10)
})
