// The limit for delivery on SQLite: a loop of prepared statements that does the same durable writes and nothing else.
// bare-sqlite.ts FILE ITEMS SECONDS
import { Database } from "bun:sqlite"
import type { Round } from "../harness/rounds.ts"
import { LINES } from "../harness/workload.ts"

const [file = "", itemCount = "", seconds = ""] = process.argv.slice(2)
const items = Number(itemCount)
const database = new Database(file, { create: true })
database.run("PRAGMA journal_mode = WAL")
database.run("PRAGMA synchronous = FULL")
database.run(`CREATE TABLE IF NOT EXISTS report (as_of INTEGER NOT NULL, line_id INTEGER NOT NULL, received_at INTEGER NOT NULL,
  quantity REAL NOT NULL, source_id INTEGER NOT NULL, PRIMARY KEY (as_of, line_id, received_at)) STRICT, WITHOUT ROWID`)
database.run(
  `CREATE TABLE IF NOT EXISTS total (line_id INTEGER PRIMARY KEY, as_of INTEGER NOT NULL, quantity REAL NOT NULL) STRICT`,
)
database.run(`CREATE TABLE IF NOT EXISTS day (day TEXT NOT NULL, line_id INTEGER NOT NULL, as_of INTEGER NOT NULL,
  quantity REAL NOT NULL, low REAL NOT NULL, PRIMARY KEY (day, line_id)) STRICT, WITHOUT ROWID`)

const keep = database.prepare("INSERT INTO report VALUES (?1, ?2, ?3, ?4, 1)")
const replace = database.prepare(`INSERT INTO total VALUES (?1, ?2, ?3)
  ON CONFLICT DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity`)
const addToDay = database.prepare(`INSERT INTO day VALUES (?1, ?2, ?3, ?4, ?4)
  ON CONFLICT DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity, low = min(low, excluded.low)`)

const first = Date.now() * 1_000
const today = new Date().toISOString().slice(0, 10)
const write = database.transaction((request: number) => {
  const asOf = first + request
  for (let item = 0; item < items; item++) {
    const line = (request * items + item) % LINES
    keep.run(asOf, line, asOf, request)
    replace.run(line, asOf, request)
    addToDay.run(today, line, asOf, request)
  }
})

const began = performance.now()
const before = process.cpuUsage()
let requests = 0
while (performance.now() - began < Number(seconds) * 1_000) write.immediate(requests++)
const { user, system } = process.cpuUsage(before)
const perSecond = (requests * 1_000) / (performance.now() - began)
console.log(JSON.stringify({ perSecond, micros: (user + system) / requests } satisfies Round))
