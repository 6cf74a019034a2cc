// Lines of one campaign, for its pages and downloads. Lines by seller are in package-lines.ts.

import type { Database } from "bun:sqlite"
import { memoize } from "../../../domain/memoize.ts"
import type { LinePosition, ShownLine } from "../../port/store.ts"
import { LINE_SQL } from "../../steps/line-columns.ts"
import type { Connection } from "../engine/connection.ts"

// A campaign may have thousands of lines. Every query reads only the lines that it returns, in index order, and without Drizzle, which
// would take five times as long while reports wait.

/** All lines of a campaign (null), or those of one seller. */
export interface LinesSeen {
  readonly campaignId: number
  readonly sellerId: number | null
  readonly archived: boolean
}

export const SHOWN = `l.id AS lineId, l.seller_id AS sellerId, l.package_id AS packageId, ${LINE_SQL.selected},
  l.archived,
  t.quantity, t.as_of AS asOf`
const WITH_TOTALS = "FROM package_line l LEFT JOIN delivery_total t ON t.line_id = l.id"
export const IN_ORDER = "ORDER BY l.flight_start, l.name, l.id LIMIT $limit"
export const AFTER = "AND (l.flight_start, l.name, l.id) > ($flightStart, $name, $lineId)"
const SELLER = "SELECT id, slug, name, time_zone AS timeZone FROM organization WHERE id = ?1"

// Sorts before every possible line.
const START: LinePosition = { flightStart: "", name: "", lineId: 0 }

export interface ShownRow extends Omit<ShownLine, "seller" | "total" | "archived"> {
  readonly archived: number
  readonly sellerId: number
  readonly quantity: number | null
  readonly asOf: number | null
}

type Seller = ShownLine["seller"]
type Values = Record<string, number | string>

export function campaignLines({ database }: Connection) {
  const ids = linesQuery<{ id: number }>(database, "SELECT l.id FROM package_line l", `${IN_ORDER} OFFSET $offset`)
  const shownAfter = linesQuery<ShownRow>(database, `SELECT ${SHOWN} ${WITH_TOTALS}`, `${AFTER} ${IN_ORDER}`)
  const byId = database.query<ShownRow, [number]>(`SELECT ${SHOWN} ${WITH_TOTALS} WHERE l.id = ?1`)
  const byPackage = database.query<ShownRow, [string, number]>(
    `SELECT ${SHOWN} ${WITH_TOTALS} WHERE l.package_id = ?1 AND l.campaign_id = ?2`,
  )
  const seller = database.query<Seller, [number]>(SELLER)

  /** Reads each seller once. Create a new one for each query, so that no old name is used. */
  const sellers = () =>
    memoize(Number.POSITIVE_INFINITY, (id: number): Seller => {
      const found = seller.get(id)
      if (found === null) throw new Error("a line has no seller")
      return found
    })

  function shown(rows: readonly ShownRow[]): ShownLine[] {
    const sellerOf = sellers()
    return rows.map(({ sellerId, quantity, asOf, archived, ...line }) => ({
      ...line,
      archived: archived === 1,
      seller: sellerOf(sellerId),
      total: totalOf(quantity, asOf),
    }))
  }

  return {
    shown,
    one({ campaignId, sellerId }: Omit<LinesSeen, "archived">, packageId: string): ShownLine[] {
      const found = byPackage.get(packageId, campaignId)
      return found === null || (sellerId !== null && found.sellerId !== sellerId) ? [] : shown([found])
    },
    /** A page of lines. Skipped lines are only read in the index. */
    from(seen: LinesSeen, offset: number, limit: number): ShownLine[] {
      const { statement, values } = ids(seen)
      return shown(statement.all({ ...values, offset, limit }).flatMap(({ id }) => byId.get(id) ?? []))
    },
    after(seen: LinesSeen, after: LinePosition | null, limit: number): ShownLine[] {
      const { statement, values } = shownAfter(seen)
      return shown(statement.all({ ...values, ...positionOf(after), limit }))
    },
  }
}

/** The same query for all lines of a campaign and for those of one seller. Each has its own index. */
export function linesQuery<Row>(database: Database, select: string, rest: string) {
  const all = database.query<Row, [Values]>(
    `${select} WHERE l.campaign_id = $campaignId AND l.archived = $archived ${rest}`,
  )
  const sellers = database.query<Row, [Values]>(
    `${select} WHERE l.campaign_id = $campaignId AND l.seller_id = $sellerId AND l.archived = $archived ${rest}`,
  )
  return ({ campaignId, sellerId, archived: isArchived }: LinesSeen) => {
    const archived = Number(isArchived)
    return sellerId === null
      ? { statement: all, values: { campaignId, archived } }
      : { statement: sellers, values: { campaignId, sellerId, archived } }
  }
}

export function positionOf(after: LinePosition | null): Values {
  const { flightStart, name, lineId } = after ?? START
  return { flightStart, name, lineId }
}

export function totalOf(quantity: number | null, asOf: number | null): ShownLine["total"] {
  return quantity === null || asOf === null ? null : { quantity, asOf }
}
