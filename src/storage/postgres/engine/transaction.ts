import type { ReservedSQL } from "bun"
import { StoreUnavailable } from "../../port/unavailable.ts"
import type { Forgets } from "../../steps/cache-drops.ts"
import type { Tx } from "../../steps/step.ts"
import type { Caches } from "./caches.ts"
import type { Pool, Pools } from "./connect.ts"
import { DEADLINE_MS, type Deadline, DeadlineError, deadline, inRequestTime } from "./deadline.ts"
import * as errors from "./postgres-errors.ts"
import { findable, queriesOn, rowsOf, type Session, type Statement } from "./session.ts"

/** A transaction, and the revisions as they stood when it got its lock: they stay so until it ends. */
export interface Transaction extends Session {
  readonly terms: number
  readonly catalogue: number
  /** Sent when `work` has ended, all in one round trip before the commit. Where it fails, nothing is committed. */
  last(statement: Statement): void
}

/** What a statement answered. */
export type Rows = Record<string, unknown>[]

/** How long it may take, where that is longer than usual: an export, a check of every row. */
export type Limits = Readonly<{ withinMs?: number }>

// Known to every replica: "adbo" in ASCII, and which of our locks it is.
const LOCK_GROUP = 0x61_64_62_6f
export const CHANGE_LOCK = `${LOCK_GROUP}, 1`
export const MIGRATION_LOCK = `${LOCK_GROUP}, 2`
export const SWEEP_LOCK = `${LOCK_GROUP}, 3`

// Between two statements of a transaction nothing is waited for. Whoever only was slow is told so by the server, and tries again.
const SILENCE_MS = 1_500
// An import computes between its statements, but whoever holds the lock keeps everybody's reports waiting.
const LONG_SILENCE_MS = 3_000
const NO_LOCK = "1"
const SILENT_FOR = "idle_in_transaction_session_timeout"
export const LOCK_CHANGES = `SELECT set_config('${SILENT_FOR}', '${LONG_SILENCE_MS}', true), pg_advisory_xact_lock(${CHANGE_LOCK})`
// How often a database that took no writes is connected to anew.
const LOOKS_AGAIN_MS = 1_000
const RETRY_PAUSES_MS = [10, 50, 200, 500]

/** Told how long each commit took, and how many writes shared it. */
export type OnCommit = ((ms: number, jobs: number) => void) | undefined

// How long a write that was acknowledged tells that the next one will be.
const LATELY_MS = 5_000

/** Whether the database has acknowledged a write lately. Nothing that was only read tells anything about that. */
function acknowledgedWrites() {
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    noted() {
      lastAt = performance.now()
    },
    /** Notes what is likely to last, or was not acknowledged in time. A write that is too late may wait for a standby that is away. */
    failed(cause: unknown, isWrite: boolean) {
      if (errors.cannotWrite(cause) || (isWrite && cause instanceof DeadlineError)) lastAt = Number.NEGATIVE_INFINITY
    },
    areInDoubt: () => performance.now() - lastAt > LATELY_MS,
  }
}

export type Access = ReturnType<typeof access>

/**
 * The three ways to the database. Each has an answer within the deadline, and tries again by itself where that is safe. `onCommit` is told
 * of changes; whoever records figures knows how many share a commit.
 */
