import { RATE_WINDOW_SECONDS } from "../../../domain/limits.ts"
import { MICROS_PER_SECOND } from "../../../domain/time/moment.ts"
import { SWEEP_LOCK } from "../engine/transaction.ts"
import { DATABASE_NOW } from "./clock.ts"

const WINDOW_MICROS = RATE_WINDOW_SECONDS * MICROS_PER_SECOND

// The rule of domain/callers/rate-limit.ts, for all replicas. What becomes of a window w that is there, when a row EXCLUDED asks for so many requests at its time. That time was taken before the
// row was locked: where another statement was faster, its time counts, so that stamps are in order, and width_bucket finds by
// halving how many are over. After a clock was set back, which is more than any wait for a lock, what counted counts for a minute more.
const IS_SET_BACK = `w.at > EXCLUDED.at + ${10 * MICROS_PER_SECOND}`
const NOW = `CASE WHEN ${IS_SET_BACK} THEN EXCLUDED.at ELSE greatest(EXCLUDED.at, w.at) END`
const OVER = `CASE WHEN ${IS_SET_BACK} THEN 0 ELSE width_bucket(greatest(EXCLUDED.at, w.at) - ${WINDOW_MICROS}, w.stamps) END`
const LIVE = `CASE WHEN ${IS_SET_BACK} THEN array_fill(EXCLUDED.at, ARRAY[cardinality(w.stamps)]) ELSE w.stamps[${OVER} + 1 :] END`
const ADMITTED = `greatest(0, least(EXCLUDED.admitted, EXCLUDED.capacity - cardinality(w.stamps) + ${OVER}))`

// Who asks to be let in: $1 kind, $2 fingerprint or caller, $3 name of the window, $4 its limit, $5 how many requests, never more than the
// limit. The arrays stand in sub-selects so that the plan does not depend on how long they are: it is made once.
const ASKED = `asked AS MATERIALIZED (
    SELECT a.place, a.capacity, a.requests, coalesce(i.id, g.id) AS key_id, i.organization_id,
      a.kind || ' ' || a.name AS row_name, CASE a.kind WHEN 'caller' THEN a.who ELSE coalesce(i.id, g.id) END AS caller
    FROM unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::text[]), (SELECT $4::bigint[]), (SELECT $5::bigint[]))
      WITH ORDINALITY AS a(kind, who, name, capacity, requests, place)
    LEFT JOIN LATERAL (SELECT id, organization_id FROM ingest_key
      WHERE a.kind = 'ingest' AND fingerprint = a.who AND revoked_at IS NULL LIMIT 1) i ON true
    LEFT JOIN LATERAL (SELECT id FROM agent_key
      WHERE a.kind = 'agent' AND fingerprint = a.who AND revoked_at IS NULL LIMIT 1) g ON true
  )`
// One row with a list of each column, which is read in a third of the time that many rows take.
const WHO = `array_agg(a.place::double precision) AS places, array_agg(a.key_id) AS "keyIds",
    array_agg(a.organization_id::double precision) AS "organizationIds"`
const REVISIONS = `(SELECT terms::double precision FROM revision) AS terms,
    (SELECT catalogue::double precision FROM revision) AS catalogue`

/**
 * Admits: one row for each window of each caller, with how many requests came together; $6 the time of a test, or null for the
 * database's own. Its commit waits for no disk and no standby: windows are lost in a crash anyway.
 *
 * Rows are locked in one order, so that two statements never wait for each other. Keys and revisions are as committed when the
 * statement began, which is after every request in it came.
 */
export const ADMIT = `
  WITH ${ASKED}, taken AS (
    INSERT INTO rate_window AS w (name, caller, stamps, capacity, at, admitted)
    SELECT row_name, caller, array_fill(t.now, ARRAY[requests::int]), capacity, t.now, requests
    FROM asked, LATERAL (SELECT coalesce($6::bigint, ${DATABASE_NOW}) AS now) t
    WHERE caller IS NOT NULL
    ORDER BY row_name COLLATE "C", caller COLLATE "C"
    ON CONFLICT (name, caller) DO UPDATE SET
      stamps = ${LIVE} || array_fill(${NOW}, ARRAY[(${ADMITTED})::int]),
      capacity = EXCLUDED.capacity, at = ${NOW}, admitted = ${ADMITTED}
    RETURNING w.name, w.caller, w.stamps[1] AS oldest, cardinality(w.stamps) AS count, w.at, w.admitted
  )
  SELECT ${WHO}, array_agg((t.count - t.admitted)::double precision) AS before,
    array_agg(t.admitted::double precision) AS admitted,
    array_agg((t.oldest + ${WINDOW_MICROS} - t.at)::double precision) AS "leftMicros",
    ${REVISIONS}, set_config('synchronous_commit', 'off', true) AS commit
  FROM asked a LEFT JOIN taken t ON t.name = a.row_name AND t.caller = a.caller`

/** The same for a database that takes no writes: nothing is counted, and everybody who has a key, or needs none, is admitted. */
export const ADMIT_UNCOUNTED = `
  WITH ${ASKED} SELECT ${WHO}, array_agg(0::double precision) AS before,
    array_agg(CASE WHEN a.caller IS NOT NULL THEN ${Number.MAX_SAFE_INTEGER}::double precision END) AS admitted,
    array_agg(${WINDOW_MICROS}::double precision) AS "leftMicros", ${REVISIONS} FROM asked a`

/** What both answer. */
export interface AdmitRow {
  /** Which of those that were asked for, from 1. */
  readonly places: ArrayLike<number>
  readonly keyIds: ArrayLike<string | null>
  readonly organizationIds: ArrayLike<number | null>
  /** How many requests the window had before. */
  readonly before: ArrayLike<number | null>
  /** How many of those that came together are admitted; null where there is no such key. */
  readonly admitted: ArrayLike<number | null>
  /** Until the oldest request of the window is over. */
  readonly leftMicros: ArrayLike<number | null>
  readonly terms: number
  readonly catalogue: number
}

/** Deletes up to $1 windows that are over, if no other replica is at it; never waits for a row. $2 the time of a test, or null. */
export const SWEEP = `
  WITH mine AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${SWEEP_LOCK}) AS locked), over AS MATERIALIZED (
    SELECT w.ctid FROM rate_window w
    WHERE (SELECT locked FROM mine) AND w.at <= coalesce($2::bigint, (SELECT ${DATABASE_NOW})) - ${WINDOW_MICROS}
    LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM rate_window WHERE ctid = ANY(ARRAY(SELECT ctid FROM over)) RETURNING 1 AS one`
