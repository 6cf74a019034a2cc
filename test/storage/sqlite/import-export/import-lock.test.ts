import { expect, test } from "bun:test"
import { importCatalogue } from "../../../../src/actions/catalogue/import-catalogue.ts"
import { openTestStore } from "../../../harness.ts"
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

async function statementsFor(count: number): Promise<number> {
  // Without a server, whose own jobs would prepare statements meanwhile.
  await using context = await openTestStore()
  using recorded = recordSql()
  const outcome = await importCatalogue(context, fileOf(count), "import")
  expect(outcome.ok && outcome.imported.lines).toEqual({ created: count, updated: 0 })
  return recorded.prepared()
}

test("an import of many lines is taken over with as few statements as one of a few: others wait for no line of it", async () => {
  const few = await statementsFor(1)
  // Two more to put many rows at a time where they are taken over from; a rest would have statements of its own sizes.
  expect(await statementsFor(1_024)).toBeLessThanOrEqual(few + 2)
})
