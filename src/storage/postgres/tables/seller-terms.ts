import { TIME_ZONE_DEFAULT } from "../../../domain/people/organization.ts"
import type { TimeZone } from "../../../domain/time/time-zone.ts"
import type { Terms } from "../../port/store.ts"
import type { Access } from "../engine/transaction.ts"

interface Row {
  readonly terms: number
  readonly timeZone: TimeZone | null
  /** Null in the only row where nothing is found. */
  readonly name: string | null
}

/**
 * Looks up what a seller owns under each of the given names, together with the revision. `find` selects rows with a `name` and what is
 * found under it, for the names $1 and the seller $2.
 */
export function sellerTerms<Found extends object>({ read }: Pick<Access, "read">, find: string) {
  // One row at least, whatever is found: it brings the revision and the time zone, all of one moment.
  const text = `SELECT r.terms::double precision AS terms, o.time_zone AS "timeZone", f.*
    FROM revision r LEFT JOIN organization o ON o.id = $2 LEFT JOIN (${find}) f ON true`

  return async (sellerId: number, names: readonly string[]): Promise<Terms<Found>> => {
    const rows = await read((session) => session.rows<Row & Found>(text, [names, sellerId]))
    const [head] = rows
    if (head === undefined) throw new Error("the revision is missing")
    const items = new Map<string | null, Found>()
    for (const { terms, timeZone, name, ...found } of rows) items.set(name, found as unknown as Found)
    return {
      revision: head.terms,
      timeZone: head.timeZone ?? TIME_ZONE_DEFAULT,
      items: names.map((name) => items.get(name)),
    }
  }
}
