// Promise: one server upgrades the database while others read and write, and a server that would break promises is refused.
// Held by test/storage/postgres/engine/migrate.test.ts and test/storage/postgres/engine/migrate-beside.test.ts.
import type { ReservedSQL, SQL } from "bun"
import { type Migration, migrations } from "../../../../migrations/postgres/index.ts"
import { notUpgraded, writtenByNewer } from "../../../domain/operations/backup.ts"
import { UserError } from "../../../domain/user-error.ts"
import { refuseOtherVersion } from "../../copy/sides.ts"
import type { Pools } from "./connect.ts"
import { isAway, isConflict, postgresUserError, wasTooSlow } from "./postgres-errors.ts"
import { rowsOf } from "./session.ts"
import { CHANGE_LOCK, MIGRATION_LOCK } from "./transaction.ts"
import { OPERATION_MS, within } from "./within.ts"

export const SCHEMA_VERSION = migrations.length

// Long enough for a migration of a large database, and for the replicas that wait for the one that makes it.
const MIGRATION_MS = 30 * 60_000
// How long a migration waits for its locks: everybody who comes after it waits meanwhile, too. Every fourth time for longer than
// PostgreSQL lets an autovacuum stand in somebody's way, which is a second.
const BRIEFLY_MS = 250
const LOCKED_WITHIN_MS = [BRIEFLY_MS, BRIEFLY_MS, BRIEFLY_MS, 1_200]
const LETS_OTHERS_MS = 500
const SERVER_VERSION_LEAST = 14
// The words for synchronous_commit with which what was acknowledged is on the disk of the server, and of the standby that it waits for.
const DURABLE = new Set(["on", "remote_apply"])

export interface Migrated {
  readonly from: number
  readonly to: number
}

/**
 * Brings the database to this version, however many replicas start together, while others read and write: each migration in a transaction
 * of its own, which takes all its locks before it changes anything. A transaction in the way is not waited for: the locks are let go, and
 * asked for again. Refuses a newer schema, a server that would break promises, an older schema unless it `upgrades` it, and an empty
 * database unless it `creates` tables there.
 */
export async function migrate(
  pools: Pools,
  database: string,
  { creates = true, upgrades = true }: Readonly<{ creates?: boolean | undefined; upgrades?: boolean | undefined }> = {},
  steps: readonly Migration[] = migrations,
): Promise<Migrated> {
  const { client } = await pools.current()
  await within(OPERATION_MS, checkServer(client, database))
  const from = await within(OPERATION_MS, schemaVersion(client))
  refuseNewer(from, steps, database)
  if (from === steps.length) return { from, to: from }
  if (from > 0 && !upgrades) refuseOtherVersion(from, steps.length, database)
  if (from === 0 && !creates) {
    throw new UserError(
      `There is no Adbooth data in ${database}. Check the database URL. Only serve, import, backup restore and move create a database.`,
    )
  }
  using reserved = await client.reserve()
  return await within(MIGRATION_MS, applyAll(reserved, { steps, database, from }))
}

interface Upgrade {
  readonly steps: readonly Migration[]
  readonly database: string
  readonly from: number
}

/** `from` is `to` where another replica has done all of it. */
async function applyAll(client: ReservedSQL, upgrade: Upgrade): Promise<Migrated> {
  const to = upgrade.steps.length
  let hasApplied = false
  for (let attempt = 0; ; ) {
    try {
      const applied = await applyNext(client, upgrade, LOCKED_WITHIN_MS[attempt % LOCKED_WITHIN_MS.length] ?? 0)
      hasApplied ||= applied > 0
      if (applied === 0) return { from: hasApplied ? upgrade.from : to, to }
      attempt = 0
    } catch (cause) {
      if (!(cause instanceof InTheWay)) throw cause
      attempt += 1
      await Bun.sleep(LETS_OTHERS_MS)
    }
  }
}

/** Others hold what a migration has to lock. */
class InTheWay extends Error {}

const VERSION_TABLE = `CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL);
  ALTER TABLE schema_version ADD COLUMN IF NOT EXISTS works_from integer NOT NULL DEFAULT 0`

/** A migration that breaks programs of the versions before it says so, in a line of its own, with the first schema that works. */
const BREAKS = /^-- Works from schema (\d+) on\.$/m

/** The oldest schema whose program works on this one. */
const worksFrom = (steps: readonly Migration[]): number =>
  Math.max(0, ...steps.map(({ sql }) => Number(BREAKS.exec(sql)?.[1] ?? 0)))

/** The schema, and whether this program works on it. Written by a version that did not know better, it works for nobody else. */
export const SCHEMA = `SELECT version, ${SCHEMA_VERSION} AS expected, version = ${SCHEMA_VERSION}
    OR (version > ${SCHEMA_VERSION} AND (to_jsonb(s) ->> 'works_from')::integer <= ${SCHEMA_VERSION}) IS TRUE AS fits
  FROM schema_version s`

