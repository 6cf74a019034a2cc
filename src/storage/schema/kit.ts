import { type BuildColumns, sql } from "drizzle-orm"
import * as pg from "drizzle-orm/pg-core"
import * as sqlite from "drizzle-orm/sqlite-core"
import { type TableProperties, withProperties } from "./table-properties.ts"

// What tables are made of: the few builders that both engines have.
export const sqliteKit = {
  table: <Name extends string, Columns extends Record<string, sqlite.SQLiteColumnBuilderBase>>(
    name: Name,
    properties: TableProperties<keyof NoInfer<Columns> & string>,
    columns: Columns,
    extra?: (self: BuildColumns<Name, Columns, "sqlite">) => sqlite.SQLiteTableExtraConfigValue[],
  ) => withProperties(sqlite.sqliteTable(name, columns, extra), properties),
  text: sqlite.text,
  /** A whole number up to 2^53: ids, moments, counts; flags are 0 or 1. */
  whole: (name?: string) => (name === undefined ? sqlite.integer() : sqlite.integer(name)),
  real: sqlite.real,
  /** Text in the table, a value in the program. */
  json: <Value>() => sqlite.text({ mode: "json" }).$type<Value>(),
  rowId: () => sqlite.integer().primaryKey(),
  /** One that is never given again: what somebody did names them by it for ever. PostgreSQL's ids are all of this kind. */
  lastingId: () => sqlite.integer().primaryKey({ autoIncrement: true }),
  /** The id of a row of another table, which is there. */
  idOf: (name: string, ...row: Parameters<ReturnType<typeof sqlite.integer>["references"]>) =>
    sqlite
      .integer(name)
      .notNull()
      .references(...row),
  /** A whole number that is computed from other columns. */
  computed: (from: string) => sqlite.integer().generatedAlwaysAs(sql.raw(from), { mode: "virtual" }),
  primaryKey: sqlite.primaryKey,
  index: sqlite.index,
  uniqueIndex: sqlite.uniqueIndex,
  /** Columns that only PostgreSQL's index has to name. Every index of SQLite ends with the row's id. */
  onlyPostgres: <Column>(..._: Column[]): Column[] => [],
}

export type Kit = typeof sqliteKit

const bigint = (name?: string) =>
  name === undefined ? pg.bigint({ mode: "number" }) : pg.bigint(name, { mode: "number" })

type Definition = [columns: Record<string, pg.PgColumnBuilderBase>, extra?: () => pg.PgTableExtraConfigValue[]]

/** PostgreSQL's builders under SQLite's types: they have the same names, and what is read with them has the same types. */
export const postgresKit = {
  table: (name: string, properties: TableProperties, ...definition: Definition) =>
    withProperties(pg.pgTable(name, ...definition), properties),
  text: pg.text,
  whole: bigint,
  real: pg.doublePrecision,
  json: pg.customType<{ data: unknown; driverData: string }>({
    dataType: () => "text",
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (text) => JSON.parse(text),
  }),
  rowId: () => bigint().primaryKey().generatedByDefaultAsIdentity(),
  lastingId: () => bigint().primaryKey().generatedByDefaultAsIdentity(),
  idOf: (name: string, ...row: Parameters<ReturnType<typeof pg.bigint>["references"]>) =>
    pg
      .bigint(name, { mode: "number" })
      .notNull()
      .references(...row),
  // By a trigger, which a migration writes: a generated column could only be changed by writing all rows anew.
  computed: () => bigint(),
  primaryKey: pg.primaryKey,
  index: pg.index,
  uniqueIndex: pg.uniqueIndex,
  onlyPostgres: <Column>(...columns: Column[]): Column[] => columns,
} as unknown as Kit
