import type { ReservedSQL, SQL } from "bun"
import { getTableColumns, getTableName, type SQLWrapper, sql, type Table } from "drizzle-orm"
import { drizzle } from "drizzle-orm/bun-sql"
import { within } from "../../within.ts"
import {
  type Columns,
  DatabaseUnavailable,
  type Drizzle,
  type ReadTx,
  type TransactOptions,
  type Tx,
  type Value,
  type Work,
} from "../database.ts"
import { columnsOf, decodeRows, insertInto, storedValue } from "../sql-text.ts"
import { postgresKit } from "../tables/kit.ts"
import { tablesOf } from "../tables/tables.ts"
import { OPERATION_MS_MAX, type Pool, RETRY_PAUSE_MS } from "./connect.ts"
import { isConflict, isLockTimeout, isLost, plain } from "./errors.ts"

const tables = tablesOf(postgresKit)

/** A statement of Bun's client: it runs when it's awaited, and `values` gives its rows as lists. */
export interface Statement extends PromiseLike<Record<string, unknown>[]> {
  values(): PromiseLike<unknown[][]>
}

export type Ask = (text: string, values: unknown[]) => Statement

/** Queries that `ask` runs, in a transaction or on any connection of a pool. */
export function postgresTx(ask: Ask): Tx {
  let db: Drizzle | undefined
  const unsafe = (text: string, values: readonly unknown[] = []) => ask(text, values.map(storable))

  // The tables are inherited, because copying them would take longer than a small query.
  const queries = {
    __proto__: tables,
    get db() {
      db ??= drizzle({ client: { unsafe } as unknown as SQL }) as unknown as Drizzle
      return db
    },
    async rows<Row>(text: string, values: readonly Value[], columns: Columns<Row>) {
      const bound = values.map((value) => (Array.isArray(value) ? arrayLiteral(value) : value))
      return decodeRows(await unsafe(text, bound), columns)
    },
    anyOf(column: SQLWrapper, values: readonly (string | number)[]) {
      const type = typeof values[0] === "number" ? sql`bigint[]` : sql`text[]`
      return sql`${column} = ANY(${arrayLiteral(values)}::${type})`
    },
    async insertMany<T extends Table>(table: T, rows: readonly T["$inferInsert"][], onConflict = "") {
      const [first] = rows
      if (first === undefined) return
      const columns = columnsOf(table, Object.keys(first))
      const lists = columns.map(({ type }, i) => `$${i + 1}::${type}[]`)
      const values = columns.map((column) => arrayLiteral(rows.map((row) => storedValue(row, column))))
      await unsafe(`${insertInto(table, columns)} SELECT * FROM unnest(${lists.join(", ")}) ${onConflict}`, values)
    },
  }
  return queries as unknown as Tx
}

/** PostgreSQL can't store U+0000. A text with it mustn't make others fail that are in the same statement. */
const storable = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\u{fffd}") : value

/** A list as PostgreSQL reads it: {1,2} or {"a","b"}. One such text is sent much faster than many values. */
const arrayLiteral = (values: readonly unknown[]): string => `{${values.map(arrayElement).join()}}`

function arrayElement(value: unknown): string {
  if (value === null || value === undefined) return "NULL"
  return typeof value === "string" ? `"${value.replace(/["\\]/g, "\\$&")}"` : String(value)
}

// Advisory locks of ours: "adbo" in ASCII, and which one.
const LOCK_GROUP = 0x61_64_62_6f
// Changes take this lock alone. Reports share it, so that no line changes between their check and their commit.
const CHANGE_LOCK = `${LOCK_GROUP}, 1`
export const MIGRATION_LOCK = `${LOCK_GROUP}, 2`

// A change that waited longer for its lock would block every report behind it.
const CHANGE_LOCK_MS = 200
const CHANGE_PAUSE_MS = 50
// A transaction that waits for a row occupies a connection that reports of other lines need.
const ROW_LOCK_MS = 2_000
// A server that is frozen or cut off loses its locks before the servers that wait for them give up.
const SILENCE_MS = 1_500
const LONG_SILENCE_MS = 60_000
const ROLLBACK_MS_MAX = 1_000
const ALONE_MS_MAX = 6 * 3_600_000

interface Begin {
  /** A call that takes the lock of the transaction, or "" for none. */
  readonly lock: string
  readonly lockMs: number
  readonly msMax: number
  readonly mode?: string
}

