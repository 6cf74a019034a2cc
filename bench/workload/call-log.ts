import type { Database } from "bun:sqlite"

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
 * Fills an empty call log of a stopped server, straight into its tables: all calls are anonymous, one in a hundred is
 * INVALID_REQUEST, and the oldest of all holds the word "needle".
 */
export function seedCallLog(database: Database, { calls, characters, until }: SeededCalls): void {
  const step = Math.max(1, Math.floor((29 * MICROS_PER_DAY) / Math.max(1, calls)))
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
  database.run(`INSERT INTO agent_call_size (id, rows, bytes) SELECT 1, count(*), coalesce(sum(bytes), 0) FROM agent_call WHERE true
    ON CONFLICT (id) DO UPDATE SET rows = excluded.rows, bytes = excluded.bytes`)
}
