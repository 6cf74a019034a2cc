// Promise: a step is run in one go: what it has read still holds when it is committed.
// Held by test/storage/contract/steps.test.ts.
import type { SQLQueryBindings } from "bun:sqlite"
import { type SQL, sql } from "drizzle-orm"
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core"
import { nextTurn } from "../../../next-turn.ts"
import { sqliteKit } from "../../schema/kit.ts"
import { tables } from "../../schema/tables.ts"
import { notingWrites } from "../../steps/cache-drops.ts"
import type { BulkRows, BulkSteps, LaterSteps, Step, Steps, Tx } from "../../steps/step.ts"
import type { Connection } from "./connection.ts"
import { CATALOGUE_REVISION, counterIn, raise } from "./counters.ts"
import { multiRowInsert } from "./multi-row-insert.ts"

/** A step is one job of the write queue, run in one go. */
export function steps(connection: Connection): Steps {
  const { database, write, caches } = connection
  const plain = txOn(connection)
  const transact: Steps["transact"] = (work) =>
    write.runKeepingCaches(() => {
      const { tx, forgets } = notingWrites(plain)
      const result = runNow(work(tx))
      const moved = forgets()
      if (moved === "catalogue") raise(database, CATALOGUE_REVISION)
      if (moved !== "nothing") caches.changed()
      return result
    })
  return {
    transact,
    transactBeside: transact,
    query: (work) => runInTurns(work(plain)),
  }
}

/** Steps that write rows along with other commits. */
export function laterSteps(connection: Connection): LaterSteps {
  const { write } = connection
  const tx = txOn(connection)
  return {
    behind: (kind, step) => write.behind(kind, (rows) => runNow(step(tx, rows))),
    flush: () => write.flushBehind(),
  }
}

/** Runs steps inside a job of the write queue. */
export function stepsOfJob(connection: Connection): <Result>(work: (tx: Tx) => Step<Result>) => Result {
  const tx = txOn(connection)
  return (work) => runNow(work(tx))
}

export const sqliteTables = tables(sqliteKit)
const dialect = new SQLiteSyncDialect()

/** The tables, for a step that is run inside a job of the write queue. */
function txOn({ database, drizzle }: Pick<Connection, "database" | "drizzle">): Tx {
  const db = drizzle as unknown as Tx["db"]
  const statement = (query: SQL) => {
    const { sql: text, params } = dialect.sqlToQuery(query)
    return { all: () => database.query(text).all(...(params as SQLQueryBindings[])) } as never
  }
  const inserts = new Map<string, ReturnType<typeof multiRowInsert>>()
  const insertMany = (table: string, { columns, rows }: BulkRows, onConflict?: string) => {
    const names = Object.keys(columns)
    const tail = onConflict === undefined ? "" : ` ON CONFLICT ${onConflict}`
    const text = (marks: string) => `INSERT INTO ${table} (${names.join(", ")}) VALUES ${marks}${tail}`
    const insert = inserts.get(text("")) ?? multiRowInsert(database, names.length, text)
    inserts.set(text(""), insert)
    return { all: () => insert(rows.flatMap((row) => names.map((name) => row[name] ?? null))) } as never
  }
  return {
    ...sqliteTables,
    db,
    statement,
    numbers: statement,
    // SQLite does not change the order of a CROSS JOIN.
    joinReport: (key) => sql`CROSS JOIN delivery_report r ON ${key}`,
    insertMany,
    // Nobody else writes during a job of the queue.
    lockTotals: () => ({ all: () => [] }) as never,
    catalogueRevision: () => counterIn(database, CATALOGUE_REVISION),
  }
}

/** Others are served between queries. */
async function runInTurns<Result>(step: Step<Result>): Promise<Result> {
  let next = step.next()
  while (!next.done) {
    const rows = (next.value as unknown as { all(): unknown[] }).all()
    const turn = nextTurn()
    if (turn !== undefined) await turn
    next = step.next(rows)
  }
  return next.value
}

function runNow<Result>(step: Step<Result>): Result {
  let next = step.next()
  while (!next.done) next = step.next((next.value as unknown as { all(): unknown }).all())
  return next.value
}

let stages = 0

// Nobody else can write while many rows are written. So they first go into temporary tables, which locks nothing, and a statement copies
// them from there.

export function bulkSteps(connection: Connection): BulkSteps {
  const { database, write } = connection
  const plain = txOn(connection)
  return {
    async transactBulk(lists, work) {
      using staged = new DisposableStack()
      const given = Object.entries<BulkRows>(lists).map(([name, rows]) => {
        const table = `temp.given_${++stages}`
        stage(connection, table, rows)
        staged.defer(() => database.run(`DROP TABLE ${table}`))
        return [name, sql.raw(`${table} AS p`)]
      })
      const tx = { ...plain, given: Object.fromEntries(given) as Record<keyof typeof lists, SQL> }
      return await write.run(() => {
        const result = runNow(work(tx))
        raise(database, CATALOGUE_REVISION)
        return result
      })
    },
    queryMoment: async (work) => database.transaction(() => runNow(work(plain)))(),
  }
}

function stage({ database }: Connection, table: string, { columns, rows }: BulkRows): void {
  const names = Object.keys(columns)
  database.run(`CREATE TABLE ${table} (place INTEGER PRIMARY KEY, ${names.join(", ")})`)
  const into = `INSERT INTO ${table} (${names.join(", ")}) VALUES`
  const insert = multiRowInsert(database, names.length, (marks) => `${into} ${marks}`)
  const values = rows.flatMap((row) => names.map((name) => row[name] ?? null))
  database.transaction(() => insert(values))()
}