export function access(pools: Pools, caches: Caches, onCommit?: OnCommit) {
  const acknowledged = acknowledgedWrites()
  /** Where `drop` can close the connection that hangs, the others go on. */
  const onPool = async <Result>(until: Deadline, use: (pool: Pool) => Promise<Result>, drop: () => boolean) => {
    const pool = await until.race(pools.current())
    try {
      return await until.race(use(pool), () => {
        if (!drop()) pools.giveUp(pool)
      })
    } catch (cause) {
      if (!errors.isReadOnly(cause)) throw cause
      // Another host may take writes, or this one for a new connection.
      if (!pool.isReadOnly || performance.now() - pool.since > LOOKS_AGAIN_MS) pools.giveUp(pool)
      throw pool.isReadOnly ? new TakesNoWrites("The database takes no writes", { cause }) : cause
    }
  }

  const runOn = (how: Pick<Running, "lock" | "isolation" | "tail" | "first">, until: Deadline) =>
    transactionOn({ ...how, pools, caches, onWrite: acknowledged.noted, leftMs: until.leftMs })

  const transactOnce = <Result>(
    how: Pick<Running, "lock" | "tail" | "first">,
    until: Deadline,
    work: (transaction: Transaction, firstRows: Rows) => Promise<Result>,
  ) => {
    const run = runOn(how, until)
    return onPool(until, (pool) => run.on(pool, work), run.drop)
  }

  async function retried<Result>(
    { withinMs }: Limits,
    attempt: (until: Deadline) => Promise<Result>,
    { isWrite = true, retries = isPassing } = {},
  ): Promise<Result> {
    const run = (ms: number) => tryWithin(ms, attempt, retries)
    try {
      return await (withinMs === undefined ? inRequestTime(run) : run(withinMs))
    } catch (cause) {
      acknowledged.failed(cause, isWrite)
      throw cause
    }
  }

  return {
    /** Whether nothing tells that a write would be acknowledged now. */
    areWritesInDoubt: acknowledged.areInDoubt,
    /**
     * Reads on any connection, in a transaction only where it may take longer than usual, or where all queries are to see the same moment.
     * `query` is run again if the connection broke. Admissions count in it.
     */
    read<Result>(
      query: (session: Session) => Promise<Result>,
      limits: Limits & { readonly atOneMoment?: boolean } = {},
    ): Promise<Result> {
      const { atOneMoment = false, withinMs = 0 } = limits
      const isUsual = !atOneMoment && withinMs <= DEADLINE_MS
      const how = { lock: NO_LOCK, isolation: atOneMoment ? "REPEATABLE READ" : "READ COMMITTED", tail: () => "" }
      const ask = ({ drizzle, rows }: Session) =>
        query({ drizzle, rows: (statement, values) => rows(statement, values?.map(findable)) })
      const attempt = (until: Deadline) => {
        const run = runOn(how, until)
        const use = (pool: Pool) => (isUsual && pool.endsStatements ? ask(pool) : run.on(pool, ask))
        return onPool(until, use, run.drop)
      }
      return retried(limits, attempt, { isWrite: false })
    },
    /**
     * Changes anything that is not a figure: one change at a time over all replicas, and no figures in between, so that what `work`
     * checks still holds when it is committed. Whatever it throws undoes it. `work` may be run more than once. With `locksLater` it
     * begins without the lock, which `work` has to take itself (`LOCK_CHANGES`) before it checks anything: others go on meanwhile.
     * `moves` is asked at its end which revisions it moves: what is in a replica's memory depends on them.
     */
    async transact<Result>(
      work: (transaction: Transaction) => Promise<Result>,
      limits: Limits & { readonly moves?: () => Forgets; readonly locksLater?: boolean } = {},
    ): Promise<Result> {
      const { moves = () => "terms", locksLater = false } = limits
      const how = {
        lock: locksLater ? NO_LOCK : `pg_advisory_xact_lock(${CHANGE_LOCK})`,
        tail: () => MOVE[moves()],
      }
      const began = performance.now()
      const result = await retried(limits, (until) => transactOnce(how, until, work))
      onCommit?.(performance.now() - began, 1)
      return result
    },
    /**
     * Keeps figures: side by side with other figures, never between the check and the commit of a change. `first` is sent
     * once it has its lock, and `work` gets its rows.
     */
    recordFigures<Result>(
      work: (transaction: Transaction, firstRows: Rows) => Promise<Result>,
      limits: Limits & { readonly first?: Statement | undefined } = {},
    ): Promise<Result> {
      const how = { lock: `pg_advisory_xact_lock_shared(${CHANGE_LOCK})`, tail: () => "", first: limits.first }
      // Figures run side by side: a row that was not there yet may have been added by another transaction meanwhile. Now it is seen.
      const retries = (cause: unknown) => isPassing(cause) || errors.isUniqueViolation(cause)
      return retried(limits, (until) => transactOnce(how, until, work), { retries })
    },
  }
}

