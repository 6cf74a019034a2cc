import { TIME_ZONE_DEFAULT } from "../../../domain/people/organization.ts"
import type { TimeZone } from "../../../domain/time/time-zone.ts"
import type { AnswerBy } from "../../port/answer-by.ts"
import type { Terms } from "../../port/store.ts"
import { type Connection, revisionsOnce } from "../engine/connection.ts"
import { leftUntil } from "../engine/deadline.ts"

// About 300 bytes each. Feeds report the same few thousand lines and codes day after day.
const CACHED_MAX = 20_000

interface Row {
  readonly terms: number
  readonly catalogue: number
  readonly timeZone: TimeZone | null
  readonly name: string | null
}

/**
 * Looks up what a seller owns under each of the given names, and remembers what is found under the revision at which it was read. Names
 * that are not found are not remembered, so that guesses cannot fill the memory. `find` selects rows with a `name` and what is
 * found under it, for the names $1 and the seller $2.
 */
export function sellerTerms<Found extends object>(
  { read, caches }: Pick<Connection, "read" | "caches">,
  find: string,
  foundIn: (row: Row & Found) => Found,
): (sellerId: number, names: readonly string[], answerBy?: AnswerBy) => Promise<Terms<Found>> {
  const timeZones = caches.map<number, TimeZone>(CACHED_MAX)
  const things = caches.map<string, Found>(CACHED_MAX)
  // One row at least, whatever is found: it brings the revisions and the time zone, all of one moment.
  const text = `SELECT r.terms::double precision AS terms, r.catalogue::double precision AS catalogue, o.time_zone AS "timeZone", f.*
    FROM revision r LEFT JOIN organization o ON o.id = $2 LEFT JOIN (${find}) f ON true`

  function remembered(sellerId: number, names: readonly string[]): Terms<Found> | null {
    const timeZone = timeZones.get(sellerId)
    if (timeZone === undefined) return null
    const cached: Found[] = []
    for (const name of names) {
      const thing = things.get(`${sellerId} ${name}`)
      if (thing === undefined) return null
      cached.push(thing)
    }
    return { revision: caches.terms(), timeZone, items: cached }
  }

  async function readTerms(sellerId: number, names: readonly string[], answerBy: AnswerBy): Promise<Terms<Found>> {
    const rows = await read((session) => session.rows<Row & Found>(text, [names, sellerId]), leftUntil(answerBy))
    const [head] = rows
    if (head === undefined) throw new Error("the revision is missing")
    const { terms, catalogue, timeZone } = head
    caches.saw(terms, catalogue)
    if (timeZone !== null) timeZones.set(sellerId, timeZone, terms)
    const items = new Map<string, Found>()
    for (const row of rows) {
      if (row.name === null) continue
      items.set(row.name, foundIn(row))
      things.set(`${sellerId} ${row.name}`, foundIn(row), terms)
    }
    return { revision: terms, timeZone: timeZone ?? TIME_ZONE_DEFAULT, items: names.map((name) => items.get(name)) }
  }

  const revisionsRead = revisionsOnce({ read, caches })

  return async (sellerId, names, answerBy) => {
    // Whoever has a deadline was admitted, which brought the revisions: what is remembered is no older than the request.
    if (answerBy === undefined && !caches.isFresh()) {
      if (remembered(sellerId, names) === null) return readTerms(sellerId, names, answerBy)
      await revisionsRead()
    }
    return remembered(sellerId, names) ?? readTerms(sellerId, names, answerBy)
  }
}
