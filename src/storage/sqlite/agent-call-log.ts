import { setImmediate as nextTurn } from "node:timers/promises"
import { type like, type SQL, sql } from "drizzle-orm"
import type { Moment } from "../../domain/moment.ts"
import type { AgentCallLog, CallFilter, LoggedCall } from "../store.ts"
import { pruning, UNBOUNDED } from "./call-log-pruning.ts"
import { CALL_LOG_SQL } from "./call-log-sql.ts"
import { callNotes } from "./call-notes.ts"
import type { Connection } from "./connection.ts"

// So many calls are looked through before others get their turn.
const SEARCHED_AT_ONCE = 200
// A search stops after so many calls or so much text: looking for what is rare takes some pages rather than seconds.
const SEARCHED_CALLS_MAX = 60_000
const SEARCHED_BYTES_MAX = 33_554_432
const WORDS_FROM = 1_000
// Callers may invent names of tools; nobody chooses from hundreds.
const WORDS_MAX = 50

type Value = string | number | null

export function agentCallLog(connection: Connection): AgentCallLog {
  const { database, write } = connection
  const after = database.query<LoggedCall, [number, number]>(CALL_LOG_SQL.after)
  const words = database.query<{ tool: string | null; outcome: string }, [number]>(CALL_LOG_SQL.words)
  const prune = pruning(connection)
  let bounds = UNBOUNDED
  return {
    note: callNotes(connection, prune, () => bounds),
    keepWithin(size) {
      bounds = size
    },
    size: async () => prune.size(),
    after: async (id, limit) => after.all(id, limit),
    async prune(before) {
      await nextTurn()
      return write.run(() => prune.toTime(before) || prune.toBounds(bounds))
    },
    search: searcher(connection),
    async words() {
      await nextTurn()
      const found = words.all(WORDS_FROM)
      const tools = new Set(found.flatMap(({ tool }) => tool ?? []))
      const outcomes = new Set(found.map(({ outcome }) => outcome))
      return { tools: [...tools].sort().slice(0, WORDS_MAX), outcomes: [...outcomes].sort().slice(0, WORDS_MAX) }
    },
  }
}

/** Looks backwards through the log, a little at a time. */
function searcher({ database }: Connection): AgentCallLog["search"] {
  const calls = database.query<LoggedCall, Value[]>(CALL_LOG_SQL.search)
  const bytesBetween = database.query<{ bytes: number }, [number, number]>(CALL_LOG_SQL.bytesBetween)

  return async (filter, { before, limit }) => {
    const { first, last } = boundsOf(database, filter)
    const values = valuesOf(filter)
    const found: LoggedCall[] = []
    const start = Math.min(before ?? last + 1, last + 1)
    let high = start
    for (let bytes = 0; high > first && start - high < SEARCHED_CALLS_MAX && bytes < SEARCHED_BYTES_MAX; ) {
      if (high < start) await nextTurn()
      const low = Math.max(first, high - SEARCHED_AT_ONCE)
      found.push(...calls.all(low, high, ...values, limit - found.length))
      if (found.length === limit) return { calls: found, before: found.at(-1)?.id ?? null }
      bytes += bytesBetween.get(low, high)?.bytes ?? 0
      high = low
    }
    return { calls: found, before: high > first ? high : null }
  }
}

/** The ids between which the calls of a filter's time are. */
function boundsOf(database: Connection["database"], { from, until }: CallFilter): { first: number; last: number } {
  const id = (statement: string, ...values: Moment[]) =>
    database.query<{ id: number }, Moment[]>(statement).get(...values)?.id
  const newest = until === undefined ? id(CALL_LOG_SQL.newest) : id(CALL_LOG_SQL.newestBefore, until)
  const oldest = from === undefined ? id(CALL_LOG_SQL.oldest) : id(CALL_LOG_SQL.oldestFrom, from)
  return { first: oldest ?? Number.MAX_SAFE_INTEGER, last: newest ?? 0 }
}

function valuesOf({ from, until, tool, outcome, caller, text }: CallFilter): Value[] {
  return [
    from ?? null,
    until ?? null,
    tool ?? null,
    outcome ?? null,
    caller ?? null,
    text === undefined ? null : likePattern(text),
  ]
}

/** The pattern of whatever holds a text as it is written: % and _ mean themselves. */
function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`
}

export function holds(column: Parameters<typeof like>[0], text: string): SQL {
  return sql`${column} LIKE ${likePattern(text)} ESCAPE '\\'`
}
