import { RATE_WINDOW_SECONDS } from "../../../domain/limits.ts"
import { MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import { SWEEP_LOCK } from "../engine/transaction.ts"
import { DATABASE_NOW } from "./clock.ts"

const WINDOW_MICROS = RATE_WINDOW_SECONDS * MICROS_PER_SECOND

// The rule of domain/callers/rate-limit.ts, for all replicas: what becomes of a window w that is there, when a row EXCLUDED asks for one
// request at its time. That time was taken before the row was locked: where another statement was faster, its time counts, so that stamps
// are in order, and width_bucket finds by halving how many are over. After a clock was set back, which is more than any wait for a lock,
// what counted counts for a minute more.
const IS_SET_BACK = `w.at > EXCLUDED.at + ${10 * MICROS_PER_SECOND}`
const NOW = `CASE WHEN ${IS_SET_BACK} THEN EXCLUDED.at ELSE greatest(EXCLUDED.at, w.at) END`
const LIVE = `CASE WHEN ${IS_SET_BACK} THEN array_fill(EXCLUDED.at, ARRAY[cardinality(w.stamps)])
  ELSE w.stamps[width_bucket(greatest(EXCLUDED.at, w.at) - ${WINDOW_MICROS}, w.stamps) + 1 :] END`
const HAS_ROOM = `cardinality(${LIVE}) < EXCLUDED.capacity`

/** Who asks, by a fingerprint or a name $1. Only an ingest key has an organization. */
const WHO = {
  ingest: "SELECT id, organization_id FROM ingest_key WHERE fingerprint = $1 AND revoked_at IS NULL",
  agent: "SELECT id, NULL::bigint AS organization_id FROM agent_key WHERE fingerprint = $1 AND revoked_at IS NULL",
  caller: "SELECT $1::text AS id, NULL::bigint AS organization_id",
}

export type CallerKind = keyof typeof WHO

/**
 * Counts one request in the window named $2 with the limit $3; $4 the time of a test, or null for the database's own. No row where there
 * is no such key. Its commit waits for no disk and no standby: windows are lost in a crash anyway.
 */
const admit = (kind: CallerKind) => `
  WITH who AS MATERIALIZED (${WHO[kind]}), taken AS (
    INSERT INTO rate_window AS w (name, caller, stamps, capacity, at, admitted)
    SELECT '${kind} ' || $2::text, who.id, ARRAY[t.now], $3::bigint, t.now, 1
    FROM who, (SELECT coalesce($4::bigint, ${DATABASE_NOW}) AS now) t
    ON CONFLICT (name, caller) DO UPDATE SET stamps = ${LIVE} || CASE WHEN ${HAS_ROOM} THEN ARRAY[${NOW}] ELSE '{}' END,
      capacity = EXCLUDED.capacity, at = ${NOW}, admitted = (${HAS_ROOM})::int
    RETURNING w.stamps[1] AS oldest, cardinality(w.stamps) AS count, w.at, w.admitted
  )
  SELECT who.id, who.organization_id AS "organizationId", t.admitted = 1 AS "isAllowed", t.count,
    t.oldest + ${WINDOW_MICROS} - t.at AS "leftMicros", set_config('synchronous_commit', 'off', true) AS commit
  FROM who, taken t`

/** The same for a database that takes no writes: nothing is counted, and everybody who has a key, or needs none, is admitted. */
const admitUncounted = (kind: CallerKind) => `
  SELECT who.id, who.organization_id AS "organizationId", true AS "isAllowed", 1 AS count,
    ${WINDOW_MICROS} AS "leftMicros" FROM (${WHO[kind]}) who`

const forEachKind = (statement: (kind: CallerKind) => string): Readonly<Record<CallerKind, string>> => ({
  ingest: statement("ingest"),
  agent: statement("agent"),
  caller: statement("caller"),
})

export const ADMIT = forEachKind(admit)
export const ADMIT_UNCOUNTED = forEachKind(admitUncounted)

/** What both answer. */
export interface AdmitRow {
  readonly id: string
  readonly organizationId: number
  readonly isAllowed: boolean
  /** How many requests the window has now. */
  readonly count: number
  /** Until the oldest request of the window is over. */
  readonly leftMicros: number
}

/** Deletes up to $1 windows that are over, if no other replica is at it; never waits for a row. $2 the time of a test, or null. */
export const SWEEP = `
  WITH mine AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${SWEEP_LOCK}) AS locked), over AS MATERIALIZED (
    SELECT w.ctid FROM rate_window w
    WHERE (SELECT locked FROM mine) AND w.at <= coalesce($2::bigint, (SELECT ${DATABASE_NOW})) - ${WINDOW_MICROS}
    LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM rate_window WHERE ctid = ANY(ARRAY(SELECT ctid FROM over)) RETURNING 1 AS one`
