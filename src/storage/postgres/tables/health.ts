import type { Fact, Health } from "../../port/store.ts"
import type { SharedHealth } from "../../steps/operations.ts"
import { SCHEMA, SCHEMA_VERSION } from "../engine/migrate.ts"
import { LateCommit } from "../engine/postgres-errors.ts"
import type { Session } from "../engine/session.ts"
import type { Access } from "../engine/transaction.ts"

// Checks that look at every row.
const LONG = { withinMs: 10 * 60_000 }

/** `version` is the server's, as it tells it. */
export function health({ read, pools, areWritesInDoubt }: Access, shared: SharedHealth, version: string): Health {
  async function firstRow<Row>(statement: string): Promise<Row | undefined> {
    const [row] = await read(({ rows }) => rows<Row>(statement))
    return row
  }

  return {
    ...shared,
    async ping() {
      const state = await firstRow<{ standby: boolean }>("SELECT pg_is_in_recovery() AS standby")
      if (state?.standby === true) throw new Error("it takes no writes: it is a standby")
    },
    isInDoubt: areWritesInDoubt,
    async whyNotWritten(cause) {
      const { names = "", waiting = 0 } =
        (await firstRow<{ names: string; waiting: number }>(STANDBYS_WAITED_FOR)) ?? {}
      if (names === "" || (waiting === 0 && !(cause instanceof LateCommit))) return null
      return `commits wait for a standby that is away (synchronous_standby_names = ${names})`
    },
    integrity: async () => [...(await shared.strayReports()), ...(await read(integrityProblems, LONG))],
    async schema() {
      const schema = await firstRow<{ version: number; expected: number; fits: boolean }>(SCHEMA)
      return schema ?? { version: 0, expected: SCHEMA_VERSION, fits: false }
    },
    async sizeBytes() {
      return (await firstRow<{ bytes: number }>("SELECT pg_database_size(current_database()) AS bytes"))?.bytes ?? 0
    },
    facts: () => read((session) => factsOf(session, pools.size)),
    engine: `PostgreSQL ${version}`,
  }
}

// A commit of another server has its locks while it waits for a standby, so that a write may end there.
const STANDBYS_WAITED_FOR = `SELECT current_setting('synchronous_standby_names') AS names,
  (SELECT count(*) FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep') AS waiting`

// What no constraint of the tables excludes, and what the server itself has found.
const PROBLEMS = `
  SELECT count(*) || ' affiliate placements are of codes that are not there' AS problem
    FROM affiliate_placement p WHERE NOT EXISTS (SELECT 1 FROM affiliate_code c WHERE c.id = p.code_id) HAVING count(*) > 0
  UNION ALL SELECT 'the table revision has ' || count(*) || ' rows instead of one' FROM revision HAVING count(*) <> 1
  UNION ALL SELECT 'the table agent_call_size has ' || count(*) || ' rows instead of one' FROM agent_call_size WHERE id = 1 HAVING count(*) <> 1
  UNION ALL SELECT 'the index ' || c.relname || ' is not valid (REINDEX INDEX ' || c.relname || ')'
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND NOT i.indisvalid
  UNION ALL SELECT 'the server found ' || checksum_failures || ' damaged pages'
    FROM pg_stat_database WHERE datname = current_database() AND checksum_failures > 0`

/** Descriptions of what is wrong with the stored data. Damaged pages are the server's to find: it checks each that it reads. */
async function integrityProblems({ rows }: Session): Promise<string[]> {
  const problems = await rows<{ problem: string }>(PROBLEMS)
  return problems.map(({ problem }) => problem)
}

const CONNECTIONS = `
  SELECT (SELECT sum(numbackends)::bigint FROM pg_stat_database) AS used,
    current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint AS most,
    current_setting('synchronous_commit') AS commit, current_setting('synchronous_standby_names') AS standbys`

// A user without pg_monitor sees that there is a standby, and no more.
const STANDBYS = `
  SELECT application_name AS name, state, sync_state AS sync,
    CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::double precision END AS bytes,
    coalesce(extract(epoch FROM replay_lag), 0)::double precision AS seconds
  FROM pg_stat_replication ORDER BY application_name, pid`

interface Standby {
  readonly name: string | null
  readonly state: string | null
  readonly sync: string | null
  readonly bytes: number | null
  readonly seconds: number
}

async function factsOf({ rows }: Session, poolSize: number): Promise<Fact[]> {
  const [[server], standbys] = await Promise.all([
    rows<{ used: number; most: number; commit: string; standbys: string }>(CONNECTIONS),
    rows<Standby>(STANDBYS),
  ])
  if (server === undefined) return []
  const { used, most, commit, standbys: waitsFor } = server
  return [
    {
      label: "connections",
      value: `${used} of ${most} on the server are used; this process uses up to ${poolSize}`,
      figures: { connections_used: used, connections_max: most },
    },
    {
      label: "commits",
      value: `synchronous: ${commit}; ${waitsFor === "" ? "no standby is waited for" : `wait for ${waitsFor}`}`,
    },
    {
      label: "standbys",
      value: standbys.length === 0 ? "none" : standbys.map(inWords).join("; "),
      figures: {
        standbys: standbys.length,
        ...(standbys.some(({ bytes }) => bytes !== null) && {
          standby_lag_bytes: Math.max(...standbys.map(({ bytes }) => bytes ?? 0)),
          standby_lag_seconds: Math.max(...standbys.map(({ seconds }) => seconds)),
        }),
      },
    },
  ]
}

function inWords({ name, state, sync, bytes, seconds }: Standby): string {
  if (state === null) return `${name ?? "one"}: this user may not see its state (GRANT pg_monitor TO user)`
  const lag = bytes === null ? "lag not known" : `${bytes} bytes (${seconds.toFixed(1)} s) behind`
  return `${name ?? "one"}: ${state}, ${sync ?? "async"}, ${lag}`
}
