import { and, asc, desc, eq, gt, gte, isNull, type like, lt, type SQL, sql } from "drizzle-orm"
import type { Moment } from "../../domain/moment.ts"
import type { AgentCallLog, CallFilter, NewCall } from "../store.ts"
import type { Connection } from "./connection.ts"
import { manyRows } from "./many-rows.ts"
import { agentCall, agentKey } from "./schema.ts"

// A flood must not fill the memory while the disk is full; what does not fit is not logged.
const WAITING_MAX = 50_000

// So many calls are looked through in one go: a search for what is rare takes some pages rather than a second of everybody.
const SEARCHED_AT_ONCE = 50_000
const WORDS_FROM = 5_000
// Callers may invent names of tools; nobody chooses from hundreds.
const WORDS_MAX = 50

export const CALL_LOG_SQL = {
  /** The oldest calls before a moment. Ids grow with time, so the index on the time finds them. */
  forget: "DELETE FROM agent_call WHERE id IN (SELECT id FROM agent_call WHERE at < ?1 ORDER BY at LIMIT ?2)",
}

function keepCalls(rows: string): string {
  return `INSERT INTO agent_call (at, agent_key_id, address, method, tool, arguments, outcome, duration_micros) VALUES ${rows}`
}

const COLUMNS = {
  id: agentCall.id,
  at: agentCall.at,
  agentKeyId: agentCall.agentKeyId,
  agentKey: agentKey.label,
  address: agentCall.address,
  method: agentCall.method,
  tool: agentCall.tool,
  arguments: agentCall.arguments,
  outcome: agentCall.outcome,
  durationMicros: agentCall.durationMicros,
}

export function agentCallLog(connection: Connection): AgentCallLog {
  const { database, drizzle, write } = connection
  const select = () => drizzle.select(COLUMNS).from(agentCall).leftJoin(agentKey, eq(agentKey.id, agentCall.agentKeyId))
  const forgetOldest = database.query<unknown, [Moment, number]>(CALL_LOG_SQL.forget)
  return {
    note: callNotes(connection),
    async after(id, limit) {
      return select().where(gt(agentCall.id, id)).orderBy(asc(agentCall.id)).limit(limit).all()
    },
    forget: (before, limit) => write.run(() => forgetOldest.run(before, limit).changes),
    async list(filter, { before, limit }) {
      return select()
        .where(and(matches(filter), before === null ? undefined : lt(agentCall.id, before)))
        .orderBy(desc(agentCall.id))
        .limit(limit)
        .all()
    },
    async search(filter, { before, limit }) {
      const { first, last } = boundsOf(connection, filter)
      const high = Math.min(before ?? last + 1, last + 1)
      const low = Math.max(first, high - SEARCHED_AT_ONCE)
      const calls = select()
        .where(and(matches(filter), gte(agentCall.id, low), lt(agentCall.id, high)))
        .orderBy(desc(agentCall.id))
        .limit(limit)
        .all()
      const full = calls.length === limit ? (calls.at(-1)?.id ?? null) : null
      return { calls, before: full ?? (low > first ? low : null) }
    },
    async words() {
      const newest = drizzle.select().from(agentCall).orderBy(desc(agentCall.id)).limit(WORDS_FROM).as("newest")
      const tools = drizzle
        .selectDistinct({ word: newest.tool })
        .from(newest)
        .orderBy(newest.tool)
        .limit(WORDS_MAX)
        .all()
      const outcomes = drizzle
        .selectDistinct({ word: newest.outcome })
        .from(newest)
        .orderBy(newest.outcome)
        .limit(WORDS_MAX)
        .all()
      return {
        tools: tools.flatMap(({ word }) => (word === null ? [] : [word])),
        outcomes: outcomes.map(({ word }) => word),
      }
    },
  }
}

/** The ids between which the calls of a filter's time are. Ids grow with time, so the index on the time finds them. */
function boundsOf({ database }: Connection, { from, until }: CallFilter): { first: number; last: number } {
  const id = (sql: string, ...values: Moment[]) => database.query<{ id: number }, Moment[]>(sql).get(...values)?.id
  const newest =
    until === undefined
      ? id("SELECT id FROM agent_call ORDER BY id DESC LIMIT 1")
      : id("SELECT id FROM agent_call WHERE at < ?1 ORDER BY at DESC, id DESC LIMIT 1", until)
  const oldest =
    from === undefined
      ? id("SELECT id FROM agent_call ORDER BY id LIMIT 1")
      : id("SELECT id FROM agent_call WHERE at >= ?1 ORDER BY at, id LIMIT 1", from)
  return { first: oldest ?? Number.MAX_SAFE_INTEGER, last: newest ?? 0 }
}

/** Collects calls and writes them with whatever is committed next, so that a call costs no commit of its own. */
function callNotes({ database, write }: Connection): AgentCallLog["note"] {
  const keep = manyRows(database, 8, keepCalls)
  let waiting: NewCall[] = []
  write.alongside({
    waiting: () => waiting.length > 0,
    write() {
      const values = []
      for (const call of waiting) {
        const { at, agentKeyId, address, method, tool, outcome, durationMicros } = call
        values.push(at, agentKeyId, address, method, tool, call.arguments, outcome, durationMicros)
      }
      keep(values)
    },
    written() {
      waiting = []
    },
  })
  return (call) => {
    if (waiting.length < WAITING_MAX) waiting.push(call)
    return waiting.length
  }
}

function matches({ caller, tool, outcome, text, from, until }: CallFilter): SQL | undefined {
  return and(
    caller === undefined ? undefined : callerIs(caller),
    tool === undefined ? undefined : eq(agentCall.tool, tool),
    outcome === undefined ? undefined : eq(agentCall.outcome, outcome),
    text === undefined ? undefined : holds(agentCall.arguments, text),
    from === undefined ? undefined : gte(agentCall.at, from),
    until === undefined ? undefined : lt(agentCall.at, until),
  )
}

function callerIs(caller: string): SQL {
  return caller === "anonymous" ? isNull(agentCall.agentKeyId) : eq(agentCall.agentKeyId, caller)
}

/** Whether a column holds a text as it is written: % and _ mean themselves. */
export function holds(column: Parameters<typeof like>[0], text: string): SQL {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`
  return sql`${column} LIKE ${pattern} ESCAPE '\\'`
}