async function tryWithin<Result>(
  withinMs: number,
  attempt: (until: Deadline) => Promise<Result>,
  isWorthRetrying: (cause: unknown) => boolean,
): Promise<Result> {
  const until = deadline(withinMs)
  for (let tried = 0; ; tried += 1) {
    try {
      return await attempt(until)
    } catch (cause) {
      const pause = RETRY_PAUSES_MS[tried]
      const isLast = pause === undefined || until.leftMs() <= pause
      if (isLast || !isWorthRetrying(cause)) throw plainly(cause)
      // Not all at once: those who were in each other's way would be again.
      await Bun.sleep(pause)
    }
  }
}

// A change that wrote nothing moves nothing: it has no transaction id.
const REVISIONS = "SELECT terms::double precision AS terms, catalogue::double precision AS catalogue FROM revision"
const moving = (set: string) => `UPDATE revision SET ${set} WHERE pg_current_xact_id_if_assigned() IS NOT NULL
  RETURNING terms::double precision AS terms, catalogue::double precision AS catalogue;`
const MOVE: Readonly<Record<Forgets, string>> = {
  terms: moving("terms = terms + 1"),
  catalogue: moving("terms = terms + 1, catalogue = catalogue + 1"),
  nothing: `${REVISIONS} WHERE pg_current_xact_id_if_assigned() IS NOT NULL;`,
}

interface Running {
  readonly lock: string
  readonly isolation?: string
  readonly tail: () => string
  readonly first?: Statement | undefined
  readonly pools: Pools
  readonly caches: Caches
  readonly leftMs: () => number
  readonly onWrite: () => void
}

/** The commit was sent and no answer came: whether it happened is not known, so nobody may try again for the caller. */
export class UnknownCommit extends StoreUnavailable {
  override readonly name = "UnknownCommit"
}

/** The server is up, and says that it takes no writes: to try again at once is of no use. */
class TakesNoWrites extends StoreUnavailable {
  override readonly name = "TakesNoWrites"
}

/** One transaction on a connection of its own: begun, locked and asked for the revisions in one round trip; ended in one. */
function transactionOn({ tail, pools, caches, onWrite, ...how }: Running) {
  let reserved: { readonly pool: Pool; readonly client: ReservedSQL } | null = null
  let isDropped = false
  let isClosed = false
  // The server rolls back what loses its connection, and so lets its locks go. False where it has none yet.
  const drop = () => {
    isDropped = true
    if (reserved === null) return false
    if (!isClosed) {
      isClosed = true
      pools.dropsOne(reserved.pool)
      reserved.client.close({ timeout: 0 }).catch(() => undefined)
    }
    return true
  }

  async function on<Result>(
    pool: Pool,
    work: (transaction: Transaction, firstRows: Rows) => Promise<Result>,
  ): Promise<Result> {
    const client = await pool.client.reserve()
    reserved = { pool, client }
    if (isDropped) drop()
    try {
      const { revisions, firstRows } = await begin(client, how)
      const last: Statement[] = []
      const result = await work(session(client, revisions, last), firstRows)
      const moved = await commit(client, tail(), last)
      if (moved !== null || last.length > 0) onWrite()
      const { terms, catalogue } = moved ?? revisions
      caches.saw(terms, catalogue)
      return result
    } catch (cause) {
      await client.unsafe("ROLLBACK").catch(drop)
      throw cause
    } finally {
      if (!isDropped) client.release()
    }
  }

  return { on, drop }
}

