import { type SQL, sql } from "drizzle-orm"
import type { Moment } from "../../domain/time/moment.ts"
import { nextTurn } from "../../next-turn.ts"
import type { PageRequest } from "../port/logs.ts"
import { all, and, first, type ReadTx, type Step, type Steps } from "./step.ts"

// So many rows are looked through before others are served: few at first, because most searches end soon.
const ROWS_AT_FIRST = 200
const ROWS_AT_ONCE_MAX = 1_000
// A search stops after so many rows, or so much text: a rare match takes several pages instead of several seconds.
const LOOKED_THROUGH_MAX = 60_000
const BYTES_MAX = 33_554_432
// Ids do not follow time exactly: a call waits for the next commit of its process, and a slow call is written when it ends.
const WRITTEN_LATE_MAX: Moment = 60_000_000

export interface BackwardSearch {
  readonly table: "agent_call" | "audit_entry"
  /** Selects rows of the table, which it calls e. */
  readonly select: SQL
  /** Conditions; those that are undefined do not count. */
  readonly matching: readonly (SQL | undefined)[]
  readonly time: { readonly from?: Moment; readonly until?: Moment }
  /** How long the text of a row is, where that may be long. */
  readonly bytes?: SQL
}

/** Searches a long table, newest rows first. `before` is that of the next page; null at the end. */
export async function searchBackwards<Row extends { readonly id: number }>(
  { query }: Pick<Steps, "query">,
  { table, select, matching, time, bytes }: BackwardSearch,
  { before, limit }: PageRequest,
): Promise<{ readonly rows: Row[]; readonly before: number | null }> {
  const { oldest, newest } = await query((tx) => spanOf(tx, table, time))
  const start = Math.min(before ?? newest + 1, newest + 1)
  const rows: Row[] = []
  let [high, size, weight] = [start, ROWS_AT_FIRST, 0]
  while (high > oldest) {
    const low = Math.max(oldest, high - size)
    const looked = sql`e.id >= ${low} AND e.id < ${high}`
    const where = and(looked, ...inTime(time), ...matching)
    const page = sql`${select} WHERE ${where} ORDER BY e.id DESC LIMIT ${limit - rows.length}`
    rows.push(...(await query(({ statement }) => all(statement<Row>(page)))))
    if (rows.length === limit) return { rows, before: rows.at(-1)?.id ?? null }
    if (bytes !== undefined) weight += await query((tx) => bytesOf(tx, sql`sum(${bytes})`, table, looked))
    if (low > oldest && (start - low >= LOOKED_THROUGH_MAX || weight >= BYTES_MAX)) return { rows, before: low }
    await nextTurn()
    high = low
    size = Math.min(2 * size, ROWS_AT_ONCE_MAX)
  }
  return { rows, before: null }
}

/** The conditions of a span of time; those that are undefined do not count. */
export const inTime = ({ from, until }: BackwardSearch["time"]): readonly (SQL | undefined)[] => [
  from === undefined ? undefined : sql`e.at >= ${from}`,
  until === undefined ? undefined : sql`e.at < ${until}`,
]

/**
 * The smallest and largest id in a span of time. Ids grow with time except for rows that are written late, so they are found near both
 * ends of the span, by the index on the time.
 */
function* spanOf({ statement }: ReadTx, name: string, { from, until }: BackwardSearch["time"]) {
  const table = sql.raw(name)
  const late = sql.raw(String(WRITTEN_LATE_MAX))
  const begins = sql`WHERE at >= ${from} AND at <= (SELECT min(at) FROM ${table} WHERE at >= ${from}) + ${late}`
  const ends = sql`WHERE at < ${until} AND at >= (SELECT max(at) FROM ${table} WHERE at < ${until}) - ${late}`
  const span = statement<{ oldest: number | null; newest: number | null }>(sql`SELECT
    (SELECT min(id) FROM ${table} ${from === undefined ? sql`` : begins}) AS oldest,
    (SELECT max(id) FROM ${table} ${until === undefined ? sql`` : ends}) AS newest`)
  const { oldest, newest } = (yield* first(span)) ?? {}
  return { oldest: oldest ?? Number.MAX_SAFE_INTEGER, newest: newest ?? 0 }
}

function* bytesOf({ statement }: ReadTx, sum: SQL, table: string, looked: SQL): Step<number> {
  const weighed = sql`SELECT coalesce(${sum}, 0) AS bytes FROM ${sql.raw(table)} e WHERE ${looked}`
  return (yield* first(statement<{ bytes: number }>(weighed)))?.bytes ?? 0
}

/** Whether a column has this text in it, in whatever case of the letters a to z. % and _ mean themselves. */
export function contains(column: SQL, text: string): SQL {
  // SQLite would read a pattern only up to U+0000, and find everything. No text has U+FFFF in it either, which is no character.
  const plain = text.replaceAll("\0", "\uffff").replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return sql`lower(${column}) LIKE ${`%${plain.replace(/[\\%_]/g, "\\$&")}%`} ESCAPE '\\'`
}
