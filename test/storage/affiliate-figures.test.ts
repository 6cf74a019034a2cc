import { expect, test } from "bun:test"
import { importCatalogue } from "../../src/actions/catalogue/import-catalogue.ts"
import { givenCodeId } from "../given.ts"
import { startApp, type TestApp } from "../harness.ts"

const LARGEST = Number.MAX_SAFE_INTEGER
const line = (seller: string, name: string) => ({
  seller,
  name,
  pricing_basis: "impressions",
  flight_start: "2026-11-01",
})
const catalogue = {
  organizations: ["acme", "other", "brand"].map((slug) => ({ slug, name: slug })),
  campaigns: [
    { slug: "autumn", name: "Autumn", buyer: "brand", lines: [line("acme", "One"), line("other", "Two")] },
    { slug: "winter", name: "Winter", buyer: "other", lines: [line("acme", "Three")] },
  ],
}

async function record(app: TestApp, seller: string, name: string, days: readonly [string, number, number][]) {
  const { organizations, packageLines, affiliates } = app.store
  const { id = 0 } = (await organizations.findBySlug(seller)) ?? {}
  const sold = (await packageLines.listWithTotals(id)).find((one) => one.name === name)
  await givenCodeId(app.store, id, sold?.packageId ?? "", `${name}-10`)
  const { found, revision } = await affiliates.codesSold(id, [`${name}-10`])
  const code = found[0] ?? { codeId: 0, lineId: 0 }
  const rows = days.map(([date, clicks, conversionValueMicros]) => ({
    ...code,
    date,
    clicks,
    conversions: undefined,
    conversionValueMicros,
  }))
  expect(await affiliates.keepMetrics(rows, 1, revision)).toBe(true)
  return id
}

test("sums are exact however large they grow, and a figure never sent stays unknown", async () => {
  await using app = await startApp()
  await importCatalogue(app, catalogue, "command")
  const days = Array.from({ length: 1_200 }, (_, day): [string, number, number] => [
    new Date(Date.UTC(2022, 0, day + 1)).toISOString().slice(0, 10),
    LARGEST,
    9_000_000_000_000_000 - 1,
  ])
  await record(app, "acme", "One", days)
  const [code] = await app.store.affiliateFigures.byCode({ organizationIds: null })
  expect(code).toMatchObject({
    code: "One-10",
    clicks: 1_200n * BigInt(LARGEST),
    conversions: null,
    valueMicros: 1_200n * (9_000_000_000_000_000n - 1n),
  })
})

test("an organization sees codes of lines that it sells and of campaigns that it buys, and no others", async () => {
  await using app = await startApp()
  await importCatalogue(app, catalogue, "command")
  const acme = await record(app, "acme", "One", [["2026-11-01", 3, 1]])
  const other = await record(app, "other", "Two", [["2026-11-02", 5, 2]])
  await record(app, "acme", "Three", [["2026-11-02", 7, 3]])
  const brand = (await app.store.organizations.findBySlug("brand"))?.id ?? 0
  const seen = async (id: number) =>
    (await app.store.affiliateFigures.byCode({ organizationIds: [id] })).map(({ code }) => code)
  expect(await seen(acme)).toEqual(["One-10", "Three-10"])
  expect(await seen(other)).toEqual(["Two-10", "Three-10"])
  expect(await seen(brand)).toEqual(["One-10", "Two-10"])
  expect(await seen(0)).toEqual([])
})

test("days add up over the codes in scope and between two days", async () => {
  await using app = await startApp()
  await importCatalogue(app, catalogue, "command")
  await record(app, "acme", "One", [
    ["2026-11-01", 3, 1],
    ["2026-11-02", 4, 1],
  ])
  await record(app, "other", "Two", [["2026-11-02", 5, 2]])
  const { affiliateFigures } = app.store
  const days = await affiliateFigures.byDay({ organizationIds: null, campaign: "autumn" })
  expect(days.map(({ date, clicks }) => [date, clicks])).toEqual([
    ["2026-11-01", 3n],
    ["2026-11-02", 9n],
  ])
  const [only] = await affiliateFigures.byDay({ organizationIds: null, from: "2026-11-02", to: "2026-11-02" })
  expect(only).toMatchObject({ date: "2026-11-02", clicks: 9n, valueMicros: 3n })
})
