// Promise: one change at a time over all servers, figures side by side, each with an answer within its time.
// Held by test/storage/postgres/engine/access.test.ts and test/storage/postgres/locks.test.ts.
import type { ReservedSQL } from "bun"
import { StoreUnavailable } from "../../port/unavailable.ts"
import type { Forgets } from "../../schema/table-properties.ts"
import type { Pool, Pools } from "./connect.ts"
import * as errors from "./postgres-errors.ts"
import { findable, queriesOn, rowsOf, type Session } from "./session.ts"
import { OPERATION_MS, within } from "./within.ts"

/** A transaction, and the revisions as they stood when it got its lock: they stay so until it ends. */
export interface Transaction extends Session {
  readonly terms: number
  readonly catalogue: number
}

type Work<Result> = (transaction: Transaction) => Promise<Result>

/** How long it may take, where that is longer than usual: an import, an export, a check of every row. */
type Limits = Readonly<{ withinMs?: number }>

// Known to every replica: "adbo" in ASCII, and which of our locks it is.
const LOCK_GROUP = 0x61_64_62_6f
export const CHANGE_LOCK = `${LOCK_GROUP}, 1`
export const MIGRATION_LOCK = `${LOCK_GROUP}, 2`
export const SWEEP_LOCK = `${LOCK_GROUP}, 3`
const NO_LOCK = "1"

// Between two statements of a transaction nothing is waited for. A replica that is frozen, or cut off, loses its locks before those who
// wait for them give up. One that was only slow is told so by the server, and tries again.
const SILENCE_MS = 1_500
// An import computes between its statements, but everybody's reports wait while it has the lock.
const LONG_SILENCE_MS = 3_000
// How long a row is waited for that another session has locked: each that waits has a connection, which reports of other lines need.
const ROW_LOCK_MS = 2_000
const RETRY_PAUSES_MS = [10, 50, 200, 500]
// How often a database that took no writes is connected to anew.
const LOOKS_AGAIN_MS = 1_000
// How long a write that was acknowledged tells that the next one will be.
const LATELY_MS = 5_000

/** Told how long each write took, and that one request was in it. */
export type OnCommit = ((ms: number, jobs: number) => void) | undefined

/** The commit was sent and no answer came: whether it happened is not known, so it is never tried again for the caller. */
export class UnknownCommit extends StoreUnavailable {
  override readonly name = "UnknownCommit"
}

/** The server is up, and says that it takes no writes: to try again at once is of no use. */
class TakesNoWrites extends StoreUnavailable {
  override readonly name = "TakesNoWrites"
}

interface How extends Limits {
  readonly kind: "read" | "change" | "figures"
  /** What is locked until the transaction ends. */
  readonly lock: string
  readonly isolation?: "READ COMMITTED" | "REPEATABLE READ"
  /** Asked at the end of the work which revisions it moves. */
  readonly moves?: () => Forgets
}

/** One attempt, which may have hung meanwhile: then its caller has its answer already. */
interface Run {
  readonly leftMs: number
  readonly hung: AbortSignal
  isCommitting: boolean
}

// A change that wrote nothing moves nothing: it has no transaction id.
const HAS_WRITTEN = "pg_current_xact_id_if_assigned() IS NOT NULL"
const MOVE: Readonly<Record<Forgets, string>> = {
  nothing: "",
  terms: `UPDATE revision SET terms = terms + 1 WHERE ${HAS_WRITTEN};`,
  catalogue: `UPDATE revision SET terms = terms + 1, catalogue = catalogue + 1 WHERE ${HAS_WRITTEN};`,
}

const leftUntil = (end: number) => Math.max(0, end - performance.now())

export type Access = ReturnType<typeof access>

