import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx } from "../database.ts"

/** The latest moment that is stored anywhere in a log. Null in an empty database. */
export async function latestMoment(read: ReadTx): Promise<Moment | null> {
  const [row] = await read.rows(LATEST, [], { latest: (value) => (value === null ? null : Number(value)) })
  return row?.latest ?? null
}

const LATEST = `SELECT max(latest) AS latest FROM (
    SELECT max(as_of) AS latest FROM delivery_total
    UNION ALL SELECT max(at) FROM feed_last_request
    UNION ALL SELECT max(at) FROM audit_entry
  ) AS logs`
