import { Database } from "bun:sqlite"
import { join } from "node:path"
import { dayOf } from "../../src/domain/time/time-zone.ts"
import { packageId, SELLER } from "./lines.ts"

const ZONE = "Europe/Berlin"
const HOUR_MICROS = 3_600_000_000
const DAY_MS = 86_400_000
const LINES_OF_A_CAMPAIGN = 10

const dayFromToday = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** The part of an import file with so many lines of one seller, whose flights began more than a year ago and are not over. */
export function linesOfAYear(count: number) {
  const line = (index: number) => ({
    package_id: packageId(index),
    seller: SELLER,
    name: `Line ${index + 1}`,
    pricing_basis: "impressions",
    flight_start: dayFromToday(-370),
    flight_end: dayFromToday(30 + (index % 90)),
    booked: 600_000 + (index % 50) * 20_000,
    rate: 12.5,
    currency: "EUR",
  })
  const lines = Array.from({ length: count }, (_, index) => line(index))
  const campaigns = Array.from({ length: Math.ceil(count / LINES_OF_A_CAMPAIGN) }, (_, i) => ({
    slug: `campaign-${i + 1}`,
    name: `Campaign ${i + 1}`,
    buyer: "brand-co",
    lines: lines.slice(i * LINES_OF_A_CAMPAIGN, (i + 1) * LINES_OF_A_CAMPAIGN),
  }))
  const organizations = [
    { slug: SELLER, name: "Acme Audio", time_zone: ZONE },
    { slug: "brand-co", name: "Brand Co" },
  ]
  return { organizations, campaigns }
}

/**
 * Gives every line a day with each of the hourly totals of so many days until an hour ago, straight into the tables; and the reports of them, of
 * the latest days as many as are asked for.
 */
export function seedYear(data: string, days: number, daysWithReports: number): void {
  using database = new Database(join(data, "adbooth.db"), { strict: true })
  // Only while seeding: the server opens the file with its own settings.
  for (const pragma of ["synchronous = OFF", "journal_mode = MEMORY", "cache_size = -400000"])
    database.run(`PRAGMA ${pragma}`)
  database.transaction(() => {
    database.run("INSERT INTO delivery_source (id, kind, reference) VALUES (1, 'command', 'bench')")
    fillHours(database, days * 24)
    const total = "(n + 1) * (50 + id % 50)"
    database.run(`INSERT INTO delivery_report (as_of, line_id, quantity, received_at, source_id)
      SELECT as_of, id, ${total}, as_of, 1 FROM hour CROSS JOIN package_line WHERE n >= ${(days - daysWithReports) * 24} ORDER BY as_of, id`)
    database.run(`INSERT INTO delivery_day (day, line_id, as_of, quantity, low)
      SELECT day, id, max(as_of), max(${total}), min(${total}) FROM hour CROSS JOIN package_line GROUP BY day, id`)
    database.run(`INSERT INTO delivery_total (line_id, as_of, quantity)
      SELECT id, as_of, ${total} FROM package_line CROSS JOIN hour WHERE n = ${days * 24 - 1}`)
    database.run("DROP TABLE hour")
  })()
  database.run("PRAGMA journal_mode = WAL")
}

function fillHours(database: Database, hours: number): void {
  database.run("CREATE TEMP TABLE hour (n INTEGER PRIMARY KEY, as_of INTEGER, day TEXT)")
  const insert = database.query("INSERT INTO hour VALUES (?1, ?2, ?3)")
  for (let n = 0; n < hours; n++) {
    const asOf = hourOf(n, hours)
    insert.run(n, asOf, dayOf(asOf, ZONE))
  }
}

// One moment for the whole run: an hour ago.
const LAST = Date.now() * 1_000 - HOUR_MICROS
const hourOf = (n: number, hours: number) => LAST - (hours - 1 - n) * HOUR_MICROS

/** When the tenth of the reports of so many days was measured: those before it are on the oldest page. */
export const tenthReport = (days: number): number => hourOf(9, days * 24)
