import type { ReservedSQL } from "bun"
import { addressInWords, readAddress } from "../../domain/operations/database-url.ts"
import { UserError } from "../../domain/user-error.ts"
import { withOurNumbers } from "../copy/copy-text.ts"
import type { CopyInProgress, CopySource, CopyTarget, Lines, ReadSide, TableShape, WriteSide } from "../copy/sides.ts"
import { CAMPAIGN_DELETED, DATA_TABLES, namesOf, REVOCABLE, refuseOtherVersion } from "../copy/sides.ts"
import { openPools, type Pools } from "./engine/connect.ts"
import { migrate, SCHEMA_VERSION, schemaVersion } from "./engine/migrate.ts"
import { postgresUserError } from "./engine/postgres-errors.ts"
import { rowsOf, type Value } from "./engine/session.ts"
import { CHANGE_LOCK } from "./engine/transaction.ts"
import { OPERATION_MS, within } from "./engine/within.ts"

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
  const pools = resources.use(openPools(address))
  try {
    await prepare?.(pools)
    const reserving = pools.current().then((pool) => pool.client.reserve())
    const client = await within(OPERATION_MS, reserving)
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
      const others = await numberOf(client, OTHER_SESSIONS, [APPLICATION_NAME])
      if (others > 0) return `${others === 1 ? "1 session is" : `${others} sessions are`} still connected to ${name}`
      const side = resources.use(await snapshot())
      const opened = resources.move()
      return { ...side, [Symbol.asyncDispose]: () => opened.disposeAsync() }
    },
  }
}

// Of this user, so of every server: a session without a name is no copy of ours.
const OTHER_SESSIONS = `SELECT count(*) AS number FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND application_name <> $1::text`

async function numberOf(client: ReservedSQL, statement: string, values: readonly Value[] = []): Promise<number> {
  const [row] = await rowsOf<{ number: number }>(client, statement, values)
  return row?.number ?? 0
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
      const { client } = resources.use(
        await transaction(url, BEGIN_WRITING, (pools) => migrate(pools, name, { upgrades: false })),
      )
      // Notes, such as when a key was last used, are written without the lock of changes.
      const all = tables.map(({ name: table }) => `"${table}"`).join(", ")
      await client.unsafe(`LOCK TABLE ${all} IN SHARE ROW EXCLUSIVE MODE`).simple()
      const exists = DATA_TABLES.map((table) => `EXISTS (SELECT 1 FROM "${table}")`)
      const hasData = (await numberOf(client, `SELECT (${exists.join(" OR ")})::integer AS number`)) > 0
      if (hasData) await onData(readSide(client, name))
      const revokeAgain = await keepRevoked(client)
      for (const table of tables.toReversed()) await client.unsafe(`DELETE FROM "${table.name}"`).simple()
      const opened = resources.move()
      return {
        side: writeSide(client, name),
        async keep() {
          await revokeAgain()
          await client.unsafe("COMMIT").simple()
        },
        [Symbol.asyncDispose]: () => opened.disposeAsync(),
      } satisfies CopyInProgress
    },
  }
}

const GONE = "unnest($1::text[], $2::bigint[]) AS gone (known, at)"
const REVOKED = [
  ...REVOCABLE.map(([table, identity, ended]) => ({
    read: `SELECT ${identity} AS known, ${ended} AS at FROM ${table} WHERE ${ended} IS NOT NULL`,
    write: `UPDATE ${table} SET ${ended} = gone.at FROM ${GONE}
      WHERE ${table}.${identity} = gone.known AND ${table}.${ended} IS NULL`,
  })),
  // Links to a campaign that was deleted went with it.
  {
    read: `SELECT subject AS known, max(at) AS at FROM audit_entry WHERE action = '${CAMPAIGN_DELETED}' GROUP BY subject`,
    write: `UPDATE share_link SET revoked_at = gone.at FROM ${GONE} JOIN campaign c ON c.slug = gone.known
      WHERE share_link.campaign_id = c.id AND share_link.created_at <= gone.at AND share_link.revoked_at IS NULL`,
  },
]

/** What was revoked stays revoked, whatever the copy says. Call the result when everything is copied. */
async function keepRevoked(client: ReservedSQL): Promise<() => Promise<void>> {
  const found = REVOKED.map(({ read }) => rowsOf<{ known: string; at: number }>(client, read))
  const revoked = await Promise.all(found)
  return async () => {
    for (const [i, { write }] of REVOKED.entries()) {
      const gone = revoked[i] ?? []
      await rowsOf(client, write, [gone.map(({ known }) => known), gone.map(({ at }) => at)])
    }
  }
}

const nameOf = (url: string): string => addressInWords(readAddress(url))

// Enough for a digest of each to be no burden, and little enough to hold.
const CHARACTERS_AT_ONCE = 500_000

/** Reads in the transaction that the connection is in. */
function readSide(client: ReservedSQL, name: string): ReadSide {
  return {
    name,
    lines: (table) => lines(client, table),
    count: (table) => numberOf(client, `SELECT count(*) AS number FROM "${table.name}"`),
    rowWithNul: async () => null,
    catalogueRevision: () => numberOf(client, "SELECT catalogue AS number FROM revision"),
  }
}

/** Writes in the transaction that the connection is in. */
function writeSide(client: ReservedSQL, name: string): WriteSide {
  const { lines: read, count } = readSide(client, name)
  return {
    name,
    holdsNul: false,
    lines: read,
    count,
    write: (table, given) => write(client, table, given),
    async finish(tables, catalogueRevision) {
      for (const { name: table } of tables.filter(({ isNumbered }) => isNumbered)) {
        const sequence = `pg_get_serial_sequence('"${table}"', 'id')`
        await client
          .unsafe(`SELECT setval(${sequence}, coalesce(max(id), 1), max(id) IS NOT NULL) FROM "${table}"`)
          .simple()
      }
      await rowsOf(client, "UPDATE revision SET terms = terms + 1, catalogue = greatest(catalogue, $1::bigint) + 1", [
        catalogueRevision,
      ])
      // Without it, nothing is known of what was copied until the server looks by itself, and pages would take seconds.
      await client.unsafe(`ANALYZE ${tables.map(({ name: table }) => `"${table}"`).join(", ")}`).simple()
    },
  }
}

async function* lines(client: ReservedSQL, table: TableShape): Lines {
  const select = `SELECT ${namesOf(table.columns)} FROM "${table.name}" ORDER BY ${namesOf(table.key)}`
  const decoder = new TextDecoder()
  let pending = ""
  for await (const bytes of client.unsafe(`COPY (${select}) TO STDOUT`).readable()) {
    pending += decoder.decode(bytes, { stream: true })
    if (pending.length < CHARACTERS_AT_ONCE) continue
    const end = pending.lastIndexOf("\n") + 1
    if (end === 0) continue
    yield withOurNumbers(pending.slice(0, end), table)
    pending = pending.slice(end)
  }
  if (pending !== "") yield withOurNumbers(pending, table)
}

async function write(client: ReservedSQL, table: TableShape, given: Lines): Promise<void> {
  const stream = client.unsafe(`COPY "${table.name}" (${namesOf(table.columns)}) FROM STDIN`).writable()
  const writer = stream.getWriter()
  try {
    for await (const text of given) await writer.write(text)
  } catch (cause) {
    await writer.abort(cause).catch(() => undefined)
    throw cause
  }
  await writer.close()
}
