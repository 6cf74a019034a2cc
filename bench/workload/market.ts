import { Database } from "bun:sqlite"
import { join } from "node:path"
import { seedCallLog } from "./call-log.ts"
import { SELLER } from "./lines.ts"
import { seedDays } from "./seed.ts"

/** How much a large installation holds. */
export interface MarketSize {
  readonly campaigns: number
  readonly lines: number
  readonly reports: number
  readonly calls: number
  readonly codes: number
  readonly auditEntries: number
}

// Some years of a seller who is no longer small, less of it for a look, and just enough to see that every page opens.
export const MARKETS = {
  whole: { campaigns: 500, lines: 5_000, reports: 1_500_000, calls: 100_000, codes: 1_000, auditEntries: 20_000 },
  quick: { campaigns: 500, lines: 5_000, reports: 300_000, calls: 50_000, codes: 1_000, auditEntries: 10_000 },
  smallest: { campaigns: 10, lines: 100, reports: 1_000, calls: 100, codes: 20, auditEntries: 100 },
}

export const BUYER = "brand-co"
/** A tenth of all lines are in one campaign, as at a seller with one very large customer. */
export const LARGEST_CAMPAIGN = "campaign-1"
/** A line with a report every minute. */
export const BUSIEST_LINE = packageIdOf(1)
const BUSIEST_LINE_REPORTS = 100_000
const DAYS_OF_FIGURES = 90

const OTHER_SELLER = "other-audio"

export function packageIdOf(line: number): string {
  return `00000000-0000-4000-8000-${String(line).padStart(12, "0")}`
}

/** Organizations that the market's rows belong to, for an import file. */
export const marketOrganizations = [
  { slug: SELLER, name: "Acme Audio", time_zone: "Europe/Berlin" },
  { slug: OTHER_SELLER, name: "Other Audio", time_zone: "America/New_York" },
  { slug: BUYER, name: "Brand Co" },
  ...Array.from({ length: 200 }, (_, i) => ({ slug: `buyer-${i}`, name: `Buyer ${i}` })),
]

/** An import file with so many new lines, in a hundred campaigns. */
export function marketImport(lines: number): object {
  const line = (campaign: number, place: number) => ({
    seller: SELLER,
    name: `Imported line ${campaign} ${place}`,
    pricing_basis: "impressions",
    flight_start: "2026-01-01",
    booked: 1_000,
  })
  const campaigns = Array.from({ length: 100 }, (_, i) => ({
    slug: `imported-${i}`,
    name: `Imported ${i}`,
    buyer: BUYER,
    lines: Array.from({ length: lines / 100 }, (_, place) => line(i, place)),
  }))
  return { campaigns }
}

/** Fills the tables of a data directory straight, because a large market through the product's own doors takes hours. */
export function seedMarket(data: string, size: MarketSize): void {
  using database = new Database(join(data, "adbooth.db"), { strict: true })
  // Only while seeding: the server opens the file with its own settings.
  for (const pragma of ["synchronous = OFF", "journal_mode = MEMORY", "cache_size = -400000", "temp_store = MEMORY"])
    database.run(`PRAGMA ${pragma}`)
  database.transaction(() => {
    seedCampaigns(database, size)
    seedReports(database, size)
    seedAffiliates(database, size)
    seedTrails(database, size)
  })()
  database.run("PRAGMA journal_mode = WAL")
}

