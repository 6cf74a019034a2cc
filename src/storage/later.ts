import { getTableColumns, getTableName, type Table } from "drizzle-orm"
import type { Moment } from "../domain/time/moment.ts"
import type { Log } from "../log.ts"
import { isUnavailable, type Tx, type Work } from "./database.ts"
import { columnsOf } from "./sql-text.ts"
import type { Tables } from "./tables/tables.ts"

const FLUSH_MS = 2_000
const ROWS_FLUSHED_AT = 500
const ROWS_MAX = 10_000
const MICROS_PER_MINUTE = 60_000_000

type Row<Name extends keyof Tables> = Tables[Name]["$inferInsert"]

/** The tables that have a `count`. */
type CountedTable = { [Name in keyof Tables]: Row<Name> extends { count: number } ? Name : never }[keyof Tables]

/** Rows that no request waits for. They are kept in memory and written every two seconds. */
export interface Later {
  /** Adds a row. */
  add<Name extends keyof Tables>(table: Name, row: Row<Name>): void
  /** Replaces the row that has the same `keys`. */
  replace<Name extends keyof Tables>(table: Name, keys: readonly (keyof Row<Name> & string)[], row: Row<Name>): void
  /** Adds to the count of the row with this key, and begins a row if there is none. */
  count<Name extends CountedTable>(table: Name, key: Omit<Row<Name>, "count">, by?: number): void
  /** Notes when an API key was last used, to the minute. */
  used(keyId: number, at: Moment): void
  /** The same for a buyer key. */
  usedBuyerKey(keyId: string, at: Moment): void
  /** Writes everything now, for a page that shows it. It never fails: the page is shown even if nothing can be written. */
  flush(): Promise<void>
}

/** A row that is waiting to be written. `write` gets all rows of one kind at once. */
interface Note {
  readonly kind: string
  readonly row: Record<string, unknown>
  readonly write: (tx: Tx, rows: readonly Record<string, unknown>[]) => Promise<void>
}

