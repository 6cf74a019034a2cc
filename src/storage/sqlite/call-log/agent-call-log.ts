import type { DemandCall } from "../../../domain/demand/demand-tally.ts"
import { nextTurn } from "../../../domain/event-loop.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { AgentCallLog, CallFilter, LoggedCall, NewCall } from "../../port/store.ts"
import { CALLS } from "../../steps/behind/call-rows.ts"
import type { Connection } from "../engine/connection.ts"
import { multiRowInsert } from "../engine/multi-row-insert.ts"
import { likePattern, searchBackwards, spanOf } from "../engine/search-backwards.ts"
import { CALL_LOG_SQL, insertCalls } from "./call-log-sql.ts"
import { type Pruning, pruning } from "./pruning.ts"

// A search stops after this many calls or bytes: a rare match takes several pages instead of several seconds.
const SEARCHED_CALLS_MAX = 60_000
const SEARCHED_BYTES_MAX = 33_554_432
const OPTIONS_FROM = 1_000
// Callers can send any tool name, and nobody chooses from hundreds.
const OPTIONS_MAX = 50

type Value = string | number | null

export function agentCallLog(connection: Connection): AgentCallLog {
  const { database, write } = connection
  const after = database.query<LoggedCall, [number, number]>(CALL_LOG_SQL.after)
  const options = database.query<{ tool: string | null; outcome: string }, [number]>(CALL_LOG_SQL.filterOptions)
  const demand = database.query<DemandCall, [Moment, number, number]>(CALL_LOG_SQL.demand)
  const prune = pruning(connection)
  let bytesMax = Number.POSITIVE_INFINITY
  const insert = inserter(connection, prune)
  const waiting = write.behind(CALLS, (calls) => insert(calls, bytesMax))
  return {
    note: (call) => waiting.add(call),
    keepWithin(bytes) {
      bytesMax = bytes
    },
    size: async () => prune.size(),
    after: async (id, limit) => after.all(id, limit),
    async prune(before) {
      await nextTurn()
      return write.run(() => prune.toTime(before) || prune.toSize(bytesMax))
    },
    async demand({ at, id }, limit) {
      await nextTurn()
      // A page is shown even if the disk cannot be written.
      await write.flushBehind().catch(() => undefined)
      return demand.all(at, id, limit)
    },
    search: searcher(connection),
    async filterOptions() {
      await nextTurn()
      const found = options.all(OPTIONS_FROM)
      const tools = new Set(found.flatMap(({ tool }) => tool ?? []))
      const outcomes = new Set(found.map(({ outcome }) => outcome))
      return { tools: [...tools].sort().slice(0, OPTIONS_MAX), outcomes: [...outcomes].sort().slice(0, OPTIONS_MAX) }
    },
  }
}

function inserter({ database }: Connection, { grown }: Pruning) {
  const insert = multiRowInsert(database, 9, insertCalls)
  const newest = database.query<{ id: number }, []>(CALL_LOG_SQL.newest)
  return (calls: readonly NewCall[], bytesMax: number): void => {
    const last = newest.get()?.id ?? 0
    const values: Value[] = []
    for (const call of calls) {
      const { at, agentKeyId, address, method, tool, outcome, durationMicros, demand = null } = call
      values.push(at, agentKeyId, address, method, tool, call.arguments, outcome, durationMicros, demand)
    }
    insert(values)
    grown(last, bytesMax)
  }
}

function searcher({ database }: Connection): AgentCallLog["search"] {
  const calls = database.query<LoggedCall, Value[]>(CALL_LOG_SQL.search)
  const bytesBetween = database.query<{ bytes: number }, [number, number]>(CALL_LOG_SQL.bytesBetween)

  return async (filter, page) => {
    const values = valuesOf(filter)
    let bytes = 0
    const { rows, before } = await searchBackwards(spanOf(database, CALL_LOG_SQL, filter), page, {
      find: (low, high, limit) => calls.all(low, high, ...values, limit),
      isEnough(looked, low, high) {
        bytes += bytesBetween.get(low, high)?.bytes ?? 0
        return looked >= SEARCHED_CALLS_MAX || bytes >= SEARCHED_BYTES_MAX
      },
    })
    return { calls: rows, before }
  }
}

function valuesOf({ from, until, tool, outcome, caller, text, result }: CallFilter): Value[] {
  const pattern = text === undefined ? null : likePattern(text)
  return [from ?? null, until ?? null, tool ?? null, outcome ?? null, caller ?? null, pattern, result ?? null]
}
