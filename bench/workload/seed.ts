import { Database } from "bun:sqlite"
import { join } from "node:path"
import { dayOf } from "../../src/domain/time/time-zone.ts"

const FIRST_MOMENT = Date.UTC(2026, 0, 2) * 1000
const HOUR_MICROS = 3_600_000_000

function openData(data: string): Database {
  const database = new Database(join(data, "adbooth.db"), { strict: true })
  // Only while seeding: the server opens the file with its own settings.
  database.run("PRAGMA synchronous = OFF")
  return database
}

/** Gives every line this many hourly reports, straight into its tables. */
export function seedHistory(data: string, reportsPerLine: number): void {
  using database = openData(data)
  database.run("INSERT INTO delivery_source (id, kind, reference) VALUES (1, 'command', 'bench')")
  const asOf = (hour: string) => `${FIRST_MOMENT} + ${hour} * ${HOUR_MICROS}`
  database.run(`WITH RECURSIVE hour(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM hour WHERE n + 1 < ${reportsPerLine})
    INSERT INTO delivery_report (as_of, line_id, quantity, received_at, source_id)
    SELECT ${asOf("n")}, id, n, ${asOf("n")}, 1 FROM hour CROSS JOIN package_line`)
  const last = `${reportsPerLine - 1}`
  database.run(`INSERT INTO delivery_total (line_id, as_of, quantity)
    SELECT id, ${asOf(last)}, ${last} FROM package_line`)
  const hours = Array.from({ length: reportsPerLine }, (_, n) => ({
    asOf: FIRST_MOMENT + n * HOUR_MICROS,
    quantity: n,
  }))
  seedDays(database, hours, "Europe/Berlin", "package_line")
  database.run("PRAGMA wal_checkpoint(TRUNCATE)")
}

/** The days of lines that were all reported at these moments with these rising totals. `lines` are rows with an id. */
export function seedDays(
  database: Database,
  totals: readonly { readonly asOf: number; readonly quantity: number }[],
  zone: string,
  lines: string,
): void {
  const insert = database.query(`INSERT INTO delivery_day (day, line_id, as_of, quantity, low)
    SELECT ?1, id, ?2, ?3, ?4 FROM ${lines}`)
  for (const [day, ofDay] of Map.groupBy(totals, ({ asOf }) => dayOf(asOf, zone))) {
    const [first, last] = [ofDay[0], ofDay.at(-1)]
    if (first !== undefined && last !== undefined) insert.run(day, last.asOf, last.quantity, first.quantity)
  }
}

/** Makes the file at least this large with logged calls of two kilobytes each, as a busy agent does in a month. */
export function seedCalls(data: string, megabytes: number): void {
  using database = openData(data)
  database.run(`WITH RECURSIVE call(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM call WHERE n + 1 < ${megabytes * 500})
    INSERT INTO agent_call (at, address, method, tool, arguments, outcome, duration_micros)
    SELECT ${FIRST_MOMENT} + n * 1000000, '127.0.0.1', 'tools/call', 'get_products', hex(randomblob(900)), 'completed', 900
    FROM call`)
  database.run("PRAGMA wal_checkpoint(TRUNCATE)")
}
