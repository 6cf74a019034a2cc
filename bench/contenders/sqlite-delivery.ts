// The limit for durable delivery totals: a loop that does nothing but the writes, history and current total,
// with prepared statements in transactions of so many, 500 unless said. Usage: sqlite-delivery.ts FILE [ITEMS] SECONDS
import { ITEMS_PER_REQUEST } from "../workload/delivery.ts"
import { LINES } from "../workload/lines.ts"
import { openDurable, printRound } from "./durable-loop.ts"

const [file = "", ...numbers] = process.argv.slice(2)
const seconds = Number(numbers.pop() ?? 1)
const items = Number(numbers[0] ?? ITEMS_PER_REQUEST)
const database = openDurable(file)
database.run(`CREATE TABLE IF NOT EXISTS history (
  as_of INTEGER NOT NULL, line INTEGER NOT NULL, quantity REAL NOT NULL, received INTEGER NOT NULL, source INTEGER NOT NULL,
  previous_as_of INTEGER, previous_quantity REAL, PRIMARY KEY (as_of, line, quantity)) STRICT, WITHOUT ROWID`)
database.run(`CREATE TABLE IF NOT EXISTS total (
  line INTEGER PRIMARY KEY, as_of INTEGER NOT NULL, quantity REAL NOT NULL,
  last_as_of INTEGER NOT NULL, last_quantity REAL NOT NULL) STRICT`)

const keep = database.prepare("INSERT INTO history VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING")
const replace = database.prepare(`INSERT INTO total VALUES (?1, ?2, ?3, ?2, ?3)
  ON CONFLICT (line) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity,
  last_as_of = excluded.last_as_of, last_quantity = excluded.last_quantity`)

const first = Date.now() * 1000
const writeBatch = database.transaction((batch: number) => {
  const asOf = first + batch
  const quantity = 1_000_000 + batch
  for (let item = 0; item < items; item += 1) {
    const line = (batch * items + item) % LINES
    keep.run(asOf, line, quantity, first, 1, asOf - 1, quantity - 1)
    replace.run(line, asOf, quantity)
  }
})

printRound(seconds, items, (batch) => writeBatch.immediate(batch))