export type Revisions = Pick<Transaction, "terms" | "catalogue">

// A text of several statements is one round trip. Prepared statements are sent together too, but neither before such a text is answered
// nor the other way round. To write few values into the text saves a round trip, but costs the server more than that in planning.
async function begin(client: ReservedSQL, how: Pick<Running, "lock" | "isolation" | "first" | "leftMs">) {
  const { lock, isolation = "READ COMMITTED", first, leftMs } = how
  // A little less than we wait ourselves, so that the server says what kept it.
  // Rounded, so that it is nearly always the same statement.
  const patience = Math.max(100, Math.floor(Math.round(leftMs() / 50) * 50 * 0.9))
  // A replica that is frozen, or cut off, loses its locks before those who wait for them give up.
  const isUsual = patience <= DEADLINE_MS
  const silence = isUsual ? SILENCE_MS : lock === NO_LOCK ? patience : LONG_SILENCE_MS
  // In few statements: each costs as much as what it does. The lock comes last, when its time limit is set.
  const head = `BEGIN ISOLATION LEVEL ${isolation};
    SELECT set_config('statement_timeout', '${patience}', true), set_config('lock_timeout', '${patience}', true),
      set_config('${SILENT_FOR}', '${silence}', true), ${lock};
    ${REVISIONS}`
  const [, , revisions] = await client.unsafe<Rows[]>(head).simple()
  const firstRows = first === undefined ? [] : await send(client, first)
  return { revisions: (revisions?.[0] as unknown as Revisions | undefined) ?? { terms: 0, catalogue: 0 }, firstRows }
}

/**
 * Ends with the answer or with the deadline, never by asking the server to cancel: cancelled while it waits for a synchronous standby,
 * PostgreSQL calls the commit a success.
 */
async function commit(client: ReservedSQL, tail: string, last: readonly Statement[]): Promise<Revisions | null> {
  try {
    const sent = last.map((statement) => send(client, statement))
    const ended = client.unsafe<Rows[]>(`${tail} COMMIT`)
    // Where one of the statements failed, PostgreSQL has made a rollback of this commit and says nothing of it.
    const [results] = await Promise.all([ended.simple(), ...sent])
    return tail === "" ? null : ((results.at(-2)?.[0] as unknown as Revisions | undefined) ?? null)
  } catch (cause) {
    // Whoever was silent for too long was undone before its commit was read.
    if (errors.isConflict(cause) || errors.wasSilent(cause)) throw cause
    throw errors.isAway(cause) ? new UnknownCommit("Whether the change was kept is not known", { cause }) : cause
  }
}

const send = (client: ReservedSQL, { text, values }: Statement): Promise<Rows> => rowsOf(client, text, values)

function session(client: ReservedSQL, revisions: Revisions, last: Statement[]): Transaction {
  let made: Tx["db"] | null = null
  return {
    ...revisions,
    last: (statement) => void last.push(statement),
    // Made when it is asked for: where thousands of transactions a second pass, statements are written by hand.
    get drizzle() {
      made ??= queriesOn(client)
      return made
    },
    rows: (statement, values) => rowsOf(client, statement, values),
  }
}

function isPassing(cause: unknown): boolean {
  if (cause instanceof StoreUnavailable && !(cause instanceof errors.DatabaseAwayError)) return false
  return errors.isConflict(cause) || errors.isAway(cause)
}

/** The database's own error, or that it is away: Drizzle's wrapping tells the values of the statement. */
function plainly(cause: unknown): unknown {
  if (cause instanceof StoreUnavailable) return cause
  const error = errors.postgresError(cause)
  if (error === null) return cause
  if (errors.wasTooSlow(error)) return new DeadlineError(error.message, { cause: error })
  return errors.isAway(error) ? new errors.DatabaseAwayError(error.message, { cause: error }) : error
}
