import type { DemandCall } from "../../../domain/demand/demand-tally.ts"
import type { CallLogSize } from "../../../domain/operations/call-log.ts"
import type { AgentCallLog, CallFilter, LoggedCall, NewCall } from "../../port/store.ts"
import { CALLS } from "../../steps/behind/call-rows.ts"
import type { Connection } from "../engine/connection.ts"
import { likePattern } from "../engine/like-pattern.ts"
import type { Session, Value } from "../engine/session.ts"
import { CALL_LOG_SQL } from "./call-log-sql.ts"
import { makeRoom, pruneToSize, pruneToTime } from "./pruning.ts"

// A search stops after this many calls or bytes: a rare match takes several pages instead of several seconds.
const SEARCHED_CALLS_MAX = 60_000
const SEARCHED_BYTES_MAX = 33_554_432
// A search begins with as many calls as it needs if all match, and takes larger steps from then on.
const STEP_CALLS_MAX = 4_000
const STEP_GROWTH = 4
const OPTIONS_FROM = 1_000
// Callers can send any tool name, and nobody chooses from hundreds.
const OPTIONS_MAX = 50

const EMPTY: CallLogSize = { rows: 0, bytes: 0 }

export function agentCallLog(connection: Connection): AgentCallLog {
  const { read, recordFigures, write } = connection
  let bytesMax = Number.POSITIVE_INFINITY
  const waiting = write.behind(CALLS, (calls, session) => add(session, calls, bytesMax))
  return {
    note: (call) => waiting.add(call),
    keepWithin(bytes) {
      bytesMax = bytes
    },
    async size() {
      const [size] = await read(({ rows }) => rows<CallLogSize>(CALL_LOG_SQL.size))
      return size ?? EMPTY
    },
    after: (id, limit) => read(({ rows }) => rows<LoggedCall>(CALL_LOG_SQL.after, [id, limit])),
    prune: (before) =>
      recordFigures(async (transaction) => {
        const [size] = await transaction.rows<CallLogSize>(CALL_LOG_SQL.lockSize)
        return (await pruneToTime(transaction, before)) || pruneToSize(transaction, size ?? EMPTY, bytesMax)
      }),
    async demand({ at, id }, limit) {
      // A page is shown even if nothing can be written.
      await write.flushBehind().catch(() => undefined)
      return read(({ rows }) => rows<DemandCall>(CALL_LOG_SQL.demand, [at, id, limit]))
    },
    search: searcher(connection),
    async filterOptions() {
      const found = await read(({ rows }) =>
        rows<{ tool: string | null; outcome: string }>(CALL_LOG_SQL.filterOptions, [OPTIONS_FROM]),
      )
      const tools = new Set(found.flatMap(({ tool }) => tool ?? []))
      const outcomes = new Set(found.map(({ outcome }) => outcome))
      return { tools: [...tools].sort().slice(0, OPTIONS_MAX), outcomes: [...outcomes].sort().slice(0, OPTIONS_MAX) }
    },
  }
}

async function add(session: Session, calls: readonly NewCall[], bytesMax: number): Promise<void> {
  await session.rows(CALL_LOG_SQL.lockSize)
  const [size] = await session.rows<CallLogSize>(CALL_LOG_SQL.add, columnsOf(calls))
  if (size !== undefined) await makeRoom(session, size, bytesMax)
}

function columnsOf(calls: readonly NewCall[]): Value[] {
  return [
    calls.map(({ at }) => at),
    calls.map(({ agentKeyId }) => agentKeyId),
    calls.map(({ address }) => storable(address)),
    calls.map(({ method }) => storable(method)),
    calls.map(({ tool }) => storable(tool)),
    calls.map((call) => storable(call.arguments)),
    calls.map(({ outcome }) => outcome),
    calls.map(({ durationMicros }) => durationMicros),
    calls.map(({ demand = null }) => demand),
  ]
}

/**
 * A text as PostgreSQL can hold it. Callers choose these, and one that holds U+0000 or half of a surrogate pair would otherwise keep
 * its whole batch from being written.
 */
function storable(text: string | null): string | null {
  return text?.toWellFormed().replaceAll("\0", "\uFFFD") ?? null
}

interface Step {
  readonly looked: number
  readonly lowest: number | null
  readonly bytes: number
}

type Row = Omit<LoggedCall, "id"> & Step & { readonly id: number | null }

function searcher({ read }: Connection): AgentCallLog["search"] {
  return async (filter, { before, limit }) => {
    const { from = null, until = null } = filter
    const [span] = await read(({ rows }) =>
      rows<{ first: number | null; last: number | null }>(CALL_LOG_SQL.span, [from, until]),
    )
    if (span === undefined || span.first === null || span.last === null) return { calls: [], before: null }
    const { first } = span
    const values = valuesOf(filter)
    const calls: LoggedCall[] = []
    let [looked, bytes] = [0, 0]
    let high = Math.min(before ?? span.last + 1, span.last + 1)
    for (let size = limit; ; size = Math.min(size * STEP_GROWTH, STEP_CALLS_MAX)) {
      const wanted = [first, high, ...values, limit - calls.length, size]
      const found = await read(({ rows }) => rows<Row>(CALL_LOG_SQL.search, wanted))
      calls.push(...found.flatMap(readCall))
      if (calls.length === limit) return { calls, before: calls.at(-1)?.id ?? null }
      const step = found[0]
      if (step === undefined || step.lowest === null || step.looked < size) return { calls, before: null }
      looked += step.looked
      bytes += step.bytes
      high = step.lowest
      if (looked >= SEARCHED_CALLS_MAX || bytes >= SEARCHED_BYTES_MAX) return { calls, before: high }
    }
  }
}

function readCall({ looked, lowest, bytes, id, ...call }: Row): LoggedCall[] {
  return id === null ? [] : [{ id, ...call }]
}

function valuesOf({ from, until, tool, outcome, caller, text, result }: CallFilter): Value[] {
  const pattern = text === undefined ? null : likePattern(text)
  const texts = [tool ?? null, outcome ?? null, caller ?? null, pattern, result ?? null]
  return [from ?? null, until ?? null, ...texts.map(storable)]
}