/** The three ways to the database. Each has an answer within its time, and tries again by itself where that is safe. */
export function access(pools: Pools, onCommit?: OnCommit) {
  let acknowledgedAt = Number.NEGATIVE_INFINITY
  let hasFailed = false

  /** Where something hangs, or the server takes no writes, the pool is given up. What else runs on it gets its answer. */
  async function attempt<Result>(end: number, use: (pool: Pool, run: Run) => Promise<Result>): Promise<Result> {
    const hung = new AbortController()
    const pool = await within(leftUntil(end), pools.current())
    const leftMs = leftUntil(end)
    const run: Run = { leftMs, hung: hung.signal, isCommitting: false }
    try {
      return await within(leftMs, use(pool, run), () => {
        hung.abort()
        pools.giveUp(pool)
      })
    } catch (cause) {
      if (run.isCommitting && cause instanceof errors.DeadlineError)
        throw new errors.LateCommit(cause.message, { cause })
      if (!errors.isReadOnly(cause)) throw cause
      // Another host may take writes, or this one for a new connection.
      if (!pool.isReadOnly || performance.now() - pool.since > LOOKS_AGAIN_MS) pools.giveUp(pool)
      throw pool.isReadOnly ? new TakesNoWrites("The database takes no writes", { cause }) : cause
    }
  }

  async function retried<Result>(
    { kind, withinMs = OPERATION_MS }: How,
    use: (pool: Pool, run: Run) => Promise<Result>,
  ): Promise<Result> {
    const end = performance.now() + withinMs
    for (let tried = 0; ; tried += 1) {
      try {
        return await attempt(end, use)
      } catch (cause) {
        const pause = RETRY_PAUSES_MS[tried] ?? Number.POSITIVE_INFINITY
        if (!isPassing(cause, kind) || end - performance.now() <= pause) {
          const plain = plainly(cause)
          // A write that is too late may wait for a standby that is away, or for a lock.
          const isTooLate = kind !== "read" && plain instanceof errors.DeadlineError
          hasFailed ||= errors.cannotWrite(cause) || isTooLate
          throw plain
        }
        // Not all at once: those who were in each other's way would be again.
        await Bun.sleep(pause)
      }
    }
  }

  async function inTransaction<Result>(pool: Pool, how: How, run: Run, work: Work<Result>): Promise<Result> {
    const client = await pool.client.reserve()
    let isDropped = false
    // The server rolls back what loses its connection, and so lets its locks go.
    const drop = () => {
      isDropped = true
      client.close({ timeout: 0 }).catch(() => undefined)
    }
    run.hung.addEventListener("abort", drop)
    try {
      // A connection that came free too late is only handed back.
      run.hung.throwIfAborted()
      const revisions = await begin(client, how, run.leftMs)
      const rows: Session["rows"] = (text, values) => rowsOf(client, text, values)
      const result = await work({ ...revisions, rows, drizzle: queriesOn(client) })
      run.isCommitting = true
      const hasWritten = await commit(client, how.moves === undefined ? "" : MOVE[how.moves()])
      if (hasWritten) {
        acknowledgedAt = performance.now()
        // Not after figures: those of other lines, and what is written behind, may work where a report does not.
        if (how.kind === "change") hasFailed = false
      }
      return result
    } catch (cause) {
      await client.unsafe("ROLLBACK").catch(drop)
      throw cause
    } finally {
      run.hung.removeEventListener("abort", drop)
      if (!isDropped) client.release()
    }
  }

  async function write<Result>(how: How, work: Work<Result>): Promise<Result> {
    const began = performance.now()
    const result = await retried(how, (pool, run) => inTransaction(pool, how, run, work))
    onCommit?.(performance.now() - began, 1)
    return result
  }

  return {
    pools,
    /** Whether nothing tells that a write would be acknowledged now. Nothing that was only read tells anything about that. */
    areWritesInDoubt: () => hasFailed || performance.now() - acknowledgedAt > LATELY_MS,
    /**
     * Reads on any connection, in a transaction only where it may take longer than usual, or where all queries are to see the same moment.
     * `query` is run again if the connection broke. Admissions count in it.
     */
    read<Result>(
      query: (session: Session) => Promise<Result>,
      { atOneMoment = false, ...limits }: Limits & { readonly atOneMoment?: boolean } = {},
    ): Promise<Result> {
      const isolation = atOneMoment ? "REPEATABLE READ" : "READ COMMITTED"
      const how: How = { kind: "read", lock: NO_LOCK, isolation, ...limits }
      const isUsual = !atOneMoment && (limits.withinMs ?? 0) <= OPERATION_MS
      const ask = ({ drizzle, rows }: Session) =>
        query({ drizzle, rows: (statement, values) => rows(statement, values?.map(findable)) })
      return retried(how, (pool, run) =>
        isUsual && pool.endsStatements ? ask(pool) : inTransaction(pool, how, run, ask),
      )
    },
    /**
     * Changes anything that is not a figure: one change at a time over all replicas, and no figures in between, so that what `work`
     * checks still holds when it is committed. Whatever it throws undoes it. `work` may be run more than once.
     */
    transact: <Result>(work: Work<Result>, how: Limits & Pick<How, "moves"> = {}) =>
      write({ moves: () => "terms", ...how, kind: "change", lock: `pg_advisory_xact_lock(${CHANGE_LOCK})` }, work),
    /** Keeps figures: side by side with other figures, never between the check and the commit of a change. */
    recordFigures: <Result>(work: Work<Result>, limits: Limits = {}) =>
      write({ ...limits, kind: "figures", lock: `pg_advisory_xact_lock_shared(${CHANGE_LOCK})` }, work),
  }
}

