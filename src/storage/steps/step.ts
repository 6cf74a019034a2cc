import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core"
import type { Tables } from "../schema/tables.ts"
import type { Behind, WriteBehind } from "./behind/write-behind.ts"

// All that a rule needs to ask and change tables. SQL itself stays in storage.
export {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  notExists,
  or,
} from "drizzle-orm"

type Database = BaseSQLiteDatabase<"async", unknown>

/** The tables, to be read: in a transaction, or as they are now. */
export interface ReadTx extends Tables {
  readonly db: Pick<Database, "select" | "selectDistinct">
}

/** The tables in a transaction. Both engines have the same, under SQLite's types. */
export interface Tx extends Tables {
  readonly db: Pick<Database, "select" | "selectDistinct" | "insert" | "update" | "delete">
  /** Increases with every change to products, formats and openings. Nobody else can make one until the transaction ends. */
  readonly catalogueRevision: () => number
}

interface Asked {
  readonly query: PromiseLike<unknown>
  readonly isNeeded: boolean
}

/**
 * A piece of a transaction. It can wait for queries and for nothing else: SQLite runs it in one go, PostgreSQL query by query. It may be
 * run again, from a new generator, so it changes nothing but tables. A query that fails ends it: a step cannot catch that.
 */
export type Step<Result> = Generator<Asked, Result, unknown>

export function* all<Row>(query: PromiseLike<Row[]>): Step<Row[]> {
  return (yield { query, isNeeded: true }) as Row[]
}

export function* first<Row>(query: PromiseLike<Row[]>): Step<Row | undefined> {
  return (yield* all(query))[0]
}

/** Makes a change whose rows nobody needs. PostgreSQL is sent what follows without waiting for the answer. */
export function* exec(query: PromiseLike<unknown>): Step<void> {
  yield { query, isNeeded: false }
}

/** How an engine writes rows that nobody waits for. */
export interface LaterSteps {
  behind<Row>(
    kind: Behind<Row>,
    write: (tx: Tx, rows: readonly Row[]) => Step<void>,
  ): Pick<WriteBehind<Row>, "add" | "find" | "hasRoom">
  /** Writes what waits. */
  flush(): Promise<void>
}

/** A flag as tables have it. */
export const flag = (isSet: boolean) => (isSet ? 1 : 0)

/** How an engine runs steps. */
export interface Steps {
  /** Does all of it or, if anything is thrown, nothing. What it has read still holds when it is committed. */
  transact<Result>(work: (tx: Tx) => Step<Result>): Promise<Result>
  /**
   * Like `transact`, but beside others of its kind: what it has read may have changed when it is committed. For steps that nobody should
   * wait for, and that change only rows of their own.
   */
  transactBeside<Result>(work: (tx: Tx) => Step<Result>): Promise<Result>
  /** Only reads. Several queries may see different moments. */
  query<Result>(work: (tx: ReadTx) => Step<Result>): Promise<Result>
}
