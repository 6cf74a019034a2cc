import { Database } from "bun:sqlite"
import { SQL } from "bun"
import { rowsOf } from "../src/storage/postgres/engine/session.ts"
import { CHANGE_LOCK } from "../src/storage/postgres/engine/transaction.ts"
import { databasePath } from "../src/storage/sqlite/engine/open.ts"
import type { TestApp } from "./harness.ts"

/** Another program on an app's database. Its statements are plain SQL, which both engines understand. */
export interface OtherProgram extends AsyncDisposable {
  rows<Row>(sql: string): Promise<Row[]>
  /** Changes what servers may have cached, and makes them notice as every writer of ours does. */
  change(sql: string): Promise<void>
  /** Begins a change, as a writer of ours does: everybody else who writes waits for `commit` or `rollback`, reads go on. */
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Every new row of the table is refused until `allowRows`. */
  refuseRows(table: string): Promise<void>
  allowRows(table: string): Promise<void>
  /** Everything that is stored, as bytes in which to look for what must not be there. */
  everything(): Promise<Buffer>
}

export function otherProgram({ config: { data, databaseUrl } }: TestApp): OtherProgram {
  return databaseUrl === null ? onSqlite(databasePath(data)) : onPostgres(databaseUrl)
}

function onSqlite(file: string): OtherProgram {
  const database = new Database(file)
  const run = async (sql: string) => void database.run(sql)
  return {
    rows: async <Row>(sql: string) => database.query<Row, []>(sql).all(),
    change: run,
    begin: () => run("BEGIN IMMEDIATE"),
    commit: () => run("COMMIT"),
    rollback: () => run("ROLLBACK"),
    refuseRows: (table) =>
      run(`CREATE TRIGGER refuse_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'no'); END`),
    allowRows: (table) => run(`DROP TRIGGER refuse_${table}`),
    async everything() {
      const files = ["", "-wal"].map((suffix) => Bun.file(file + suffix).bytes())
      return Buffer.concat(await Promise.all(files))
    },
    [Symbol.asyncDispose]: async () => database.close(),
  }
}

function onPostgres(url: string): OtherProgram {
  // One connection, so that a lock is held by it. Options that only we understand stay out.
  const sql = new SQL(url.replace(/&pool_size=\d+/, ""), { max: 1 })
  const run = async (statement: string) => void (await sql.unsafe(statement).simple())
  const rows = <Row>(statement: string) => rowsOf<Row>(sql, statement)
  return {
    rows,
    change: (statement) => run(`${statement}; UPDATE revision SET terms = terms + 1, catalogue = catalogue + 1`),
    // It stands for one that works for long: whoever is silent loses its locks.
    begin: () =>
      run(`BEGIN; SELECT pg_advisory_xact_lock(${CHANGE_LOCK}); SET LOCAL idle_in_transaction_session_timeout = 0`),
    commit: () => run("COMMIT"),
    rollback: () => run("ROLLBACK"),
    refuseRows: (table) =>
      run(`CREATE FUNCTION refuse_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
           CREATE TRIGGER refuse BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_${table}()`),
    allowRows: (table) => run(`DROP FUNCTION refuse_${table} CASCADE`),
    async everything() {
      const tables = await rows<{ name: string }>(
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '\\_%'",
      )
      const texts = await Promise.all(
        tables.map(({ name }) =>
          rows<{ all: string }>(`SELECT coalesce(string_agg(t::text, ''), '') AS all FROM "${name}" t`),
        ),
      )
      return Buffer.from(
        texts
          .flat()
          .map(({ all }) => all)
          .join("\n"),
      )
    },
    [Symbol.asyncDispose]: () => sql.close(),
  }
}