type Revisions = Pick<Transaction, "terms" | "catalogue">

/** Begun, locked and asked for the revisions in one round trip. */
async function begin(client: ReservedSQL, how: How, leftMs: number): Promise<Revisions> {
  const { lock, isolation = "READ COMMITTED", withinMs = OPERATION_MS } = how
  // A little less than we wait ourselves, so that the server says what kept it. Rounded, so that it is nearly always the same statement.
  const patience = Math.max(100, Math.floor(Math.round(leftMs / 50) * 50 * 0.9))
  // Less than for a statement, so that it says whether it was a lock.
  const lockPatience = Math.floor(patience * 0.95)
  const rowPatience = withinMs <= OPERATION_MS ? Math.min(lockPatience, ROW_LOCK_MS) : lockPatience
  const longSilence = lock === NO_LOCK ? patience : LONG_SILENCE_MS
  const silence = withinMs <= OPERATION_MS ? SILENCE_MS : longSilence
  // The lock comes last, when its time limit is set.
  const [, , revisions] = await client
    .unsafe<Revisions[][]>(
      `BEGIN ISOLATION LEVEL ${isolation};
      SELECT set_config('statement_timeout', '${patience}', true), set_config('lock_timeout', '${lockPatience}', true),
        set_config('idle_in_transaction_session_timeout', '${silence}', true), ${lock};
      SELECT terms::double precision AS terms, catalogue::double precision AS catalogue,
        set_config('lock_timeout', '${rowPatience}', true) FROM revision`,
    )
    .simple()
  return revisions?.[0] ?? { terms: 0, catalogue: 0 }
}

/**
 * Ends with the answer, or with the connection when the time is over. Returns whether anything was written.
 *
 * To close a connection whose commit waits for a standby ends that wait, and the change stays in force on this server alone; so it does
 * when the server is stopped. It was not acknowledged, and is not before a standby has it: a report that is sent again locks the row of
 * its line, which is a write, and that commit waits for the standby as well.
 */
async function commit(client: ReservedSQL, tail: string): Promise<boolean> {
  try {
    const [answer] = await client
      .unsafe<{ hasWritten: boolean }[][]>(`SELECT ${HAS_WRITTEN} AS "hasWritten"; ${tail} COMMIT`)
      .simple()
    return answer?.[0]?.hasWritten === true
  } catch (cause) {
    // A transaction that was silent for too long was undone before its commit was read.
    if (errors.isConflict(cause) || errors.wasSilent(cause)) throw cause
    throw errors.isAway(cause) ? new UnknownCommit("Whether the change was kept is not known", { cause }) : cause
  }
}

function isPassing(cause: unknown, kind: How["kind"]): boolean {
  if (cause instanceof StoreUnavailable && !(cause instanceof errors.DatabaseAwayError)) return false
  if (errors.isConflict(cause) || errors.isAway(cause)) return true
  // Figures run side by side: a row that was not there yet may have been added by another transaction meanwhile. Now it is seen.
  return kind === "figures" && errors.isUniqueViolation(cause)
}

/** The database's own error, or that it is away: Drizzle's wrapping tells the values of the statement. */
function plainly(cause: unknown): unknown {
  if (cause instanceof StoreUnavailable) return cause
  const error = errors.postgresError(cause)
  if (error === null) return cause
  if (errors.wasLocked(error))
    return new errors.DeadlineError(`Another session held a lock for too long: ${error.message}`, { cause: error })
  if (errors.wasTooSlow(error)) return new errors.DeadlineError(error.message, { cause: error })
  return errors.isAway(error) ? new errors.DatabaseAwayError(error.message, { cause: error }) : error
}
