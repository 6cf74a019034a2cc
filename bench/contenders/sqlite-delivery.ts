// The limit for durable delivery totals: a loop that does nothing but the writes, history and current total,
// with prepared statements in transactions of 500. Usage: sqlite-delivery.ts FILE SECONDS
import { ITEMS_PER_REQUEST } from "../workload/delivery.ts"
import { LINES } from "../workload/lines.ts"
import { openDurable, printRate } from "./durable-database.ts"

const [file = "", seconds = "1"] = process.argv.slice(2)
const database = openDurable(file)
database.run(`CREATE TABLE IF NOT EXISTS history (
  line INTEGER NOT NULL, as_of INTEGER NOT NULL, quantity REAL NOT NULL, received INTEGER NOT NULL, key INTEGER NOT NULL,
  PRIMARY KEY (line, as_of, quantity)) STRICT, WITHOUT ROWID`)
database.run(`CREATE TABLE IF NOT EXISTS total (
  line INTEGER PRIMARY KEY, as_of INTEGER NOT NULL, quantity REAL NOT NULL, received INTEGER NOT NULL) STRICT`)

const keep = database.prepare("INSERT INTO history VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING")
const replace = database.prepare(`INSERT INTO total VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (line) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity, received = excluded.received
  WHERE excluded.as_of >= as_of`)

const first = Date.now() * 1000
const writeBatch = database.transaction((batch: number) => {
  for (let item = 0; item < ITEMS_PER_REQUEST; item += 1) {
    const line = (batch * ITEMS_PER_REQUEST + item) % LINES
    keep.run(line, first + batch, 1_000_000 + batch, first, 1)
    replace.run(line, first + batch, 1_000_000 + batch, first)
  }
})

printRate(Number(seconds), ITEMS_PER_REQUEST, (batch) => writeBatch.immediate(batch))
