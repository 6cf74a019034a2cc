import { and, asc, desc, eq, gt, gte, isNotNull, isNull, type like, lt, type SQL, sql } from "drizzle-orm"
import type { Moment } from "../../domain/moment.ts"
import type { AgentCallLog, CallFilter, NewCall } from "../store.ts"
import type { Connection } from "./connection.ts"
import { agentCall, agentKey } from "./schema.ts"

// A flood must not fill the memory while the disk is full; what does not fit is not logged.
const WAITING_MAX = 50_000

export const CALL_LOG_SQL = {
  keep: `INSERT INTO agent_call (at, agent_key_id, address, method, tool, arguments, outcome, duration_micros)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
  /** The oldest calls before a moment. Ids grow with time, so the index on the time finds them. */
  forget: "DELETE FROM agent_call WHERE id IN (SELECT id FROM agent_call WHERE at < ?1 ORDER BY at LIMIT ?2)",
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
    async words() {
      const tools = drizzle
        .selectDistinct({ word: agentCall.tool })
        .from(agentCall)
        .where(isNotNull(agentCall.tool))
        .orderBy(agentCall.tool)
        .all()
      const outcomes = drizzle
        .selectDistinct({ word: agentCall.outcome })
        .from(agentCall)
        .orderBy(agentCall.outcome)
        .all()
      return {
        tools: tools.flatMap(({ word }) => (word === null ? [] : [word])),
        outcomes: outcomes.map(({ word }) => word),
      }
    },
  }
}

/** Collects calls and writes them with whatever is committed next, so that a call costs no commit of its own. */
function callNotes({ database, write }: Connection): AgentCallLog["note"] {
  const keep = database.query(CALL_LOG_SQL.keep)
  let waiting: NewCall[] = []
  write.alongside({
    waiting: () => waiting.length > 0,
    write() {
      for (const call of waiting) {
        const { at, agentKeyId, address, method, tool, outcome, durationMicros } = call
        keep.run(at, agentKeyId, address, method, tool, call.arguments, outcome, durationMicros)
      }
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
