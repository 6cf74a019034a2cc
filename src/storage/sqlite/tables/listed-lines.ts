// Lines with only what lists choose, sum and sort by. Thousands of them are read for one page.

import { nextTurn } from "../../../domain/event-loop.ts"
import { memoize } from "../../../domain/memoize.ts"
import type { FlightRange, LinePosition, ListedLine } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { AFTER, IN_ORDER, type LinesSeen, linesQuery, positionOf, totalOf } from "./campaign-lines.ts"

// Texts as one: handing a text over from SQLite takes longer than finding the line, and few lines differ in these.
const TERMS = `substr(l.pricing_basis, 1, 1) || l.flight_start || ifnull(l.flight_end, '') || ' ' || ifnull(l.currency, '')`
const COLUMNS = `l.id, l.campaign_id, l.seller_id, ${TERMS}, l.booked, l.rate, t.quantity, t.as_of`
const LISTED = `SELECT ${COLUMNS} FROM package_line l`
// One campaign may have thousands of lines, and others are served between these parts.
const LINES_AT_ONCE = 1_000
const WITH_TOTALS = "LEFT JOIN delivery_total t ON t.line_id = l.id"
// The name, too: it is part of the place at which the next part begins.
const OF_CAMPAIGN = `SELECT ${COLUMNS}, l.name, l.flight_start FROM package_line l ${WITH_TOTALS}`
// In the order in which lines and totals are stored, which takes a third of the time. The plus keeps SQLite from choosing the index of
// what is running, which has another order.
const SOLD = `${LISTED} ${WITH_TOTALS} WHERE l.seller_id = $sellerId AND +l.archived = 0 AND l.id > $after
  ORDER BY l.id LIMIT $limit`
// CROSS JOIN: in this order. The lines come from their index, the rest is looked up for each of them.
const IN_FLIGHT = `${LISTED} CROSS JOIN campaign c ON c.id = l.campaign_id ${WITH_TOTALS}
  WHERE l.seller_id = $sellerId AND l.archived = 0 AND c.archived = 0 AND l.flight_start <= $to`
const ENDING = `${IN_FLIGHT} AND (l.flight_end, l.id) > ($flightEnd, $lineId)
  ORDER BY l.flight_end, l.id LIMIT $limit`
const ENDLESS = `${IN_FLIGHT} AND l.flight_end IS NULL AND l.id > $lineId ORDER BY l.id LIMIT $limit`
const TIME_ZONE = "SELECT time_zone AS timeZone FROM organization WHERE id = ?1"

type Row = [
  lineId: number,
  campaignId: number,
  sellerId: number,
  terms: string,
  booked: number | null,
  rate: number | null,
  quantity: number | null,
  asOf: number | null,
  name?: string,
  flightStart?: string,
]

type Terms = Pick<ListedLine, "pricingBasis" | "flightStart" | "flightEnd" | "currency">

const BASIS_OF: Readonly<Record<string, Terms["pricingBasis"]>> = { i: "impressions", d: "downloads", f: "flat_rate" }
const DATE_CHARACTERS = "2026-12-31".length
const TERMS_KEPT = 10_000

const termsOf = memoize(TERMS_KEPT, (text: string): Terms => {
  const [dates = "", currency = ""] = text.slice(1).split(" ")
  const flightEnd = dates.slice(DATE_CHARACTERS)
  return {
    pricingBasis: BASIS_OF[text.charAt(0)] ?? "flat_rate",
    flightStart: dates.slice(0, DATE_CHARACTERS),
    flightEnd: flightEnd === "" ? null : flightEnd,
    currency: currency === "" ? null : currency,
  }
})

type Values = Record<string, number | string>

export function listedLines({ database, reading }: Connection) {
  const ofCampaign = linesQuery<unknown>(database, OF_CAMPAIGN, `${AFTER} ${IN_ORDER}`)
  const sold = database.query<unknown, [Values]>(SOLD)
  const ending = database.query<unknown, [Values]>(ENDING)
  const endless = database.query<unknown, [Values]>(ENDLESS)
  const seller = database.query<ListedLine["seller"], [number]>(TIME_ZONE)

  function listed(rows: readonly Row[]): ListedLine[] {
    // New for each query, so that no old time zone is used.
    const sellerOf = memoize(Number.POSITIVE_INFINITY, (id: number) => {
      const found = seller.get(id)
      if (found === null) throw new Error("a line has no seller")
      return found
    })
    return rows.map((row) => {
      const { pricingBasis, flightStart, flightEnd, currency } = termsOf(row[3])
      return {
        lineId: row[0],
        campaignId: row[1],
        seller: sellerOf(row[2]),
        pricingBasis,
        flightStart,
        flightEnd,
        booked: row[4],
        rate: row[5],
        currency,
        total: totalOf(row[6], row[7]),
      }
    })
  }

  return {
    /** Others are served in between: one campaign may have thousands of lines. */
    async ofCampaigns(campaigns: readonly LinesSeen[]): Promise<ListedLine[]> {
      const found: ListedLine[] = []
      let unbroken = 0
      for (const seen of campaigns) {
        const { statement, values } = ofCampaign(seen)
        let after: LinePosition | null | undefined = null
        while (after !== undefined) {
          reading.join()
          const rows = statement.values({ ...values, ...positionOf(after), limit: LINES_AT_ONCE }) as Row[]
          found.push(...listed(rows))
          after = rows.length < LINES_AT_ONCE ? undefined : placeOf(rows.at(-1))
          unbroken += rows.length
          if (unbroken >= LINES_AT_ONCE) {
            await nextTurn()
            unbroken = 0
          }
        }
      }
      return found
    },
    sold: (sellerId: number, after: number | null, limit: number): ListedLine[] =>
      listed(sold.values({ sellerId, after: after ?? 0, limit }) as Row[]),
    inFlight: (sellerId: number, range: FlightRange): ListedLine[] => listed(flying(sellerId, range)),
  }

  function flying(sellerId: number, { from, to, after, limit }: FlightRange): Row[] {
    const { flightEnd, lineId } = after ?? { flightEnd: from, lineId: 0 }
    const rows = flightEnd === null ? [] : (ending.values({ sellerId, to, limit, flightEnd, lineId }) as Row[])
    const left = limit - rows.length
    if (left > 0) {
      const start = flightEnd === null ? lineId : 0
      rows.push(...(endless.values({ sellerId, to, limit: left, lineId: start }) as Row[]))
    }
    return rows
  }
}

function placeOf(row: Row | undefined): LinePosition | undefined {
  return row && { lineId: row[0], name: row[8] ?? "", flightStart: row[9] ?? "" }
}
