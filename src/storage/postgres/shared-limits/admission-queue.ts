import type { RateWindow } from "../../../domain/callers/rate-limit.ts"
import type { Connection } from "../engine/connection.ts"
import { DEADLINE_MS, DeadlineError } from "../engine/deadline.ts"
import { cannotWrite } from "../engine/postgres-errors.ts"
import { inRequestTime } from "../engine/request-time.ts"
import type { Value } from "../engine/session.ts"
import { inFlight, writeGroups } from "../engine/write-groups.ts"
import {
  type Answer,
  admitUncounted,
  answerAll,
  columnsOf,
  type Kind,
  rowName,
  type Together,
  takeBatch,
  type Waiting,
} from "./admission-batch.ts"
import { ADMIT, type AdmitRow, KEYS_ASKED_FOR, type KeysRow } from "./admission-sql.ts"
import type { GivenClock } from "./clock.ts"
import { storableText } from "./storable-text.ts"

const IN_FLIGHT_MAX = 2
const WINDOWS_AT_A_TIME = 500
// A statement of 64 windows costs the database half as much for each of them as one of 16. So while one is under way, others wait for it,
// or until they are as many.
const WINDOWS_AT_LEAST = 64
// Many more than the requests that are let in at a time. Beyond this, they fail before memory runs out.
const WAITING_MAX = 20_000
// How long a database that took no write is not asked to count.
const TRIES_AGAIN_MS = 1_000

const BOUNDS = {
  rowsAtATime: WINDOWS_AT_A_TIME,
  rowsWorthAnother: WINDOWS_AT_LEAST,
  // After all requests that have arrived by now were read, so that they share the statement.
  soon: setImmediate,
}

/**
 * Everybody who waits goes in one statement; while as many as allowed are under way, the next one collects. Each request waits no longer
 * than its deadline. While the database takes no writes (its disk is full, it is read-only), keys are still looked up in it, and
 * everybody who has one is admitted.
 */
export function admissionQueue(connection: Pick<Connection, "read" | "caches">, clock: GivenClock) {
  const groups = writeGroups<Waiting>(admitAll, { ...BOUNDS, inFlight: inFlight(IN_FLIGHT_MAX) })
  let cannotCountUntil = Number.NEGATIVE_INFINITY

  /** In one statement or, where callers name several limits for one window, in some. */
  async function admitAll(group: readonly Waiting[]): Promise<void> {
    for (let left = group; left.length > 0; ) {
      const taken = takeBatch(left)
      await admit(taken.batch).catch((cause) => {
        for (const together of taken.batch) for (const { reject } of together) reject(cause)
      })
      left = taken.left
    }
  }

  function add(request: Pick<Waiting, "id" | "kind" | "who" | "window" | "answerBy">): Promise<Answer | null> {
    if (groups.size() >= WAITING_MAX) return Promise.reject(new Error("too many requests wait for the database"))
    return new Promise((resolve, reject) => groups.add({ ...request, rows: 1, resolve, reject }))
  }

  async function admit(batch: readonly Together[]): Promise<void> {
    const withinMs = Math.min(...batch.map(([{ answerBy }]) => answerBy)) - performance.now()
    if (withinMs <= 0) throw new DeadlineError(`The database did not answer within ${DEADLINE_MS / 1000} s`)
    const columns = columnsOf(batch)
    if (performance.now() < cannotCountUntil) return admitByKey(batch, columns, withinMs)
    try {
      answerAll(batch, await only<AdmitRow>(connection, ADMIT, [...columns, clock?.() ?? null], withinMs))
    } catch (cause) {
      if (!cannotWrite(cause)) throw cause
      cannotCountUntil = performance.now() + TRIES_AGAIN_MS
      await admitByKey(batch, columns, withinMs)
    }
  }

  async function admitByKey(batch: readonly Together[], columns: readonly Value[], withinMs: number): Promise<void> {
    admitUncounted(batch, await only<KeysRow>(connection, KEYS_ASKED_FOR, columns, withinMs))
  }

  return {
    /** Null when there is no such key. Answered by then, by `performance.now()`. */
    ask(kind: Kind, subject: string, window: RateWindow, answerBy?: number): Promise<Answer | null> {
      const who = storableText(subject)
      const id = `${rowName(kind, window)}\n${who}`
      if (answerBy !== undefined) return add({ id, kind, who, window, answerBy })
      return inRequestTime((ms) => add({ id, kind, who, window, answerBy: performance.now() + ms }))
    },
  }
}

async function only<Row extends AdmitRow | KeysRow>(
  { read, caches }: Pick<Connection, "read" | "caches">,
  statement: string,
  values: readonly Value[],
  withinMs: number,
) {
  const [row] = await read(({ rows }) => rows<Row>(statement, values), { withinMs })
  if (row === undefined) throw new Error("the database did not say who is admitted")
  caches.saw(row.terms, row.catalogue)
  return row
}