export function openLater(transact: (work: Work<void>) => Promise<void>, log: Log): Later & { close(): Promise<void> } {
  let waiting = new Map<unknown, Note>()
  let dropped = 0
  let running: Promise<void> = Promise.resolve()
  let isFailing = false
  const minutes = new Map<string, number>()
  const timer = setInterval(flush, FLUSH_MS)
  timer.unref()

  function keep(key: unknown, note: Note): void {
    const known = waiting.get(key)
    if (known !== undefined) {
      waiting.set(key, merged(known, note))
      return
    }
    if (waiting.size >= ROWS_MAX) {
      dropped++
      return
    }
    waiting.set(key, note)
    if (waiting.size === ROWS_FLUSHED_AT) void flush()
  }

  /** Keeps the only row with these keys. */
  function keepOne(
    table: keyof Tables,
    keys: readonly string[],
    row: Record<string, unknown>,
    onConflict: (table: Table, keys: readonly string[]) => string,
  ): void {
    const write: Note["write"] = (tx, rows) => insert(tx, tx[table], inOrder(rows, keys), onConflict(tx[table], keys))
    keep(nameOf(table, row, keys), { kind: table, row, write })
  }

  function used(table: "api_key" | "buyer_key", id: number | string, at: Moment): void {
    // Lists show minutes, so one write for each key and minute is enough.
    const key = `${table} ${id}`
    const minute = Math.floor(at / MICROS_PER_MINUTE)
    if (minutes.get(key) === minute) return
    minutes.set(key, minute)
    keep(key, { kind: table, row: { id, at }, write: (tx, rows) => saveUses(tx, table, rows) })
  }

  function flush(): Promise<void> {
    running = running.then(writeWaiting)
    return running
  }

  async function writeWaiting(): Promise<void> {
    if (dropped > 0) log.error("rows dropped, because too many were waiting to be written", null, { rows: dropped })
    dropped = 0
    if (waiting.size === 0) return
    const unwritten = waiting
    waiting = new Map()
    try {
      await writeAll([...unwritten], unwritten)
      isFailing = false
    } catch (cause) {
      // Log this only once, because every attempt fails while the database is down.
      if (!isFailing) log.error("calls, counts and key uses aren't written at the moment", cause)
      isFailing = true
      putBack(unwritten)
    }
  }

  /** Keeps unwritten rows for the next attempt. Rows that were added meanwhile are newer. */
  function putBack(unwritten: Map<unknown, Note>): void {
    const newer = waiting
    waiting = unwritten
    for (const [key, note] of newer) keep(key, note)
  }

  /** Writes all of them in one transaction. If the database refuses one of them, finds and drops it. */
  async function writeAll(
    entries: readonly (readonly [unknown, Note])[],
    unwritten: Map<unknown, Note>,
  ): Promise<void> {
    const byKind = Map.groupBy(entries, ([, { kind }]) => kind)
    try {
      await transact(async (tx) => {
        for (const ofKind of byKind.values()) {
          const rows = ofKind.map(([, { row }]) => row)
          await ofKind[0]?.[1].write(tx, rows)
        }
      })
    } catch (cause) {
      if (isUnavailable(cause)) throw cause
      if (entries.length > 1) {
        const half = Math.ceil(entries.length / 2)
        await writeAll(entries.slice(0, half), unwritten)
        await writeAll(entries.slice(half), unwritten)
        return
      }
      log.error("a row was dropped, because the database refused it", cause, { kind: [...byKind.keys()].join() })
    }
    for (const [key] of entries) unwritten.delete(key)
  }

  return {
    add(table, row) {
      const fields = Object.keys(row).join()
      keep(row, { kind: `${table} ${fields}`, row, write: (tx, rows) => insert(tx, tx[table], rows, "") })
    },
    replace: (table, keys, row) => keepOne(table, keys, row, replacing),
    count: (table, key, by = 1) => keepOne(table, Object.keys(key), { ...key, count: by }, counting),
    used: (keyId, at) => used("api_key", keyId, at),
    usedBuyerKey: (keyId, at) => used("buyer_key", keyId, at),
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** Names the row with these keys: "feedCount,3,1795042800000000,delivery". */
function nameOf(table: string, row: Readonly<Record<string, unknown>>, keys: readonly string[]): string {
  let name = table
  for (const key of keys) name += `,${row[key]}`
  return name
}

/** Counts add up. Everything else is replaced by what's newer. */
function merged(older: Note, newer: Note): Note {
  if (!("count" in newer.row)) return newer
  const count = Number(older.row["count"]) + Number(newer.row["count"])
  return { ...newer, row: { ...newer.row, count } }
}

/** Saves when keys were last used. An earlier use never replaces a later one. */
async function saveUses(tx: Tx, table: string, uses: readonly Record<string, unknown>[]): Promise<void> {
  const save = `UPDATE ${table} SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)`
  for (const { id, at } of inOrder(uses, ["id"])) await tx.rows(save, [at, id] as [number, number | string], {})
}

const insert = (tx: Tx, table: Table, rows: readonly Record<string, unknown>[], onConflict: string): Promise<void> =>
  tx.insertMany(table, rows as readonly (typeof table)["$inferInsert"][], onConflict)

/** Servers that write the same rows take them in one order, or they would wait for each other in a circle. */
function inOrder(rows: readonly Record<string, unknown>[], keys: readonly string[]) {
  const named = rows.map((row) => ({ row, name: keys.map((key) => row[key]).join() }))
  return named.sort((one, other) => (one.name < other.name ? -1 : 1)).map(({ row }) => row)
}

const counting = (table: Table, keys: readonly string[]): string =>
  `ON CONFLICT (${namesOf(table, keys)}) DO UPDATE SET count = ${getTableName(table)}.count + excluded.count`

function replacing(table: Table, keys: readonly string[]): string {
  const others = Object.keys(getTableColumns(table)).filter((field) => !keys.includes(field))
  const set = columnsOf(table, others).map(({ name }) => `${name} = excluded.${name}`)
  return `ON CONFLICT (${namesOf(table, keys)}) DO UPDATE SET ${set.join(", ")}`
}

const namesOf = (table: Table, fields: readonly string[]): string =>
  columnsOf(table, fields)
    .map(({ name }) => name)
    .join(", ")
