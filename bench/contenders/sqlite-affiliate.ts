// The limit for durable affiliate metrics: a loop that does nothing but the upserts, in transactions of 1000.
// Usage: sqlite-affiliate.ts FILE SECONDS
import { CODES, DAYS, ROWS_PER_REQUEST } from "../workload/affiliate.ts"
import { openDurable, printRound } from "./durable-loop.ts"

const [file = "", seconds = "1"] = process.argv.slice(2)
const database = openDurable(file)
database.run(`CREATE TABLE IF NOT EXISTS metric (
  code INTEGER NOT NULL, date TEXT NOT NULL, clicks INTEGER, conversions INTEGER, conversion_value INTEGER,
  received INTEGER NOT NULL, PRIMARY KEY (code, date)) STRICT, WITHOUT ROWID`)

const upsert = database.prepare(`INSERT INTO metric VALUES (?1, ?2, ?3, ?4, ?5, ?6)
  ON CONFLICT (code, date) DO UPDATE SET clicks = coalesce(excluded.clicks, clicks),
  conversions = coalesce(excluded.conversions, conversions),
  conversion_value = coalesce(excluded.conversion_value, conversion_value), received = excluded.received`)

const now = Date.now() * 1000
const writeBatch = database.transaction((batch: number) => {
  const date = `2026-02-${String((batch % DAYS) + 1).padStart(2, "0")}`
  for (let row = 0; row < ROWS_PER_REQUEST; row += 1)
    upsert.run(row % CODES, date, 1_000_000 + batch, 7, 12_500_000, now)
})

printRound(Number(seconds), ROWS_PER_REQUEST, (batch) => writeBatch.immediate(batch))
