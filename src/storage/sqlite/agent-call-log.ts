import { and, desc, eq, gte, isNotNull, isNull, type like, lt, type SQL, sql } from "drizzle-orm"
import type { AgentCallLog, CallFilter } from "../store.ts"
import type { Connection } from "./connection.ts"
import { agentCall, agentKey } from "./schema.ts"

export function agentCallLog({ drizzle }: Connection): AgentCallLog {
  return {
    async list(filter, { before, limit }) {
      return drizzle
        .select({
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
        })
        .from(agentCall)
        .leftJoin(agentKey, eq(agentKey.id, agentCall.agentKeyId))
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
