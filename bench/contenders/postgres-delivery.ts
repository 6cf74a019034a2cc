// The limit for durable delivery totals on PostgreSQL: Bun's client and the product's statements (key and limit; begin and lock; read the
// current totals; write history, totals and days; commit), sent as the product sends them, and nothing else. On a database with the
// product's tables.
// Usage: postgres-delivery.ts URL batches|single IN_FLIGHT SECONDS
import { type ReservedSQL, SQL } from "bun"
import { CHANGE_LOCK } from "../../src/storage/postgres/engine/transaction.ts"
import { ADMIT } from "../../src/storage/postgres/shared-limits/admission-sql.ts"
import type { Round } from "../harness/scenario.ts"
import { ITEMS_PER_REQUEST } from "../workload/delivery.ts"
import { LINES } from "../workload/lines.ts"

type Mode = "batches" | "single"

const [url = "", mode, inFlight = "1", seconds = "1"] = process.argv.slice(2) as [string, Mode, string, string]
const LIMIT = 1_000_000

const client = new SQL(url, { max: Number(inFlight) })
const keys = (await client<{ fingerprint: string }[]>`SELECT fingerprint FROM ingest_key`).map((key) => key.fingerprint)
const lines = (await client<{ id: string }[]>`SELECT id FROM package_line ORDER BY id`).map(({ id }) => Number(id))

const READ = `WITH current AS MATERIALIZED
    (SELECT line_id, as_of, quantity FROM delivery_total WHERE line_id = ANY($1::bigint[]) ORDER BY line_id FOR UPDATE)
  SELECT array_agg(line_id::double precision) AS lines, array_agg(as_of::double precision) AS moments,
    array_agg(quantity) AS quantities FROM current`
// What the product's transactions begin with.
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED;
  SELECT set_config('statement_timeout', '4500', true), set_config('lock_timeout', '4500', true),
    set_config('idle_in_transaction_session_timeout', '1500', true), pg_advisory_xact_lock_shared(${CHANGE_LOCK});
  SELECT terms::double precision AS terms, catalogue::double precision AS catalogue FROM revision;`
const KEEP = `INSERT INTO delivery_report (line_id, as_of, quantity, received_at, source_id)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::double precision[], $4::bigint[], $5::bigint[])`
const REPLACE = `INSERT INTO delivery_total AS t (line_id, as_of, quantity)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::double precision[])
  ON CONFLICT (line_id) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity
  WHERE t.as_of <= excluded.as_of`
const ADD_TO_DAYS = `INSERT INTO delivery_day AS d (line_id, as_of, quantity, low, day)
  SELECT *, to_char(now(), 'YYYY-MM-DD') FROM unnest($1::bigint[], $2::bigint[], $3::double precision[], $3::double precision[])
  ON CONFLICT (day, line_id) DO UPDATE SET as_of = greatest(d.as_of, excluded.as_of),
    quantity = CASE WHEN excluded.as_of >= d.as_of THEN excluded.quantity ELSE d.quantity END,
    low = least(d.low, excluded.low)`

const first = Date.now() * 1000
let written = 0
let number = 0

interface Item {
  readonly line: number
  readonly number: number
}

/** Lets a request in, of another sender than the one before. */
async function admit(connection: ReservedSQL): Promise<void> {
  await connection.unsafe(ADMIT.ingest, [keys[++number % keys.length] ?? "", "delivery", LIMIT, null])
}

interface Written {
  readonly text: string
  readonly values: string[]
}

/** Prepared, as the product's are. */
async function inOneTrip(connection: ReservedSQL, head: string, statements: readonly Written[], tail: string) {
  if (head !== "") await connection.unsafe(head).simple()
  await Promise.all(statements.map(({ text, values }) => connection.unsafe(text, values)))
  if (tail !== "") await connection.unsafe(tail).simple()
}

async function transact(connection: ReservedSQL, items: readonly Item[]): Promise<void> {
  const list = (values: readonly number[]) => `{${values.join()}}`
  const all = (value: number) => list(items.map(() => value))
  const ids = list(items.map(({ line }) => lines[line] ?? 0))
  const moments = list(items.map((item) => first + item.number))
  const quantities = list(items.map((item) => 1_000_000 + item.number))
  const reading = { text: READ, values: [ids] }
  const writing = [
    { text: KEEP, values: [ids, moments, quantities, all(first), all(1)] },
    { text: REPLACE, values: [ids, moments, quantities] },
    { text: ADD_TO_DAYS, values: [ids, moments, quantities] },
  ]
  await inOneTrip(connection, BEGIN, [reading], "")
  await inOneTrip(connection, "", writing, "COMMIT")
  written += items.length
}

const end = performance.now() + Number(seconds) * 1000
const isOver = () => performance.now() >= end

/** Each of as many workers as there are connections sends the next 500 items. */
async function sendBatches(connection: ReservedSQL): Promise<void> {
  while (!isOver()) {
    await admit(connection)
    const batch = ++number
    const start = (batch * ITEMS_PER_REQUEST) % LINES
    const items = Array.from({ length: ITEMS_PER_REQUEST }, (_, place) => ({ line: start + place, number: batch }))
    await transact(connection, items)
  }
}

/** One item after the other, each in a transaction of its own. */
async function sendSingles(connection: ReservedSQL): Promise<void> {
  while (!isOver()) {
    await admit(connection)
    await transact(connection, [{ line: ++number % LINES, number }])
  }
}

const work = { batches: sendBatches, single: sendSingles }[mode]
const connections = await Promise.all(Array.from({ length: Number(inFlight) }, () => client.reserve()))
const began = performance.now()
const before = process.cpuUsage()
await Promise.all(connections.map(work))
const { user, system } = process.cpuUsage(before)
const requests = mode === "batches" ? written / ITEMS_PER_REQUEST : written
const perSecond = (written * 1000) / (performance.now() - began)
console.log(JSON.stringify({ perSecond, micros: (user + system) / requests } satisfies Round))
process.exit(0)
