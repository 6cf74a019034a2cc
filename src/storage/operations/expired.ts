import { MICROS_PER_DAY, type Moment } from "../../domain/time/moment.ts"
import type { Tx } from "../database.ts"

/** Rows that expire after a while. */
interface Expiry {
  /** Deletes some rows from before $1, and returns one row for each of them. */
  readonly statement: string
  readonly days: number
}

// Short statements, so that other work never waits for the deletion of many rows.
const ROWS_AT_ONCE = 1_000

const byId = (table: string, moment: string) =>
  `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${moment} < $1 LIMIT ${ROWS_AT_ONCE}) RETURNING 1 AS one`

/** Everything that expires, with the number of days after its moment. */
export const EXPIRIES: readonly Expiry[] = [
  {
    statement:
      "DELETE FROM feed_count WHERE hour = (SELECT min(hour) FROM feed_count WHERE hour < $1) RETURNING 1 AS one",
    days: 90,
  },
  { statement: "DELETE FROM refusal WHERE hour < $1 RETURNING 1 AS one", days: 90 },
  { statement: byId("rejected_item", "at"), days: 90 },
  { statement: byId("session", "expires_at"), days: 0 },
  { statement: byId("one_time_link", "expires_at"), days: 1 },
  { statement: byId("invitation", "expires_at"), days: 30 },
  { statement: "DELETE FROM sign_in_failure WHERE last_at < $1 RETURNING 1 AS one", days: 1 },
]

/** Deletes some of the rows that have expired, and returns their number. */
export async function deleteSome(tx: Tx, { statement, days }: Expiry, now: Moment): Promise<number> {
  return (await tx.rows(statement, [now - days * MICROS_PER_DAY], { one: Number })).length
}

const REJECTED_ITEMS_MAX = 10_000

/** Deletes some rejected items beyond the newest 10,000 of each organization, and returns their number. */
export async function deleteExcessItems(tx: Tx): Promise<number> {
  return (await tx.rows(EXCESS_ITEMS, [REJECTED_ITEMS_MAX, ROWS_AT_ONCE], { one: Number })).length
}

const EXCESS_ITEMS = `DELETE FROM rejected_item WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY organization_id ORDER BY id DESC) AS place FROM rejected_item
    ) AS ranked WHERE place > $1 LIMIT $2
  ) RETURNING 1 AS one`
