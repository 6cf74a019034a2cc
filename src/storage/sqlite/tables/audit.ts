import type { AuditFilter, AuditReads, ListedAuditEntry } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { likePattern, searchBackwards, spanOf, spanSql } from "../engine/search-backwards.ts"

export const AUDIT_SQL = {
  /** The entries of a filter among those with ids from ?1 up to, not including, ?2. Filters that are not set are null. */
  list: `SELECT e.id, e.at, e.actor, e.action, e.subject, e.organization_id AS organizationId, e.details,
      u.email, o.slug AS organization
    FROM audit_entry e
    LEFT JOIN user u ON u.id = iif(e.actor GLOB 'user:*', CAST(substr(e.actor, 6) AS INTEGER), NULL)
    LEFT JOIN organization o ON o.id = e.organization_id
    WHERE e.id >= ?1 AND e.id < ?2
      AND (?3 IS NULL OR e.at >= ?3)
      AND (?4 IS NULL OR e.at < ?4)
      AND (?5 IS NULL OR e.actor = ?5)
      AND (?6 IS NULL OR e.action = ?6)
      AND (?7 IS NULL OR e.organization_id = ?7)
      AND (?8 IS NULL OR e.subject LIKE ?8 ESCAPE '\\' OR e.details LIKE ?8 ESCAPE '\\')
    ORDER BY e.id DESC LIMIT ?9`,
  ...spanSql("audit_entry"),
  /** Jumps from one action to the next by the index, however many entries each has. */
  actions: `WITH RECURSIVE known(action) AS (
      SELECT min(action) FROM audit_entry
      UNION ALL SELECT (SELECT min(action) FROM audit_entry WHERE action > known.action) FROM known WHERE action IS NOT NULL
    ) SELECT action FROM known WHERE action IS NOT NULL`,
}

// A page searches at most this many entries; the next page continues from there.
const LOOKED_THROUGH_MAX = 60_000

type Value = string | number | null
type Row = Omit<ListedAuditEntry, "details"> & { readonly details: string | null }

export function auditReads({ database }: Connection): AuditReads {
  const entries = database.query<Row, Value[]>(AUDIT_SQL.list)
  const actions = database.query<{ action: string }, []>(AUDIT_SQL.actions)
  return {
    async list(filter, page) {
      const values = valuesOf(filter)
      const { rows, before } = await searchBackwards(spanOf(database, AUDIT_SQL, filter), page, {
        find: (low, high, limit) => entries.all(low, high, ...values, limit),
        isEnough: (looked) => looked >= LOOKED_THROUGH_MAX,
      })
      const readDetails = (row: Row) => ({ ...row, details: row.details === null ? null : JSON.parse(row.details) })
      return { entries: rows.map(readDetails), before }
    },
    actions: async () => actions.all().map(({ action }) => action),
  }
}

function valuesOf({ from, until, actor, action, organizationId, text }: AuditFilter): Value[] {
  const pattern = text === undefined ? null : likePattern(text)
  return [from ?? null, until ?? null, actor ?? null, action ?? null, organizationId ?? null, pattern]
}
