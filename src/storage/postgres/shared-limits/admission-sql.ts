import { RATE_WINDOW_SECONDS } from "../../../domain/limits.ts"
import { MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import { SWEEP_LOCK } from "../engine/transaction.ts"
import { DATABASE_NOW } from "./clock.ts"

export const WINDOW_MICROS = RATE_WINDOW_SECONDS * MICROS_PER_SECOND

// What becomes of a window w that is there, when a row EXCLUDED asks for so many requests at its time. That time was taken before the
// row was locked: where another statement was faster, its time counts, so that stamps are in order, and width_bucket finds by
// halving how many are over. After a clock was set back, which is more than any wait for a lock, what counted counts for a minute more.
const IS_SET_BACK = `w.at > EXCLUDED.at + ${10 * MICROS_PER_SECOND}`
const NOW = `CASE WHEN ${IS_SET_BACK} THEN EXCLUDED.at ELSE greatest(EXCLUDED.at, w.at) END`
const OVER = `CASE WHEN ${IS_SET_BACK} THEN 0 ELSE width_bucket(greatest(EXCLUDED.at, w.at) - ${WINDOW_MICROS}, w.stamps) END`
const LIVE = `CASE WHEN ${IS_SET_BACK} THEN array_fill(EXCLUDED.at, ARRAY[cardinality(w.stamps)]) ELSE w.stamps[${OVER} + 1 :] END`
const ADMITTED = `greatest(0, least(EXCLUDED.admitted, EXCLUDED.capacity - cardinality(w.stamps) + ${OVER}))`

/**
 * Who asks to be let in, one row for each window of each caller, with how many requests came together. $1 kind, $2 fingerprint or
 * caller, $3 name of the window, $4 its limit, $5 how many requests, never more than the limit; $6 the epoch that this replica
 * has written back to, or null; $7 the time of a test, or null for the database's own.
 *
 * Rows are locked in one order, so that two statements never wait for each other. Keys and revisions are as committed when the
 * statement began, which is after every request in it came. The arrays stand in sub-selects so that the plan does not depend on how
 * long they are: it is made once.
 */
export const ADMIT = `
  WITH asked AS MATERIALIZED (
    SELECT a.place, a.capacity, a.requests, coalesce(i.id, g.id) AS key_id, i.organization_id,
      a.kind || ' ' || a.name AS row_name, CASE a.kind WHEN 'caller' THEN a.who ELSE coalesce(i.id, g.id) END AS caller
    FROM unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::text[]), (SELECT $4::bigint[]), (SELECT $5::bigint[]))
      WITH ORDINALITY AS a(kind, who, name, capacity, requests, place)
    LEFT JOIN LATERAL (SELECT id, organization_id FROM ingest_key
      WHERE a.kind = 'ingest' AND fingerprint = a.who AND revoked_at IS NULL LIMIT 1) i ON true
    LEFT JOIN LATERAL (SELECT id FROM agent_key
      WHERE a.kind = 'agent' AND fingerprint = a.who AND revoked_at IS NULL LIMIT 1) g ON true
  ), gate AS MATERIALIZED (
    SELECT epoch, greatest(0, opens_at - ${DATABASE_NOW}) AS closed FROM rate_epoch
  ), taken AS (
    INSERT INTO rate_window AS w (name, caller, stamps, capacity, at, admitted)
    SELECT row_name, caller, array_fill(t.now, ARRAY[requests::int]), capacity, t.now, requests
    FROM asked, LATERAL (SELECT coalesce($7::bigint, ${DATABASE_NOW}) AS now) t
    WHERE caller IS NOT NULL AND EXISTS (SELECT FROM gate WHERE closed = 0 AND ($6::bigint IS NULL OR epoch = $6))
    ORDER BY row_name COLLATE "C", caller COLLATE "C"
    ON CONFLICT (name, caller) DO UPDATE SET
      stamps = ${LIVE} || array_fill(${NOW}, ARRAY[(${ADMITTED})::int]),
      capacity = EXCLUDED.capacity, at = ${NOW}, admitted = ${ADMITTED}
    RETURNING w.name, w.caller, w.stamps[1] AS oldest, cardinality(w.stamps) AS count, w.at, w.admitted
  )
  SELECT array_agg(a.place::double precision) AS places, array_agg(a.key_id) AS "keyIds",
    array_agg(a.organization_id::double precision) AS "organizationIds", array_agg(t.oldest::double precision) AS oldest,
    array_agg(t.count::double precision) AS counts, array_agg(t.at::double precision) AS moments,
    array_agg(t.admitted::double precision) AS admitted,
    (SELECT terms::double precision FROM revision) AS terms, (SELECT catalogue::double precision FROM revision) AS catalogue,
    (SELECT epoch::double precision FROM gate) AS epoch, (SELECT closed::double precision FROM gate) AS closed
  FROM asked a LEFT JOIN taken t ON t.name = a.row_name AND t.caller = a.caller`

type Column<Value> = ArrayLike<Value>

/**
 * What ADMIT answers: one row with a list of each column, which is read in a third of the time that many rows take. Without a key or
 * caller nothing is counted, nor while the gate is closed: null then.
 */
export interface AdmitRow extends GateRow {
  /** Which of those that were asked for, from 1. */
  readonly places: Column<number>
  readonly keyIds: Column<string | null>
  readonly organizationIds: Column<number | null>
  readonly oldest: Column<number | null>
  readonly counts: Column<number | null>
  readonly moments: Column<number | null>
  readonly admitted: Column<number | null>
  readonly terms: number
  readonly catalogue: number
}

export interface GateRow {
  /** Null when the windows are lost and nobody has begun a new epoch. */
  readonly epoch: number | null
  /** For how many microseconds nobody is admitted yet. */
  readonly closed: number | null
}

/** Begins a new epoch, unless another replica has. Nobody is admitted for its first $1 microseconds, unless OPEN says so earlier. */
export const BEGIN_EPOCH = `
  INSERT INTO rate_epoch (id, epoch, opens_at) SELECT 1, t.now, t.now + $1::bigint FROM (SELECT ${DATABASE_NOW} AS now) t
  ON CONFLICT (id) DO NOTHING`

export const GATE = `SELECT epoch, greatest(0, opens_at - ${DATABASE_NOW}) AS closed FROM rate_epoch`

// Among the leases, because they are logged: a crash leaves them.
const REPLICAS = "name LIKE 'admits %'"

/**
 * Says that the replica $1 admits, which epoch $2 it has written back to, and for how many microseconds $3 what it admits may count.
 * Forgets replicas of which nothing counts any more.
 */
export const REGISTER = `
  WITH gone AS (
    SELECT name FROM lease WHERE ${REPLICAS} AND expires_at <= ${DATABASE_NOW} AND name <> 'admits ' || $1 FOR UPDATE SKIP LOCKED
  ), forgotten AS (DELETE FROM lease WHERE name IN (SELECT name FROM gone))
  INSERT INTO lease (name, holder, expires_at) SELECT 'admits ' || $1, $2::text, ${DATABASE_NOW} + $3::bigint
  ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, expires_at = EXCLUDED.expires_at`

/** Opens the epoch $1 when every replica has written back to it of which something may count. */
export const OPEN = `
  UPDATE rate_epoch SET opens_at = ${DATABASE_NOW} WHERE epoch = $1::bigint AND opens_at > ${DATABASE_NOW}
    AND NOT EXISTS (SELECT FROM lease WHERE ${REPLICAS} AND holder <> $1::bigint::text AND expires_at > ${DATABASE_NOW})`

/**
 * Adds what a replica remembers to the windows: $1 name of the row, $2 caller, $3 limit, $4 how many microseconds ago, $5 how many
 * requests; $6 the time of a test, or null.
 */
export const WRITE_BACK = `
  INSERT INTO rate_window AS w (name, caller, stamps, capacity, at, admitted)
  SELECT o.name, o.caller, array_agg(t.now - o.age ORDER BY o.age DESC), max(o.capacity), max(t.now), 0
  FROM (SELECT coalesce($6::bigint, ${DATABASE_NOW}) AS now OFFSET 0) t,
    unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) AS o(name, caller, capacity, age, requests),
    generate_series(1, o.requests)
  GROUP BY o.name, o.caller ORDER BY o.name COLLATE "C", o.caller COLLATE "C"
  ON CONFLICT (name, caller) DO UPDATE SET
    stamps = ARRAY(SELECT s FROM unnest(w.stamps || EXCLUDED.stamps) s ORDER BY s), at = greatest(w.at, EXCLUDED.at)`

/** Deletes up to $1 windows that are over, if no other replica is at it; never waits for a row. $2 the time of a test, or null. */
export const SWEEP = `
  WITH mine AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${SWEEP_LOCK}) AS locked), over AS MATERIALIZED (
    SELECT w.ctid FROM rate_window w
    WHERE (SELECT locked FROM mine) AND w.at <= coalesce($2::bigint, (SELECT ${DATABASE_NOW})) - ${WINDOW_MICROS}
    LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM rate_window WHERE ctid = ANY(ARRAY(SELECT ctid FROM over)) RETURNING 1 AS one`
