import { CALL_RESULT } from "../../steps/behind/call-rows.ts"

// Every statement of the call log. Each finds its rows by an index or in primary key order: the log may have a million rows.

// Ids do not follow time exactly: a call waits for the next commit of its replica, and a slow call is written when it ends.
const WRITTEN_LATE_MAX = 60_000_000

const COLUMNS = `c.id, c.at, c.agent_key_id AS "agentKeyId", k.label AS "agentKey", c.address, c.method, c.tool, c.arguments,
  c.outcome, c.duration_micros AS "durationMicros", c.demand`

export const CALL_LOG_SQL = {
  after: `SELECT ${COLUMNS} FROM agent_call c LEFT JOIN agent_key k ON k.id = c.agent_key_id
    WHERE c.id > $1 ORDER BY c.id LIMIT $2`,

  /**
   * The first and last id of the calls from $1 until $2, each of which may be null. Ids grow with time except for calls that are
   * written late, so they are found near both ends of the span, by the index on the time.
   */
  span: `SELECT
    CASE WHEN $1::bigint IS NULL THEN 0 ELSE (SELECT min(id) FROM agent_call
      WHERE at >= $1 AND at <= (SELECT min(at) FROM agent_call WHERE at >= $1) + ${WRITTEN_LATE_MAX}) END AS first,
    CASE WHEN $2::bigint IS NULL THEN (SELECT max(id) FROM agent_call) ELSE (SELECT max(id) FROM agent_call
      WHERE at < $2 AND at >= (SELECT max(at) FROM agent_call WHERE at < $2) - ${WRITTEN_LATE_MAX}) END AS last`,

  /**
   * One step of a search: looks through the $11 newest calls with ids from $1 up to, not including, $2, for those that match. What
   * is not asked for is null. The step itself is described beside every match, or alone where nothing matches.
   */
  search: `
    WITH looked AS (
      SELECT * FROM agent_call WHERE id >= $1 AND id < $2 ORDER BY id DESC LIMIT $11
    ), matching AS (
      SELECT * FROM looked
      WHERE ($3::bigint IS NULL OR at >= $3)
        AND ($4::bigint IS NULL OR at < $4)
        AND ($5::text IS NULL OR tool = $5)
        AND ($6::text IS NULL OR outcome = $6)
        AND ($7::text IS NULL OR coalesce(agent_key_id, 'anonymous') = $7)
        AND ($8::text IS NULL OR arguments ILIKE $8)
        AND ($9::text IS NULL OR ${CALL_RESULT} = $9)
      ORDER BY id DESC LIMIT $10
    )
    SELECT ${COLUMNS}, l.looked, l.lowest, l.bytes
    FROM (SELECT count(*) AS looked, min(id) AS lowest, coalesce(sum(bytes), 0)::bigint AS bytes FROM looked) l
    LEFT JOIN matching c ON true
    LEFT JOIN agent_key k ON k.id = c.agent_key_id
    ORDER BY c.id DESC`,

  filterOptions:
    "SELECT DISTINCT tool, outcome FROM (SELECT tool, outcome FROM agent_call ORDER BY id DESC LIMIT $1) AS newest",

  /** Refused calls have nothing of which demand could be understood; nor have some completed ones, which do not count. */
  demand: `SELECT id, at, agent_key_id AS "agentKeyId", demand FROM agent_call
    WHERE at >= $1 AND (at > $1 OR id > $2) AND tool = 'get_products' AND (demand IS NOT NULL OR outcome <> 'completed')
    ORDER BY at, id LIMIT $3`,

  size: "SELECT rows, bytes FROM agent_call_size WHERE id = 1",
  /**
   * Whoever adds or removes calls takes this lock first and holds it until the commit. So the ids, which are handed out under it,
   * become visible in order: who has seen a call has seen all calls with smaller ids, and can go on from there.
   */
  lockSize: "SELECT rows, bytes FROM agent_call_size WHERE id = 1 FOR UPDATE",
  /** Adds calls in the order of the arrays, and returns the new size. */
  add: `
    WITH added AS (
      INSERT INTO agent_call (at, agent_key_id, address, method, tool, arguments, outcome, duration_micros, demand)
      SELECT at, agent_key_id, address, method, tool, arguments, outcome, duration_micros, demand
      FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
        $9::text[]) WITH ORDINALITY
        AS c (at, agent_key_id, address, method, tool, arguments, outcome, duration_micros, demand, place)
      ORDER BY place
      RETURNING bytes
    ), sum AS (SELECT count(*) AS rows, coalesce(sum(bytes), 0)::bigint AS bytes FROM added)
    UPDATE agent_call_size AS s SET rows = s.rows + sum.rows, bytes = s.bytes + sum.bytes FROM sum WHERE s.id = 1
    RETURNING s.rows, s.bytes`,

  oldest: "SELECT id, bytes FROM agent_call ORDER BY id LIMIT $1",
  oldestBefore: "SELECT id, bytes FROM agent_call WHERE at < $1 ORDER BY at, id LIMIT $2",
  remove: `
    WITH removed AS (DELETE FROM agent_call WHERE id = ANY($1::bigint[]) RETURNING bytes),
      sum AS (SELECT count(*) AS rows, coalesce(sum(bytes), 0)::bigint AS bytes FROM removed)
    UPDATE agent_call_size AS s SET rows = greatest(0, s.rows - sum.rows), bytes = greatest(0, s.bytes - sum.bytes)
    FROM sum WHERE s.id = 1`,
}
