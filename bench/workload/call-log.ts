import { Database } from "bun:sqlite"
import { join } from "node:path"

const MICROS_PER_DAY = 86_400_000_000
const CALLS_A_STEP = 100_000

export interface SeededCalls {
  readonly calls: number
  /** Characters of the arguments of each call. */
  readonly characters: number
  /** The moment of the newest call; the others are spread evenly over the 29 days before it. */
  readonly until: number
}

/**
 * Fills the call log of a stopped server straight into its tables: nine of ten calls are anonymous and completed; one in a
 * hundred is INVALID_REQUEST; the oldest of all holds the word "needle".
 */
export function seedCallLog(data: string, { calls, characters, until }: SeededCalls): void {
  using database = new Database(join(data, "adbooth.db"), { strict: true })
  // Only while seeding: the server opens the file with its own settings.
  database.run("PRAGMA synchronous = OFF")
  const step = Math.max(1, Math.floor((29 * MICROS_PER_DAY) / calls))
  const first = until - step * calls
  const insert = database.query<unknown, [number, number]>(`
    WITH RECURSIVE call(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM call WHERE n + 1 < ?2)
    INSERT INTO agent_call (at, address, method, tool, arguments, outcome, duration_micros)
    SELECT ${first} + n * ${step}, '203.0.113.' || (n % 250), 'tools/call',
      iif(n % 3, 'get_products', 'list_creative_formats'),
      '{"brief":"' || iif(n = 0, 'needle', 'straw') || substr(hex(randomblob(${Math.ceil(characters / 2)})), 1, ${characters - 20}) || '"}',
      iif(n % 100, 'completed', 'INVALID_REQUEST'), 900
    FROM call`)
  for (let from = 0; from < calls; from += CALLS_A_STEP) insert.run(from, Math.min(calls, from + CALLS_A_STEP))
  database.run(`INSERT INTO agent_call_size (id, rows, bytes) SELECT 1, count(*), sum(bytes) FROM agent_call WHERE true
    ON CONFLICT (id) DO UPDATE SET rows = excluded.rows, bytes = excluded.bytes`)
  database.run("PRAGMA wal_checkpoint(TRUNCATE)")
}
