// The limit for durable delivery totals on PostgreSQL: Bun's client and the statements that the product needs (begin, lock and read the
// current totals, write history and totals, commit) in two round trips, and nothing else.
// Usage: postgres-delivery.ts URL batches|shared|each IN_FLIGHT SECONDS
import { type ReservedSQL, SQL } from "bun"
import { ITEMS_PER_REQUEST } from "../workload/delivery.ts"
import { LINES } from "../workload/lines.ts"

const [url = "", mode = "", inFlight = "1", seconds = "1"] = process.argv.slice(2)
const CALLERS = 64

const client = new SQL(url, { max: Number(inFlight) })
await client.unsafe(`CREATE TABLE IF NOT EXISTS history (
  as_of bigint NOT NULL, line bigint NOT NULL, quantity double precision NOT NULL, received bigint NOT NULL,
  source bigint NOT NULL, previous_as_of bigint, previous_quantity double precision, PRIMARY KEY (as_of, line, quantity));
  CREATE TABLE IF NOT EXISTS total (line bigint PRIMARY KEY, as_of bigint NOT NULL, quantity double precision NOT NULL,
  last_as_of bigint NOT NULL, last_quantity double precision NOT NULL)`)

const READ = `WITH current AS MATERIALIZED (SELECT * FROM total WHERE line = ANY($1::bigint[]) ORDER BY line FOR UPDATE)
  SELECT array_agg(line::double precision) AS lines, array_agg(as_of::double precision) AS moments,
    array_agg(quantity) AS quantities FROM current`
const KEEP = `INSERT INTO history SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::double precision[], $4::bigint[],
  $5::bigint[], $6::bigint[], $7::double precision[])`
const REPLACE = `INSERT INTO total AS t SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::double precision[], $4::bigint[],
  $5::double precision[]) ON CONFLICT (line) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity,
  last_as_of = excluded.last_as_of, last_quantity = excluded.last_quantity WHERE t.as_of <= excluded.as_of`

const first = Date.now() * 1000
const end = performance.now() + Number(seconds) * 1000
let written = 0
let number = 0

interface Item {
  readonly line: number
  readonly number: number
}

async function transact(connection: ReservedSQL, items: readonly Item[]): Promise<void> {
  const list = (values: readonly number[]) => `{${values.join()}}`
  const all = (value: number) => list(items.map(() => value))
  const lines = list(items.map(({ line }) => line))
  const moments = list(items.map((item) => first + item.number))
  const quantities = list(items.map((item) => 1_000_000 + item.number))
  await Promise.all([connection.unsafe("BEGIN").simple(), connection.unsafe(READ, [lines])])
  await Promise.all([
    connection.unsafe(KEEP, [moments, lines, quantities, all(first), all(1), moments, quantities]),
    connection.unsafe(REPLACE, [lines, moments, quantities, moments, quantities]),
    connection.unsafe("COMMIT").simple(),
  ])
  written += items.length
}

/** Each of as many workers as there are connections sends the next 500 items. */
async function batches(connection: ReservedSQL): Promise<void> {
  while (performance.now() < end) {
    const batch = ++number
    const start = (batch * ITEMS_PER_REQUEST) % LINES
    await transact(
      connection,
      Array.from({ length: ITEMS_PER_REQUEST }, (_, place) => ({ line: start + place, number: batch })),
    )
  }
}

const waiting: { readonly item: Item; readonly done: () => void }[] = []
const nextItem = (): Item => ({ line: ++number % LINES, number })

/** One of 64 callers, who asks again when its item is committed. */
async function call(): Promise<void> {
  while (performance.now() < end) await new Promise<void>((done) => waiting.push({ item: nextItem(), done }))
}

/** What waits while a transaction is under way shares the next one, or else each item has its own. */
async function serve(connection: ReservedSQL, most: number): Promise<void> {
  while (performance.now() < end) {
    const some = waiting.splice(0, most)
    if (some.length === 0) {
      await new Promise((resolve) => setImmediate(resolve))
      continue
    }
    await transact(
      connection,
      some.map(({ item }) => item),
    )
    for (const { done } of some) done()
  }
}

const began = performance.now()
const connections = await Promise.all(Array.from({ length: Number(inFlight) }, () => client.reserve()))
if (mode === "batches") await Promise.all(connections.map(batches))
else {
  for (let caller = 0; caller < CALLERS; caller += 1) void call()
  await Promise.all(connections.map((connection) => serve(connection, mode === "shared" ? CALLERS : 1)))
}
console.log((written * 1000) / (performance.now() - began))
process.exit(0)
