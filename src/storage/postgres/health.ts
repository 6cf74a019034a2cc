import type { Fact, Health, ReadTx } from "../database.ts"
import type { Pool } from "./connect.ts"
import { SCHEMA, schemaOf } from "./migrations.ts"

/** `version` is what the server says about itself. */
export function postgresHealth(pool: Pool, version: string, poolSize: number): Health {
  async function row<Row>(text: string): Promise<Row> {
    const [first] = await pool.run((client) => client.unsafe<Row[]>(text))
    if (first === undefined) throw new Error("The server didn't answer with a row.")
    return first
  }

  return {
    engine: `PostgreSQL ${version}`,
    async problem() {
      const { isReadOnly, names, waiting } = await row<State>(STATE)
      if (isReadOnly)
        return "The PostgreSQL server doesn't accept writes. Check which server the database URL leads to."
      return names !== "" && Number(waiting) > 0
        ? `Commits wait for a standby that doesn't answer (synchronous_standby_names = ${names}).`
        : null
    },
    schema: async () => ({ applied: await pool.run(schemaOf), known: SCHEMA }),
    sizeBytes: async () => Number((await row<{ bytes: string }>(SIZE)).bytes),
    freeBytes: async () => null,
    async integrity() {
      const problems = await pool.run((client) => client.unsafe<{ problem: string }[]>(PROBLEMS))
      return problems.map(({ problem }) => problem)
    },
    facts: async () => factsFrom(await row<Connections>(CONNECTIONS), poolSize),
  }
}

interface State {
  readonly isReadOnly: boolean
  readonly names: string
  readonly waiting: string
}

const STATE = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "isReadOnly",
  current_setting('synchronous_standby_names') AS names,
  (SELECT count(*) FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep') AS waiting`

const SIZE = "SELECT pg_database_size(current_database()) AS bytes"

// The server itself checks each page that it reads, if it has checksums.
const PROBLEMS = `
  SELECT 'the index ' || c.relname || ' is not valid (REINDEX INDEX ' || c.relname || ')' AS problem
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND NOT i.indisvalid
  UNION ALL SELECT 'the server found ' || checksum_failures || ' damaged pages'
    FROM pg_stat_database WHERE datname = current_database() AND checksum_failures > 0`

interface Connections {
  readonly used: string
  readonly most: string
  readonly commit: string
  readonly standbys: string
}

const CONNECTIONS = `SELECT (SELECT sum(numbackends) FROM pg_stat_database) AS used,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
  current_setting('synchronous_commit') AS commit, current_setting('synchronous_standby_names') AS standbys`

const factsFrom = ({ used, most, commit, standbys }: Connections, poolSize: number): readonly Fact[] => [
  { label: "Connections", value: `${used} of ${most} are in use; this server uses up to ${poolSize * 2}` },
  { label: "Synchronous commit", value: commit },
  { label: "Standbys that commits wait for", value: standbys === "" ? "none" : standbys },
]

const MOVER = "adbooth-move"

/** The same URL, with a name for our own sessions that no server has. */
export function asMover(url: string): string {
  const [place = "", query = ""] = url.split("?")
  const options = new URLSearchParams(query)
  options.set("application_name", MOVER)
  return `${place}?${options}`
}

/** How many sessions other processes have on this database, as this user. */
export async function otherSessions(read: ReadTx): Promise<number> {
  const [row] = await read.rows(OTHERS, [MOVER], { sessions: Number })
  return row?.sessions ?? 0
}

const OTHERS = `SELECT count(*) AS sessions FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND application_name <> $1`
