import type { ReservedSQL } from "bun"
import { UserError } from "../../../domain/user-error.ts"
import type { CopyInProgress, CopySource, CopyTarget, ReadSide, TableShape } from "../../copy/sides.ts"
import { DATA_TABLES, REVOCABLE, refuseOtherVersion } from "../../copy/sides.ts"
import { addressInWords, readAddress } from "../engine/address.ts"
import { openPools, type Pools } from "../engine/connect.ts"
import { deadline } from "../engine/deadline.ts"
import { migrate, SCHEMA_VERSION, schemaVersion } from "../engine/migrate.ts"
import { postgresUserError } from "../engine/postgres-errors.ts"
import { rowsOf } from "../engine/session.ts"
import { CHANGE_LOCK } from "../engine/transaction.ts"
import { readSide, writeSide } from "./sides.ts"

// Tells our own sessions from those of servers.
const APPLICATION_NAME = "adbooth copy"
const LOCK_WAIT_MS = 30_000

// However long a copy takes, and whatever the role's settings are: numbers are written with all their digits.
const SETTINGS = `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL lock_timeout = ${LOCK_WAIT_MS}; SET LOCAL extra_float_digits = 1; SET LOCAL client_encoding = 'UTF8'`
const BEGIN_READING = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${SETTINGS}`
const BEGIN_WRITING = `BEGIN ISOLATION LEVEL READ COMMITTED; ${SETTINGS}; SELECT pg_advisory_xact_lock(${CHANGE_LOCK})`

/** A transaction on a connection of its own; disposing of it undoes what was not committed. */
async function transaction(url: string, begin: string, prepare?: (pools: Pools) => Promise<unknown>) {
  const address = { ...readAddress(url), applicationName: APPLICATION_NAME, poolSize: 1 }
  await using resources = new AsyncDisposableStack()
  const pools = resources.use(openPools(address, { onLost: () => undefined }))
  try {
    await prepare?.(pools)
    const client = await deadline().race(
      pools.current().then((pool) => pool.client.reserve()),
      () => undefined,
    )
    resources.defer(async () => {
      await client.unsafe("ROLLBACK").catch(() => undefined)
      client.release()
    })
    await client.unsafe(begin).simple()
    const opened = resources.move()
    return { client, [Symbol.asyncDispose]: () => opened.disposeAsync() }
  } catch (cause) {
    throw postgresUserError(cause, `The database ${addressInWords(address)}`) ?? cause
  }
}

export function postgresSource(url: string): CopySource {
  const name = nameOf(url)

  async function snapshot(): Promise<ReadSide & AsyncDisposable> {
    await using resources = new AsyncDisposableStack()
    const { client } = resources.use(await transaction(url, BEGIN_READING))
    const version = await schemaVersion(client)
    if (version === 0)
      throw new UserError(`There is no Adbooth data in ${name}. Check the database URL. Nothing was changed.`)
    refuseOtherVersion(version, SCHEMA_VERSION, name)
    const opened = resources.move()
    return { ...readSide(client, name), [Symbol.asyncDispose]: () => opened.disposeAsync() }
  }

  return {
    name,
    snapshot,
    async standStill() {
      await using resources = new AsyncDisposableStack()
      // On a connection of its own: a snapshot that waits for a lock is older than what it waited for.
      const { client } = resources.use(await transaction(url, BEGIN_WRITING))
      const others = await otherSessions(client)
      if (others > 0) return `${others === 1 ? "1 session is" : `${others} sessions are`} still connected to ${name}`
      const side = resources.use(await snapshot())
      const opened = resources.move()
      return { ...side, [Symbol.asyncDispose]: () => opened.disposeAsync() }
    },
  }
}

/** Sessions of this user, so of every server: a session without a name is no copy of ours. */
async function otherSessions(client: ReservedSQL): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    client,
    `SELECT count(*) AS count FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND application_name <> $1::text`,
    [APPLICATION_NAME],
  )
  return row?.count ?? 0
}

export interface TargetOptions {
  /** Every table that is copied. */
  readonly tables: readonly TableShape[]
  /** Asked when there is data: it throws, or keeps it aside. */
  readonly onData: (present: ReadSide) => Promise<void>
}

/** A database to copy to, in one transaction: running servers see either what was there or the copy. */
export function postgresTarget(url: string, { tables, onData }: TargetOptions): CopyTarget {
  const name = nameOf(url)
  return {
    name,
    async begin() {
      await using resources = new AsyncDisposableStack()
      const { client } = resources.use(await transaction(url, BEGIN_WRITING, (pools) => migrate(pools, name)))
      // Notes, such as when a key was last used, are written without the lock of changes.
      const all = tables.map(({ name: table }) => `"${table}"`).join(", ")
      await client.unsafe(`LOCK TABLE ${all} IN SHARE ROW EXCLUSIVE MODE`).simple()
      if (await hasData(client)) await onData(readSide(client, name))
      const revoked = await readRevoked(client)
      for (const table of tables.toReversed()) await client.unsafe(`DELETE FROM "${table.name}"`).simple()
      const opened = resources.move()
      return {
        side: writeSide(client, name),
        async keep() {
          await revokeAgain(client, revoked)
          await client.unsafe("COMMIT").simple()
        },
        [Symbol.asyncDispose]: () => opened.disposeAsync(),
      } satisfies CopyInProgress
    },
  }
}

async function hasData(client: ReservedSQL): Promise<boolean> {
  const exists = DATA_TABLES.map((table) => `EXISTS (SELECT 1 FROM "${table}")`).join(" OR ")
  const [row] = await rowsOf<{ found: boolean }>(client, `SELECT ${exists} AS found`)
  return row?.found === true
}

type Revoked = readonly { readonly known: string; readonly at: number }[]

/** What was revoked stays revoked, whatever the copy says. */
async function readRevoked(client: ReservedSQL): Promise<readonly Revoked[]> {
  const lists: Revoked[] = []
  for (const [table, identity, ended] of REVOCABLE) {
    const statement = `SELECT ${identity} AS known, ${ended} AS at FROM ${table} WHERE ${ended} IS NOT NULL`
    lists.push(await rowsOf<Revoked[number]>(client, statement))
  }
  return lists
}

async function revokeAgain(client: ReservedSQL, revoked: readonly Revoked[]): Promise<void> {
  for (const [place, [table, identity, ended]] of REVOCABLE.entries()) {
    const gone = revoked[place] ?? []
    await rowsOf(
      client,
      `UPDATE ${table} SET ${ended} = gone.at FROM unnest($1::text[], $2::bigint[]) AS gone (known, at)
       WHERE ${table}.${identity} = gone.known AND ${table}.${ended} IS NULL`,
      [gone.map(({ known }) => known), gone.map(({ at }) => at)],
    )
  }
}

const nameOf = (url: string): string => addressInWords(readAddress(url))
