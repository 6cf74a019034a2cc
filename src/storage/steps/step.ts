import type { SQL } from "drizzle-orm"
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core"
import type { Tables } from "../schema/tables.ts"
import type { Behind, WriteBehind } from "./behind/write-behind.ts"

// All that a rule needs to ask and change tables. SQL itself stays in storage.
export { count } from "drizzle-orm"
export * from "drizzle-orm/sql/expressions"

type Database = BaseSQLiteDatabase<"async", unknown>

/** The tables, to be read: in a transaction, or as they are now. */
export interface ReadTx extends Tables {
  readonly db: Pick<Database, "select" | "selectDistinct">
  /** Asks in SQL that both engines understand. */
  statement<Row>(query: SQL): PromiseLike<Row[]>
  /** The same for tens of thousands of rows that have only numbers, with these names. */
  numbers<Name extends string>(query: SQL, names: readonly Name[]): PromiseLike<Readonly<Record<Name, number>>[]>
  /** Joins the report r that has this key: one look into the index for each row before it. */
  joinReport(key: SQL): SQL
}

/** The tables in a transaction. Both engines have the same, under SQLite's types. */
export interface Tx extends ReadTx {
  readonly db: Pick<Database, "select" | "selectDistinct" | "insert" | "update" | "delete">
  /** Adds rows in their order, however many. `onConflict` is what stands after ON CONFLICT. */
  insertMany(table: string, rows: BulkRows, onConflict?: string): PromiseLike<unknown>
  /** Until the transaction ends, reports of these lines wait. In the order of the ids, so that there is no deadlock. */
  lockTotals(lineIds: readonly number[]): PromiseLike<unknown>
  /** Increases with every change to products, formats and openings. Nobody else can make one until the transaction ends. */
  readonly catalogueRevision: () => number
  /** Makes servers prepare anew what the agent shows, although no product, format or opening is changed. In `transact` only. */
  readonly movesCatalogue?: () => void
}

/**
 * A piece of a transaction. It can wait for queries and for nothing else: SQLite runs it in one go, PostgreSQL query by query. It may be
 * run again, from a new generator, so it changes nothing but tables. A query that fails ends it: a step cannot catch that.
 */
export type Step<Result> = Generator<PromiseLike<unknown>, Result, unknown>

export type ResultOf<Made extends (...given: never[]) => Step<unknown>> =
  ReturnType<Made> extends Step<infer Result> ? NonNullable<Result> : never

export function* all<Row>(query: PromiseLike<Row[]>): Step<Row[]> {
  return (yield query) as Row[]
}

export function* first<Row>(query: PromiseLike<Row[]>): Step<Row | undefined> {
  return (yield* all(query))[0]
}

/** The first row, or null. */
export function* found<Row>(query: PromiseLike<Row[]>): Step<Row | null> {
  return (yield* first(query)) ?? null
}

/** Whether there is a row: that is read, or that a change returns. */
export function* isThere(query: PromiseLike<unknown[]>): Step<boolean> {
  return (yield* first(query)) !== undefined
}

/** Makes a change whose rows are not needed. */
export function* exec(query: PromiseLike<unknown>): Step<void> {
  yield query
}

/** How an engine writes rows that nobody waits for. */
export interface LaterSteps {
  behind<Row>(
    kind: Behind<Row>,
    write: (tx: Tx, rows: readonly Row[]) => Step<void>,
  ): Pick<WriteBehind<Row>, "add" | "find" | "hasRoom">
  flush(): Promise<void>
}

/** A flag as tables have it. */
export const flag = (isSet: boolean) => (isSet ? 1 : 0)

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

/** Steps that only read, each as a method of the store. */
export type Reads<Of> = {
  readonly [Name in keyof Of]: Of[Name] extends (tx: ReadTx, ...given: infer Given) => Step<infer Result>
    ? (...given: Given) => Promise<Result>
    : never
}

export function reads<Of extends Readonly<Record<string, (tx: ReadTx, ...given: never[]) => Step<unknown>>>>(
  { query }: Pick<Steps, "query">,
  steps: Of,
): Reads<Of> {
  const methods = Object.entries(steps).map(([name, step]) => [
    name,
    (...given: never[]) => query((tx) => step(tx, ...given)),
  ])
  return Object.fromEntries(methods) as Reads<Of>
}

/** Rows that may be a hundred thousand. A statement reads them like a table. */
export interface BulkRows {
  readonly columns: Readonly<Record<string, "text" | "number" | "flag">>
  readonly rows: readonly Readonly<Record<string, string | number | null>>[]
}

/** A transaction with long lists of rows. */
export interface BulkTx<Name extends string> extends Tx {
  /** What a statement says after FROM or JOIN: the rows as a table named p, with their columns and their place in the list. */
  readonly given: Readonly<Record<Name, SQL>>
}

/** How an engine runs what takes seconds. */
export interface BulkSteps {
  /** Does all of it or, if anything is thrown, nothing. Every server reads the catalogue again afterwards. */
  transactBulk<Name extends string, Result>(
    lists: Readonly<Record<Name, BulkRows>>,
    work: (tx: BulkTx<Name>) => Step<Result>,
  ): Promise<Result>
  /** Only reads, and all of it at one moment: within the time of a request, or as long as every row takes. */
  queryMoment<Result>(
    work: (tx: ReadTx & Pick<Tx, "catalogueRevision">) => Step<Result>,
    takes?: "long",
  ): Promise<Result>
}
