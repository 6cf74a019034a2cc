// The limit for delivery on PostgreSQL: Bun's client with the same writes in transactions of 500 items, and nothing else, on a
// database that has the program's tables.
// bare-postgres.ts URL SECONDS
import { SQL } from "bun"
import type { Round } from "../harness/rounds.ts"
import { ITEMS, LINES } from "../harness/workload.ts"

const CONNECTIONS = 4

const [url = "", seconds = ""] = process.argv.slice(2)
const client = new SQL(url, { max: CONNECTIONS })
const lines = (await client<{ id: string }[]>`SELECT id FROM line ORDER BY id`).map(({ id }) => Number(id))
const first = Date.now() * 1_000
const today = new Date().toISOString().slice(0, 10)
const list = (values: readonly number[]) => `{${values.join(",")}}`

const KEEP = `INSERT INTO delivery_report (line_id, as_of, quantity, received_at, source_id)
  SELECT line, $2, $3, $2, 1 FROM unnest($1::bigint[]) AS line`
const REPLACE = `INSERT INTO delivery_total (line_id, as_of, quantity) SELECT line, $2, $3 FROM unnest($1::bigint[]) AS line
  ON CONFLICT (line_id) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity`
const ADD_TO_DAY = `INSERT INTO delivery_day AS d (line_id, as_of, quantity, low, day)
  SELECT line, $2, $3, $3, $4 FROM unnest($1::bigint[]) AS line
  ON CONFLICT (day, line_id) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity,
    low = least(d.low, excluded.low)`

let requests = 0

async function write(request: number): Promise<void> {
  const start = (request * ITEMS) % LINES
  const ids = list(lines.slice(start, start + ITEMS))
  const asOf = first + request
  await client.begin(async (tx) => {
    await tx.unsafe(
      "SELECT line_id, as_of, quantity FROM delivery_total WHERE line_id = ANY($1::bigint[]) FOR UPDATE",
      [ids],
    )
    await tx.unsafe(KEEP, [ids, asOf, request])
    await tx.unsafe(REPLACE, [ids, asOf, request])
    await tx.unsafe(ADD_TO_DAY, [ids, asOf, request, today])
  })
}

const began = performance.now()
const endsAt = began + Number(seconds) * 1_000
const before = process.cpuUsage()

async function connection(): Promise<void> {
  while (performance.now() < endsAt) await write(requests++)
}

await Promise.all(Array.from({ length: CONNECTIONS }, connection))
const { user, system } = process.cpuUsage(before)
const perSecond = (requests * 1_000) / (performance.now() - began)
console.log(JSON.stringify({ perSecond, micros: (user + system) / requests } satisfies Round))
process.exit(0)