/** The number of migrations that the database has seen. */
export async function schemaVersion(client: SQL): Promise<number> {
  // Not to_regclass(): within a transaction it goes on saying what it said before another replica made the table.
  const [place] = await client<{ found: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM pg_class
      WHERE relname = 'schema_version' AND relnamespace = current_schema()::regnamespace) AS found`
  if (place?.found !== true) return 0
  const [row] = await client<{ version: number }[]>`SELECT version FROM schema_version`
  return row?.version ?? 0
}

/** Applies the next migration, or all of them where there is nothing yet. Returns how many that were. */
async function applyNext(client: ReservedSQL, upgrade: Upgrade, lockedWithinMs: number): Promise<number> {
  const { steps, database } = upgrade
  await client.unsafe(`BEGIN; SET LOCAL statement_timeout = ${MIGRATION_MS}; ${only(MIGRATION_LOCK)}`).simple()
  try {
    // Read again: another replica may have migrated while this one waited for the lock.
    const version = await schemaVersion(client)
    refuseNewer(version, steps, database)
    if (version === 0) await refuseOthers(client, database)
    const reached = version === 0 ? steps.length : Math.min(version + 1, steps.length)
    const text = steps.slice(version, reached).map(({ sql }) => `${sql};`)
    if (text.length > 0) {
      await takeLocks(client, text.join(), lockedWithinMs)
      await client
        .unsafe(`${VERSION_TABLE}; ${text.join("\n")}`)
        .simple()
        .catch(explained(upgrade, version))
    }
    await client.unsafe(text.length > 0 ? `${noteVersion(steps.slice(0, reached))}; COMMIT` : "COMMIT").simple()
    return text.length
  } catch (cause) {
    await client.unsafe("ROLLBACK").catch(() => undefined)
    throw cause
  }
}

const only = (lock: string) => `SELECT pg_advisory_xact_lock(${lock})`
const noteVersion = (steps: readonly Migration[]) => `DELETE FROM schema_version;
  INSERT INTO schema_version (version, works_from) VALUES (${steps.length}, ${worksFrom(steps)})`

/**
 * Everything that is there and that the migration names, in one order. The lock of changes comes first: while it is held, nobody of ours
 * writes to several tables. No deadlock is waited for: a transaction that began before goes on when this one gives up.
 */
async function takeLocks(client: ReservedSQL, migration: string, withinMs: number): Promise<void> {
  const names = ["schema_version", ...Array.from(migration.matchAll(/"(\w+)"/g), ([, name = ""]) => name)]
  const named = await rowsOf<{ table: string }>(
    client,
    `SELECT DISTINCT coalesce(i.indrelid, c.oid)::regclass::text AS table
     FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'i', 'v') AND c.relname = ANY($1::text[])
     ORDER BY 1`,
    [names],
  )
  const tables = named.map(({ table }) => table).join(", ")
  const timeLimit = (ms: number) => `SET LOCAL statement_timeout = ${ms}`
  try {
    await client.unsafe(`${timeLimit(Math.min(withinMs, BRIEFLY_MS))}; ${only(CHANGE_LOCK)}`).simple()
    if (tables !== "")
      await client.unsafe(`${timeLimit(withinMs)}; LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`).simple()
    await client.unsafe(timeLimit(MIGRATION_MS)).simple()
  } catch (cause) {
    throw wasTooSlow(cause) || isConflict(cause) ? new InTheWay("others hold the locks", { cause }) : cause
  }
}

/** What the server refuses to do is told with the way back; that it is away is not the upgrade's fault. */
function explained({ database, steps, from }: Upgrade, reached: number) {
  return (cause: unknown): never => {
    const error = reached > 0 && !isAway(cause) ? postgresUserError(cause) : null
    if (error === null) throw cause
    const to = steps.length
    const sentence =
      reached === from
        ? notUpgraded(database, { from, to }, error.message)
        : `The database ${database} was upgraded from schema ${from} to ${reached}, but not to ${to}. ${error.message} ` +
          "Servers that run go on. Fix this and start this version again."
    throw new UserError(sentence, { cause })
  }
}

function refuseNewer(from: number, steps: readonly Migration[], database: string): void {
  if (from > steps.length) throw new UserError(writtenByNewer(database, from, steps.length))
}

/** Our tables have plain names: where there are others already, they are somebody else's. */
async function refuseOthers(client: SQL, database: string): Promise<void> {
  const [row] = await client<{ tables: number }[]>`
    SELECT count(*)::integer AS tables FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`
  if (row === undefined || row.tables === 0) return
  throw new UserError(
    `The database ${database} holds tables of another program. Nothing was changed. Give adbooth a database of its own, or a user ` +
      "whose search_path begins with an empty schema of its own.",
  )
}

async function checkServer(client: SQL, database: string): Promise<void> {
  const [server] = await client<{ commit: string; version: number; encoding: string; schema: string | null }[]>`
    SELECT current_setting('synchronous_commit') AS commit, current_setting('server_version_num')::integer / 10000 AS version,
      current_setting('server_encoding') AS encoding, current_schema() AS schema`
  if (server === undefined) throw new Error("the server did not tell its settings")
  if (server.version < SERVER_VERSION_LEAST) {
    throw new UserError(
      `The database ${database} runs on PostgreSQL ${server.version}. adbooth needs ${SERVER_VERSION_LEAST} or newer.`,
    )
  }
  if (server.encoding !== "UTF8") {
    throw new UserError(
      `The database ${database} is encoded in ${server.encoding}. adbooth needs UTF8: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0.`,
    )
  }
  if (server.schema === null) {
    throw new UserError(
      `The user has no schema to work in, in the database ${database}. Create one: CREATE SCHEMA adbooth AUTHORIZATION user; ` +
        "ALTER ROLE user SET search_path = adbooth.",
    )
  }
  if (!DURABLE.has(server.commit)) {
    const when = server.commit === "off" ? "it crashes" : "a standby takes over"
    throw new UserError(
      `The database ${database} has synchronous_commit = ${server.commit}: figures that were acknowledged would be lost when ${when}. ` +
        "Turn it on for this user: ALTER ROLE user SET synchronous_commit = on.",
    )
  }
}
