import type { Database } from "bun:sqlite"
import { nextTurn } from "../../../domain/event-loop.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { PageRequest } from "../../port/store.ts"

// After searching this many rows, other requests are served.
const ROWS_AT_ONCE = 200

/** Ids from `first` to `last`, both included. */
export interface Span {
  readonly first: number
  readonly last: number
}

export interface Found<Row> {
  readonly rows: Row[]
  /** `before` of the next page; null at the end. */
  readonly before: number | null
}

export interface BackwardSearch<Row> {
  /** The newest matching rows with ids from `low` (inclusive) to `high` (exclusive). */
  find(low: number, high: number, limit: number): Row[]
  /** Asked after each step whether to stop early. `searched` is the number of ids so far. */
  isEnough?(searched: number, low: number, high: number): boolean
}

/** Searches a long table, newest rows first, and lets other requests run in between. */
export async function searchBackwards<Row extends { readonly id: number }>(
  { first, last }: Span,
  { before, limit }: PageRequest,
  { find, isEnough = () => false }: BackwardSearch<Row>,
): Promise<Found<Row>> {
  const rows: Row[] = []
  const start = Math.min(before ?? last + 1, last + 1)
  for (let high = start; high > first; ) {
    if (high < start) await nextTurn()
    const low = Math.max(first, high - ROWS_AT_ONCE)
    rows.push(...find(low, high, limit - rows.length))
    if (rows.length === limit) return { rows, before: rows.at(-1)?.id ?? null }
    if (low > first && isEnough(start - low, low, high)) return { rows, before: low }
    high = low
  }
  return { rows, before: null }
}

// Ids do not follow time exactly: a call waits for the next commit of its process, and a slow call is written when it ends.
const WRITTEN_LATE_MAX: Moment = 60_000_000

/**
 * Finds the first and last id of the rows in a span of time. Ids grow with time except for rows that are written late, so the smallest
 * and largest ids are found near both ends of the span, by the index on the time.
 */
export function spanSql(table: "agent_call" | "audit_entry") {
  return {
    newest: `SELECT id FROM ${table} ORDER BY id DESC LIMIT 1`,
    newestBefore: `SELECT max(id) AS id FROM ${table}
      WHERE at < ?1 AND at >= (SELECT max(at) FROM ${table} WHERE at < ?1) - ${WRITTEN_LATE_MAX}`,
    oldest: `SELECT id FROM ${table} ORDER BY id LIMIT 1`,
    oldestFrom: `SELECT min(id) AS id FROM ${table}
      WHERE at >= ?1 AND at <= (SELECT min(at) FROM ${table} WHERE at >= ?1) + ${WRITTEN_LATE_MAX}`,
  }
}

export function spanOf(
  database: Database,
  sql: ReturnType<typeof spanSql>,
  { from, until }: { readonly from?: Moment; readonly until?: Moment },
): Span {
  const id = (statement: string, ...values: Moment[]) =>
    database.query<{ id: number | null }, Moment[]>(statement).get(...values)?.id
  const newest = until === undefined ? id(sql.newest) : id(sql.newestBefore, until)
  const oldest = from === undefined ? id(sql.oldest) : id(sql.oldestFrom, from)
  return { first: oldest ?? Number.MAX_SAFE_INTEGER, last: newest ?? 0 }
}

/** The LIKE pattern for any text that contains this one literally. */
export function likePattern(text: string): string {
  // SQLite would read a pattern only up to U+0000, and find everything. No text has U+FFFF in it either, which is no character.
  return `%${text.replaceAll("\0", "\uffff").replace(/[\\%_]/g, "\\$&")}%`
}
