import { expect, test } from "bun:test"
import { exportCatalogue } from "../../../src/actions/catalogue/export-catalogue.ts"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { reportDelivery } from "../../../src/actions/delivery/report-delivery.ts"
import { builtInFormats } from "../../../src/domain/adcp/catalogue/built-in/index.ts"
import { givenProduct } from "../../domain/adcp/given.ts"
import { startApp } from "../../harness.ts"

const ORGANIZATIONS = ["acme", "brand"].map((slug) => ({ slug, name: slug }))
const SOURCE = { kind: "key", reference: "k", detail: "" } as const

function fileOf(count: number, change: object = {}) {
  const lines = Array.from({ length: count }, (_, i) => ({
    seller: "acme",
    name: `Line ${i}`,
    pricing_basis: "impressions",
    flight_start: "2026-11-01",
    ...change,
  }))
  return { organizations: ORGANIZATIONS, campaigns: [{ slug: "autumn", name: "Autumn", buyer: "brand", lines }] }
}

test("importing the same file again changes nothing and says so", async () => {
  await using app = await startApp()
  await importCatalogue(app, fileOf(100), "import")
  const before = await app.store.packageLines.listWithTotals(null)
  const again = await importCatalogue(app, fileOf(100), "import")
  expect(again.ok && again.imported.lines).toEqual({ created: 0, updated: 100 })
  expect(await app.store.packageLines.listWithTotals(null)).toEqual(before)
})

test("figures that are reported between the check of a file and its writing keep their meaning", async () => {
  await using app = await startApp()
  await importCatalogue(app, fileOf(1), "import")
  const [line] = await app.store.packageLines.listWithTotals(null)
  const { transactBulk } = app.store
  let reported = false
  // Somebody reports at the very moment at which the import goes to write.
  Object.assign(app.store, {
    async transactBulk(...args: Parameters<typeof transactBulk>) {
      if (!reported) {
        reported = true
        const organization = await app.store.organizations.findBySlug("acme")
        const feed = { organizationId: organization?.id ?? 0, timeZone: "UTC", source: SOURCE }
        const context = { ...app, log: { error: () => undefined } }
        await reportDelivery(context, feed, [{ package_id: line?.packageId, impressions: 5 }], { dryRun: false })
      }
      return transactBulk(...args)
    },
  })
  const outcome = await importCatalogue(app, fileOf(1, { pricing_basis: "downloads" }), "import")
  expect(outcome.ok).toBe(false)
  const [after] = await app.store.packageLines.listWithTotals(null)
  expect(after).toMatchObject({ pricingBasis: "impressions", total: { quantity: 5 } })
})

test("an entry that names a line and one that has the name of the same line are refused: it would be unclear which counts", async () => {
  await using app = await startApp()
  await importCatalogue(app, fileOf(1), "import")
  const [line] = await app.store.packageLines.listWithTotals(null)
  const file = fileOf(1)
  file.campaigns[0]?.lines.unshift({ ...file.campaigns[0].lines[0], package_id: line?.packageId } as never)
  expect(await importCatalogue(app, file, "import")).toEqual({
    ok: false,
    problems: [
      {
        pointer: "/campaigns/0/lines/1/name",
        message: "is the same as in /campaigns/0/lines/0: give each line a package_id",
      },
    ],
  })
})

test("a format that a file describes cannot be hidden by it as well", async () => {
  await using app = await startApp()
  const [format] = builtInFormats
  const id = format?.format_id.id ?? ""
  expect(await importCatalogue(app, { formats: [format], hidden_formats: [id] }, "import")).toEqual({
    ok: false,
    problems: [{ pointer: "/hidden_formats/0", message: "is the same as in /formats/0" }],
  })
})

test("what an earlier version stored of products and formats is exported, and imported into an empty installation", async () => {
  await using old = await startApp()
  const product = givenProduct("old", { signal_targeting_allowed: false })
  const format = { ...builtInFormats[0], name: "Ours", pricing_options: [] }
  const file = { products: [product], formats: [format] }
  const refused = await importCatalogue(old, file, "import")
  expect(refused.ok || refused.problems.map(({ pointer }) => pointer)).toEqual([
    "/formats/0/pricing_options",
    "/products/0/signal_targeting_allowed",
  ])
  const ids = { products: ["old"], formats: [format.format_id?.id ?? ""] }
  const taken = await importCatalogue(old, { ...file, stored_earlier: ids }, "import")
  expect(taken).toMatchObject({ ok: true })
  const exported = await exportCatalogue(old)
  expect(exported.stored_earlier).toEqual(ids)
  await using fresh = await startApp()
  expect(await importCatalogue(fresh, exported, "import")).toMatchObject({ ok: true })
  expect(await exportCatalogue(fresh)).toEqual(exported)
})
