// The limit for durable delivery totals: a loop that does nothing but the writes, history, current total and day,
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
  PRIMARY KEY (as_of, line, quantity)) STRICT, WITHOUT ROWID`)
database.run(`CREATE TABLE IF NOT EXISTS total (
  line INTEGER PRIMARY KEY, as_of INTEGER NOT NULL, quantity REAL NOT NULL) STRICT`)
database.run(`CREATE TABLE IF NOT EXISTS day (
  day TEXT NOT NULL, line INTEGER NOT NULL, as_of INTEGER NOT NULL, quantity REAL NOT NULL, low REAL NOT NULL,
  PRIMARY KEY (day, line)) STRICT, WITHOUT ROWID`)

const keep = database.prepare("INSERT INTO history VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING")
const replace = database.prepare(`INSERT INTO total VALUES (?1, ?2, ?3)
  ON CONFLICT (line) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity`)
const addToDay = database.prepare(`INSERT INTO day VALUES (?1, ?2, ?3, ?4, ?4)
  ON CONFLICT DO UPDATE SET as_of = max(as_of, excluded.as_of),
    quantity = iif(excluded.as_of >= as_of, excluded.quantity, quantity), low = min(low, excluded.low)`)

const first = Date.now() * 1000
const today = new Date().toISOString().slice(0, 10)
const writeBatch = database.transaction((batch: number) => {
  const asOf = first + batch
  const quantity = 1_000_000 + batch
  for (let item = 0; item < items; item += 1) {
    const line = (batch * items + item) % LINES
    keep.run(asOf, line, quantity, first, 1)
    replace.run(line, asOf, quantity)
    addToDay.run(today, line, asOf, quantity)
  }
})

printRound(seconds, items, (batch) => writeBatch.immediate(batch))
