import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { createIngestKey } from "../../../src/actions/keys/keys.ts"
import type { TestApp } from "../../harness.ts"

const FOLDER = "test/fixtures/exports"

/** Exports in the shape that their documentation describes, by the name of their preset. */
export const EXPORTS: ReadonlyMap<string, { readonly file: string; readonly text: string }> = new Map(
  readdirSync(FOLDER).map((file) => [
    file.replace(/\.\w+$/, ""),
    { file, text: readFileSync(join(FOLDER, file), "utf8") },
  ]),
)

/** The lines that the exports are about: their own ID, what they are priced on, and the total that the export says. */
export const LINES: readonly (readonly [externalId: string, basis: string, total: number, asOf: string])[] = [
  ["5001", "impressions", 2500, "2026-11-04T23:59:59.999999Z"],
  ["5002", "impressions", 0, ""],
  ["3a9f", "downloads", 3, "2026-11-03T23:59:59.999999Z"],
  ["https://news.example.com/autumn/", "impressions", 2100, "2026-11-15T06:00:00Z"],
]

/** The codes that the exports are about, with clicks, conversions and value by day. */
export const CODES: Readonly<Record<string, (string | bigint | null)[][]>> = {
  "77001": [
    ["2026-11-03", null, 2n, 50_000_000n],
    ["2026-11-04", null, 1n, 5_500_000n],
  ],
  "77002": [],
}

export interface Seller {
  readonly organizationId: number
  readonly slug: string
  readonly key: string
}

let sellers = 0

/** A seller of its own with the lines and codes that the exports are about. */
export async function givenSeller(app: TestApp): Promise<Seller> {
  const slug = `exporter-${++sellers}`
  const lines = LINES.map(([external_id, pricing_basis]) => ({
    package_id: crypto.randomUUID(),
    external_id,
    seller: slug,
    name: `Line ${external_id}`,
    pricing_basis,
    flight_start: "2026-11-01",
  }))
  const outcome = await importCatalogue(
    app,
    {
      organizations: [{ slug, name: slug }],
      campaigns: [{ slug: `campaign-${slug}`, name: "Autumn", buyer: slug, lines }],
    },
    "test",
  )
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  const organization = await app.store.organizations.findBySlug(slug)
  if (organization === null) throw new Error(`${slug} was not brought in`)
  const { secret: key } = await createIngestKey(app, organization, "ad server", "test")
  const codes = Object.keys(CODES).map((code) => ({ packageId: lines[0]?.package_id, code }))
  const sent = await app.fetch("/api/ingest/affiliate/codes", {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ codes }),
  })
  if (!sent.ok) throw new Error(await sent.text())
  return { organizationId: organization.id, slug, key }
}

/** A line by the seller's own ID. */
export async function lineOf(
  { store }: TestApp,
  { organizationId }: Pick<Seller, "organizationId">,
  externalId: string,
) {
  const lines = await store.packageLines.listWithTotals(organizationId)
  const named = lines.find((line) => line.externalId === externalId)
  return (await store.packageLines.findSold(organizationId, [named?.packageId ?? ""]))[0]
}

/** The current total of a line by the seller's own ID. */
export const totalOf = async (app: TestApp, seller: Seller, externalId: string) =>
  (await lineOf(app, seller, externalId))?.total ?? null

/** Everything that was ever reported about a line, in the order of measurement. */
export async function historyOf(app: TestApp, seller: Seller, externalId: string): Promise<number[]> {
  const line = await lineOf(app, seller, externalId)
  if (line === undefined) throw new Error(`there is no line ${externalId}`)
  const { entries } = await app.store.deliveryHistory.page(line.lineId, "seller", null, 1_000)
  return entries
    .filter(({ withdrawn }) => withdrawn === null)
    .map(({ quantity }) => quantity)
    .reverse()
}
