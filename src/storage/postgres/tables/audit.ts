import type { Moment } from "../../../domain/time/moment.ts"
import type { AuditFilter, AuditReads, ListedAuditEntry } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { likePattern } from "../engine/like-pattern.ts"
import type { Value } from "../engine/session.ts"

// What was dated first may be written last. Ids grow with time but for that, so that the index on the time finds where a time begins.
const WRITTEN_LATE_MAX: Moment = 60_000_000

/**
 * The entries of a filter with ids below $1, newest first; what is not asked for is null. PostgreSQL reads the primary key backwards
 * and stops at the limit. No more than so many entries are looked through for one page, so that a rare word in a long trail takes
 * many short steps instead of one long one: `lowest` is where this step ended.
 */
const LIST = `
  WITH looked AS (
    SELECT * FROM audit_entry
    WHERE ($1::bigint IS NULL OR id < $1)
      AND ($2::bigint IS NULL OR id >= (SELECT min(id) FROM audit_entry
        WHERE at >= $2 AND at <= (SELECT min(at) FROM audit_entry WHERE at >= $2) + ${WRITTEN_LATE_MAX}))
      AND ($3::bigint IS NULL OR id <= (SELECT max(id) FROM audit_entry
        WHERE at < $3 AND at >= (SELECT max(at) FROM audit_entry WHERE at < $3) - ${WRITTEN_LATE_MAX}))
    ORDER BY id DESC LIMIT $9
  ), fitting AS (
    SELECT * FROM looked e
    WHERE ($2::bigint IS NULL OR e.at >= $2) AND ($3::bigint IS NULL OR e.at < $3)
      AND ($4::text IS NULL OR e.actor = $4) AND ($5::text IS NULL OR e.action = $5)
      AND ($6::bigint IS NULL OR e.organization_id = $6)
      AND ($7::text IS NULL OR e.subject ILIKE $7 OR e.details ILIKE $7)
    ORDER BY e.id DESC LIMIT $8
  )
  SELECT e.id, e.at, e.actor, e.action, e.subject, e.organization_id AS "organizationId", e.details,
    u.email, o.slug AS organization, l.looked, l.lowest
  FROM (SELECT count(*) AS looked, min(id) AS lowest FROM looked) l
  LEFT JOIN fitting e ON true
  LEFT JOIN "user" u ON u.id = CASE WHEN e.actor ~ '^user:\\d{1,15}$' THEN substr(e.actor, 6)::bigint END
  LEFT JOIN organization o ON o.id = e.organization_id
  ORDER BY e.id DESC`

/** From one action to the next by the index, however many entries each has. */
const ACTIONS = `
  WITH RECURSIVE known(action) AS (
    SELECT min(action) FROM audit_entry
    UNION ALL SELECT (SELECT min(action) FROM audit_entry WHERE action > known.action) FROM known WHERE action IS NOT NULL
  ) SELECT action FROM known WHERE action IS NOT NULL`

// So many entries are looked through for one page: whoever wants more of a long trail asks for the next one.
const LOOKED_THROUGH_MAX = 60_000

type Row = Omit<ListedAuditEntry, "details" | "id"> & {
  readonly id: number | null
  readonly details: string | null
  readonly looked: number
  readonly lowest: number | null
}

export function auditReads({ read }: Connection): AuditReads {
  return {
    async list(filter, { before, limit }) {
      const values = [before, ...valuesOf(filter), limit, LOOKED_THROUGH_MAX]
      const found = await read(({ rows }) => rows<Row>(LIST, values))
      const entries = found.flatMap(readEntry)
      const isFull = entries.length === limit
      const goesOn = isFull || (found[0]?.looked ?? 0) === LOOKED_THROUGH_MAX
      const last = isFull ? entries.at(-1)?.id : found[0]?.lowest
      return { entries, before: goesOn ? (last ?? null) : null }
    },
    async actions() {
      const found = await read(({ rows }) => rows<{ action: string }>(ACTIONS))
      return found.map(({ action }) => action)
    },
  }
}

function readEntry({ looked, lowest, id, details, ...entry }: Row): ListedAuditEntry[] {
  return id === null ? [] : [{ ...entry, id, details: details === null ? null : JSON.parse(details) }]
}

function valuesOf({ from, until, actor, action, organizationId, text }: AuditFilter): Value[] {
  const pattern = text === undefined ? null : likePattern(text)
  return [from ?? null, until ?? null, actor ?? null, action ?? null, organizationId ?? null, pattern]
}
