import { MICROS_PER_DAY, type Moment } from "../../domain/time/moment.ts"
import type { Work } from "../database.ts"

// Short statements, so that other work never waits for the deletion of many rows.
const ROWS_AT_ONCE = 1_000

const byId = (table: string, moment: string) =>
  `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${moment} < $1 LIMIT ${ROWS_AT_ONCE}) RETURNING 1 AS one`

/** What expires: statements that delete some rows from before $1, and how many days rows are kept. */
const EXPIRIES: readonly (readonly [statement: string, days: number])[] = [
  ["DELETE FROM feed_count WHERE hour = (SELECT min(hour) FROM feed_count WHERE hour < $1) RETURNING 1 AS one", 90],
  ["DELETE FROM refusal WHERE hour < $1 RETURNING 1 AS one", 90],
  [byId("rejected_item", "at"), 90],
  [byId("session", "expires_at"), 0],
  [byId("one_time_link", "expires_at"), 1],
  [byId("invitation", "expires_at"), 30],
  ["DELETE FROM sign_in_failure WHERE last_at < $1 RETURNING 1 AS one", 1],
]

const REJECTED_ITEMS_MAX = 10_000

/** Rejected items beyond the newest of each organization. */
const EXCESS_ITEMS = `DELETE FROM rejected_item WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY organization_id ORDER BY id DESC) AS place FROM rejected_item
    ) AS ranked WHERE place > $1 LIMIT $2
  ) RETURNING 1 AS one`

/** Deletions of what has expired. Each of them deletes some rows and returns their number. */
export function deletionsAt(now: Moment): Work<number>[] {
  const deletion =
    (statement: string, values: readonly number[]): Work<number> =>
    async (tx) =>
      (await tx.rows(statement, values, { one: Number })).length
  return [
    ...EXPIRIES.map(([statement, days]) => deletion(statement, [now - days * MICROS_PER_DAY])),
    deletion(EXCESS_ITEMS, [REJECTED_ITEMS_MAX, ROWS_AT_ONCE]),
  ]
}
