import { CALL_RESULT } from "../../steps/behind/call-rows.ts"
import { spanSql } from "../engine/search-backwards.ts"

// Every statement of the call log. Each finds its rows by an index or in primary key order, which a test checks: the log may have a
// million rows, and nothing else runs meanwhile.

const COLUMNS = `c.id, c.at, c.agent_key_id AS agentKeyId, k.label AS agentKey, c.address, c.method, c.tool, c.arguments,
  c.outcome, c.duration_micros AS durationMicros, c.demand`
const CALLS = `SELECT ${COLUMNS} FROM agent_call c LEFT JOIN agent_key k ON k.id = c.agent_key_id`

export const CALL_LOG_SQL = {
  after: `${CALLS} WHERE c.id > ?1 ORDER BY c.id LIMIT ?2`,

  /** The calls of a filter among those with ids from ?1 up to, not including, ?2. Filters that are not set are null. */
  search: `${CALLS} WHERE c.id >= ?1 AND c.id < ?2
    AND (?3 IS NULL OR c.at >= ?3)
    AND (?4 IS NULL OR c.at < ?4)
    AND (?5 IS NULL OR c.tool = ?5)
    AND (?6 IS NULL OR c.outcome = ?6)
    AND (?7 IS NULL OR coalesce(c.agent_key_id, 'anonymous') = ?7)
    AND (?8 IS NULL OR c.arguments LIKE ?8 ESCAPE '\\')
    AND (?9 IS NULL OR ${CALL_RESULT} = ?9)
    ORDER BY c.id DESC LIMIT ?10`,

  /** How many bytes a search reads between two ids. */
  bytesBetween: "SELECT coalesce(sum(octet_length(arguments)), 0) AS bytes FROM agent_call WHERE id >= ?1 AND id < ?2",

  ...spanSql("agent_call"),

  filterOptions: "SELECT DISTINCT tool, outcome FROM (SELECT tool, outcome FROM agent_call ORDER BY id DESC LIMIT ?1)",

  /** Refused calls have nothing of which demand could be understood; nor have some completed ones, which do not count. */
  demand: `SELECT id, at, agent_key_id AS agentKeyId, demand FROM agent_call
    WHERE at >= ?1 AND (at > ?1 OR id > ?2) AND tool = 'get_products' AND (demand IS NOT NULL OR outcome <> 'completed')
    ORDER BY at, id LIMIT ?3`,

  size: "SELECT rows, bytes FROM agent_call_size WHERE id = 1",
  /** Adds the calls after ?1 to the size and returns the new size. */
  grow: `INSERT INTO agent_call_size (id, rows, bytes)
    SELECT 1, count(*), coalesce(sum(bytes), 0) FROM agent_call WHERE id > ?1
    ON CONFLICT (id) DO UPDATE SET rows = rows + excluded.rows, bytes = bytes + excluded.bytes
    RETURNING rows, bytes`,
  shrink: "UPDATE agent_call_size SET rows = max(0, rows - ?1), bytes = max(0, bytes - ?2) WHERE id = 1",

  oldestSizes: "SELECT bytes FROM agent_call ORDER BY id LIMIT ?1",
  pruneOldest: "DELETE FROM agent_call WHERE id IN (SELECT id FROM agent_call ORDER BY id LIMIT ?1)",
  sizesBefore: "SELECT bytes FROM agent_call WHERE at < ?1 ORDER BY at LIMIT ?2",
  pruneBefore: "DELETE FROM agent_call WHERE id IN (SELECT id FROM agent_call WHERE at < ?1 ORDER BY at LIMIT ?2)",
}

export function insertCalls(rows: string): string {
  return `INSERT INTO agent_call (at, agent_key_id, address, method, tool, arguments, outcome, duration_micros,
    demand) VALUES ${rows}`
}