const upTo = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${Math.max(1, count)})`
const organization = (slug: string) => `(SELECT id FROM organization WHERE slug = '${slug}')`
// One moment for the whole seed: what is linked by it must be the same everywhere.
const NOW = Date.now() * 1_000
// A negative number of days is in the future: most flights have not ended.
const dayBefore = (days: string) => `date('now', -(${days}) || ' days')`

function seedCampaigns(database: Database, { campaigns, lines }: MarketSize): void {
  database.run(`${upTo(campaigns)} INSERT INTO campaign (id, slug, name, buyer_id, created_at)
    SELECT i, 'campaign-' || i, 'Campaign ' || i,
      iif(i % 2 = 1, ${organization(BUYER)}, (SELECT id FROM organization WHERE slug = 'buyer-' || (i % 200))),
      ${NOW} - (${campaigns} - i) * 3600000000
    FROM n`)
  database.run(`${upTo(lines)} INSERT INTO package_line
      (id, package_id, campaign_id, seller_id, name, pricing_basis, flight_start, flight_end, booked, rate, currency, created_at)
    SELECT i, printf('00000000-0000-4000-8000-%012d', i), iif(i % 10 = 1, 1, 1 + i % ${campaigns}),
      iif(i % 20 = 3, ${organization(OTHER_SELLER)}, ${organization(SELLER)}),
      'Line ' || i, iif(i % 3 = 0, 'downloads', 'impressions'),
      ${dayBefore("30 + i % 200")}, iif(i % 7 = 0, NULL, ${dayBefore("60 - i % 150")}), 100000 + i, 5, 'EUR', ${NOW}
    FROM n`)
}

/** Reports an hour apart. */
function seedReports(database: Database, { lines, reports }: MarketSize): void {
  database.run("INSERT INTO delivery_source (id, kind, reference) VALUES (1, 'command', 'bench')")
  const keep = (perLine: number, apart: number, which: string) => {
    const asOf = (hour: string) => `${NOW - (perLine + 2) * apart} + (${hour}) * ${apart}`
    database.run(`${upTo(perLine)} INSERT INTO delivery_report
        (as_of, line_id, quantity, received_at, source_id)
      SELECT ${asOf("i")}, id, i * 500.0, ${asOf("i")}, 1 FROM n CROSS JOIN package_line WHERE ${which}`)
    const last = `${asOf(String(perLine))}, ${perLine * 500}`
    database.run(
      `INSERT INTO delivery_total (line_id, as_of, quantity) SELECT id, ${last} FROM package_line WHERE ${which}`,
    )
    const first = NOW - (perLine + 2) * apart
    const totals = Array.from({ length: perLine }, (_, i) => ({
      asOf: first + (i + 1) * apart,
      quantity: (i + 1) * 500,
    }))
    seedDays(database, totals, "Europe/Berlin", `package_line WHERE ${which} AND id % 20 <> 3`)
    seedDays(database, totals, "America/New_York", `package_line WHERE ${which} AND id % 20 = 3`)
  }
  keep(Math.max(1, Math.floor(reports / lines)), 3_600_000_000, "id > 1")
  keep(Math.min(BUSIEST_LINE_REPORTS, reports), 60_000_000, "id = 1")
}

function seedAffiliates(database: Database, { codes, lines }: MarketSize): void {
  database.run(`${upTo(codes)} INSERT INTO affiliate_code (id, organization_id, code, line_id, slug, updated_at)
    SELECT i, l.seller_id, 'CODE' || i, l.id, NULL, ${NOW} FROM n JOIN package_line l ON l.id = 1 + (i * 7) % ${lines}`)
  database.run(`WITH RECURSIVE d(day) AS (SELECT 1 UNION ALL SELECT day + 1 FROM d WHERE day < ${DAYS_OF_FIGURES})
    INSERT INTO affiliate_metric (code_id, line_id, date, clicks, conversions, value_micros, updated_at)
    SELECT id, line_id, ${dayBefore("day")}, 100 + day, day, day * 1000000, ${NOW} FROM affiliate_code CROSS JOIN d`)
  database.run("INSERT INTO affiliate_placement (line_id, code_id) SELECT line_id, id FROM affiliate_code")
}

function seedTrails(database: Database, { calls, auditEntries }: MarketSize): void {
  seedCallLog(database, { calls, characters: 300, until: NOW })
  database.run(`${upTo(auditEntries)} INSERT INTO audit_entry (at, actor, action, subject, organization_id, details)
    SELECT ${NOW} - (${auditEntries} - i) * 1000000, iif(i % 3 = 0, 'command', 'user:1'), 'edit line', 'line ' || i,
      ${organization(SELLER)}, '{"name":"Line ' || i || '"}' FROM n`)
}