export function transactionsOn(pool: Pool) {
  /** Runs a transaction until its time is over, and once more if it lost its connection or a conflict before the commit. */
  async function run<Result>(begin: Begin, work: Work<Result>): Promise<Result> {
    const end = performance.now() + begin.msMax
    const progress = { isCommitting: false }
    try {
      return await attempt(begin, work, end, progress)
    } catch (cause) {
      if (progress.isCommitting || !(isLost(cause) || isConflict(cause)) || performance.now() > end) throw cause
      await Bun.sleep(RETRY_PAUSE_MS)
      return await attempt(begin, work, end, progress)
    }
  }

  async function attempt<Result>(
    begin: Begin,
    work: Work<Result>,
    end: number,
    progress: { isCommitting: boolean },
  ): Promise<Result> {
    const client = await reserve(end)
    let isOver = false
    const ask: Ask = (text, values) => {
      // A forgotten `await` would otherwise write into the next transaction on this connection.
      if (isOver) throw new Error("This transaction is over.")
      return client.unsafe(text, values) as Statement
    }

    async function execute(): Promise<Result> {
      await client.unsafe(beginText(begin, end)).simple()
      const result = await work(postgresTx(ask))
      if (isOver) throw new Error("This transaction is over.")
      isOver = true
      progress.isCommitting = true
      await client.unsafe("COMMIT")
      return result
    }

    try {
      const late = () => new DatabaseUnavailable("A transaction took too long.")
      return await within(Math.max(1, end - performance.now()), execute(), late)
    } catch (cause) {
      isOver = true
      await rollback(client)
      throw cause
    } finally {
      client.release()
    }
  }

  async function reserve(end: number): Promise<ReservedSQL> {
    const reserving = pool.client.reserve()
    try {
      const late = () => new DatabaseUnavailable("All connections to the database are in use.")
      return await within(Math.max(1, end - performance.now()), reserving, late)
    } catch (cause) {
      // If a connection becomes free too late, it's handed back.
      reserving.then((client) => client.release()).catch(() => undefined)
      throw cause
    }
  }

  async function transact<Result>(work: Work<Result>, { msMax = OPERATION_MS_MAX }: TransactOptions = {}) {
    const end = performance.now() + msMax
    const lock = `pg_advisory_xact_lock(${CHANGE_LOCK})`
    for (;;) {
      try {
        const begin = { lock, lockMs: CHANGE_LOCK_MS, msMax: Math.max(1, end - performance.now()) }
        return await run(begin, work)
      } catch (cause) {
        if (!isLockTimeout(cause) || performance.now() + CHANGE_LOCK_MS > end) throw plain(cause)
      }
      await Bun.sleep(CHANGE_PAUSE_MS)
    }
  }

  const runPlainly = <Result>(begin: Begin, work: Work<Result>): Promise<Result> =>
    run(begin, work).catch((cause) => {
      throw plain(cause)
    })

  return {
    transact,
    transactReport<Result>(work: Work<Result>, { msMax = OPERATION_MS_MAX, since }: TransactOptions = {}) {
      const waitedMs = since === undefined ? 0 : performance.now() - since
      const begin = {
        lock: `pg_advisory_xact_lock_shared(${CHANGE_LOCK})`,
        lockMs: ROW_LOCK_MS,
        msMax: msMax - waitedMs,
      }
      return runPlainly(begin, work)
    },
    transactBeside: <Result>(work: Work<Result>, { msMax = OPERATION_MS_MAX }: TransactOptions = {}) =>
      runPlainly({ lock: "", lockMs: ROW_LOCK_MS, msMax }, work),
    transactAlone: <Result>(work: Work<Result>) =>
      runPlainly(
        { lock: `pg_advisory_xact_lock(${CHANGE_LOCK})`, lockMs: OPERATION_MS_MAX, msMax: ALONE_MS_MAX },
        (tx) => replaceEverything(tx, work),
      ),
    snapshot: <Result>(work: (read: ReadTx) => Promise<Result>) =>
      runPlainly({ lock: "", lockMs: ROW_LOCK_MS, msMax: ALONE_MS_MAX, mode: "ISOLATION LEVEL REPEATABLE READ" }, work),
  }
}

/** Begins, sets the server's own time limits and takes the lock, in one round trip. The lock comes last but one. */
function beginText({ lock, lockMs, msMax, mode = "" }: Begin, end: number): string {
  // A little less than we wait ourselves. Rounded, so that it's nearly always the same text.
  const statementMs = Math.max(100, Math.floor((end - performance.now()) / 100) * 100)
  const silenceMs = msMax > OPERATION_MS_MAX ? LONG_SILENCE_MS : SILENCE_MS
  const settings = [
    setting("statement_timeout", statementMs),
    setting("idle_in_transaction_session_timeout", silenceMs),
    setting("lock_timeout", lockMs),
    ...(lock === "" ? [] : [lock]),
    setting("lock_timeout", ROW_LOCK_MS),
  ]
  return `BEGIN ${mode}; SELECT ${settings.join(", ")}`
}

const setting = (name: string, value: number) => `set_config('${name}', '${value}', true)`

/** Rolls back, or closes the connection, which makes PostgreSQL roll back. */
async function rollback(client: ReservedSQL): Promise<void> {
  try {
    await within(
      ROLLBACK_MS_MAX,
      client.unsafe("ROLLBACK"),
      () => new DatabaseUnavailable("The rollback took too long."),
    )
  } catch {
    client.close({ timeout: 0 }).catch(() => undefined)
  }
}

/** Counts and similar rows are written without the lock of changes, so the tables are locked as well. */
async function replaceEverything<Result>(tx: Tx, work: Work<Result>): Promise<Result> {
  const all = Object.values(tables) as Table[]
  const names = all.map((table) => `"${getTableName(table)}"`).join(", ")
  await tx.rows(`LOCK TABLE ${names} IN SHARE ROW EXCLUSIVE MODE`, [], {})
  const result = await work(tx)
  for (const table of all.filter(isNumbered)) {
    // New rows get the numbers after the copied ones.
    const name = `"${getTableName(table)}"`
    const sequence = `pg_get_serial_sequence('${name}', 'id')`
    await tx.rows(`SELECT setval(${sequence}, coalesce(max(id), 1), max(id) IS NOT NULL) FROM ${name}`, [], {})
  }
  // Without it, PostgreSQL knows nothing about the new rows for a while, and pages would take seconds.
  await tx.rows(`ANALYZE ${names}`, [], {})
  return result
}

const isNumbered = (table: Table): boolean => {
  const { id } = getTableColumns(table)
  return id !== undefined && id.generatedIdentity !== undefined
}
