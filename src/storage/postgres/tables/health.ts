import type { Moment } from "../../../domain/time/moment.ts"
import type { Health } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import type { WatchedAccess } from "../engine/failing-writes.ts"
import { SCHEMA, SCHEMA_VERSION } from "../engine/migrate.ts"
import { factsOf, integrityProblems } from "./server-state.ts"

// A total is right when it is one of the reports with the newest as_of of its line.
const UNEXPLAINED_TOTALS = `
  WITH newest AS (SELECT line_id, max(as_of) AS as_of FROM delivery_report GROUP BY line_id)
  SELECT count(*) AS count FROM newest n FULL JOIN delivery_total t ON t.line_id = n.line_id
  WHERE n.as_of IS DISTINCT FROM t.as_of OR NOT EXISTS (
    SELECT 1 FROM delivery_report r WHERE r.as_of = t.as_of AND r.line_id = t.line_id AND r.quantity = t.quantity)`

const LATEST_TIMESTAMP = `
  SELECT max(at) AS latest FROM (
    SELECT max(r.received_at) AS at FROM delivery_total t
    JOIN delivery_report r ON r.as_of = t.last_as_of AND r.line_id = t.line_id AND r.quantity = t.last_quantity
    UNION ALL SELECT max(updated_at) FROM affiliate_code
    UNION ALL SELECT max(updated_at) FROM affiliate_metric
    UNION ALL SELECT max(at) FROM audit_entry
  ) AS latest_of_each`

// Any small write will do, to see whether writing works.
const TRY_WRITING = `
  INSERT INTO setting AS s (name, value) VALUES ('writes_tried', '1')
  ON CONFLICT (name) DO UPDATE SET value = s.value::bigint + 1`

// Checks that look at every row.
const LONG = { withinMs: 10 * 60_000 }

/** `version` is the server's, as it tells it. */
export function health(
  { read, change, pools }: Connection,
  { isFailing }: Pick<WatchedAccess, "isFailing">,
  version: string,
): Health {
  async function one<Row>(statement: string, limits = {}): Promise<Row | undefined> {
    const [found] = await read(({ rows }) => rows<Row>(statement), limits)
    return found
  }

  return {
    async ping() {
      const state = await one<{ standby: boolean }>("SELECT pg_is_in_recovery() AS standby")
      if (state?.standby === true) throw new Error("it takes no writes: it is a standby")
      // While writes fail callers stay away, so that only a write of our own can tell when the server takes them again.
      if (isFailing()) await this.tryWriting()
    },
    tryWriting: () => change(async ({ rows }) => void (await rows(TRY_WRITING)), { moves: "nothing" }),
    integrity: () => read(integrityProblems, LONG),
    async unexplainedTotals() {
      return (await one<{ count: number }>(UNEXPLAINED_TOTALS, LONG))?.count ?? 0
    },
    async latestTimestamp() {
      return (await one<{ latest: Moment | null }>(LATEST_TIMESTAMP, LONG))?.latest ?? null
    },
    async schema() {
      const found = await one<{ version: number; expected: number; fits: boolean }>(SCHEMA)
      return found ?? { version: 0, expected: SCHEMA_VERSION, fits: false }
    },
    async sizeBytes() {
      return (await one<{ bytes: number }>("SELECT pg_database_size(current_database()) AS bytes"))?.bytes ?? 0
    },
    facts: () => read((session) => factsOf(session, pools.size)),
    engine: `PostgreSQL ${version}`,
  }
}
