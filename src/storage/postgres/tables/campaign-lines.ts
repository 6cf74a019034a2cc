// Lines of one campaign, for its pages and downloads. Lines by seller are in package-lines.ts.

import type { LinePosition, ShownLine } from "../../port/store.ts"
import { LINE_SQL } from "../../steps/line-columns.ts"
import { isStorable } from "../../steps/step.ts"
import type { Session, Value } from "../engine/session.ts"

// A campaign may have thousands of lines. Every query reads only the lines that it returns, in index order.

/** All lines of a campaign (null), or those of one seller. */
export interface LinesSeen {
  readonly campaignId: number
  readonly sellerId: number | null
  readonly archived: boolean
}

export const SHOWN = `l.id AS "lineId", l.package_id AS "packageId", ${LINE_SQL.selected},
  l.archived = 1 AS archived,
  o.id AS "sellerId", o.slug AS "sellerSlug", o.name AS "sellerName", o.time_zone AS "timeZone", t.quantity, t.as_of AS "asOf"`
// OFFSET 0: looked up for each line. PostgreSQL might read the whole table instead.
export const JOIN_SELLER_AND_TOTAL = `JOIN organization o ON o.id = l.seller_id
  LEFT JOIN LATERAL (SELECT quantity, as_of FROM delivery_total WHERE line_id = l.id OFFSET 0) t ON true`
const WITH_TOTALS = `${JOIN_SELLER_AND_TOTAL}
  ORDER BY l.flight_start, l.name, l.id`

/** The lines that are seen, of all or of one seller: each has its own index. $1 is the campaign, $2 the seller. */
const ofSeller = ({ sellerId }: Pick<LinesSeen, "sellerId">) =>
  `FROM package_line l WHERE l.campaign_id = $1 AND ${sellerId === null ? "$2::bigint IS NULL" : "l.seller_id = $2::bigint"}`
export const seenBy = (seen: LinesSeen) => `${ofSeller(seen)} AND l.archived = ${seen.archived ? 1 : 0}`
const IN_ORDER = "ORDER BY l.flight_start, l.name, l.id"

// What is joined to a page is joined to its lines only: the limit comes first.
const pageSql = (seen: LinesSeen) => `
  WITH page AS MATERIALIZED (SELECT l.id ${seenBy(seen)} ${IN_ORDER} LIMIT $3 OFFSET $4)
  SELECT ${SHOWN} FROM page CROSS JOIN LATERAL (SELECT * FROM package_line WHERE id = page.id OFFSET 0) l ${WITH_TOTALS}`
const afterSql = (seen: LinesSeen) => `
  WITH l AS MATERIALIZED (
    SELECT l.* ${seenBy(seen)} AND (l.flight_start, l.name, l.id) > ($4, $5, $6) ${IN_ORDER} LIMIT $3)
  SELECT ${SHOWN} FROM l ${WITH_TOTALS}`
const oneSql = (seen: LinesSeen) => `
  WITH l AS MATERIALIZED (SELECT l.* ${ofSeller(seen)} AND l.package_id = $3)
  SELECT ${SHOWN} FROM l ${WITH_TOTALS}`

// Sorts before every possible line.
const START: LinePosition = { flightStart: "", name: "", lineId: 0 }

interface WithTotal {
  readonly quantity: number | null
  readonly asOf: number | null
}

export interface ShownRow extends Omit<ShownLine, "seller" | "total">, WithTotal {
  readonly sellerId: number
  readonly sellerSlug: string
  readonly sellerName: string
  readonly timeZone: string
}

export async function oneLine({ rows }: Session, seen: LinesSeen, packageId: string): Promise<ShownLine[]> {
  if (!isStorable(packageId)) return []
  return (await rows<ShownRow>(oneSql(seen), [...valuesOf(seen), packageId])).map(shown)
}

/** A page of lines. Skipped lines are only read in the index. */
export async function linesFrom(
  { rows }: Session,
  seen: LinesSeen,
  offset: number,
  limit: number,
): Promise<ShownLine[]> {
  return (await rows<ShownRow>(pageSql(seen), [...valuesOf(seen), limit, offset])).map(shown)
}

export async function linesAfter(
  { rows }: Session,
  seen: LinesSeen,
  after: LinePosition | null,
  limit: number,
): Promise<ShownLine[]> {
  const found = await rows<ShownRow>(afterSql(seen), [...valuesOf(seen), limit, ...positionOf(after)])
  return found.map(shown)
}

export function valuesOf({ campaignId, sellerId }: LinesSeen): Value[] {
  return [campaignId, sellerId]
}

function positionOf(after: LinePosition | null): Value[] {
  const { flightStart, name, lineId } = after ?? START
  return [flightStart, name, lineId]
}

export function shown(row: ShownRow): ShownLine {
  const { sellerId: id, sellerSlug: slug, sellerName: name, timeZone, quantity, asOf, ...line } = row
  return { ...line, seller: { id, slug, name, timeZone }, total: totalOf(quantity, asOf) }
}

export function totalOf(quantity: number | null, asOf: number | null): ShownLine["total"] {
  return quantity === null || asOf === null ? null : { quantity, asOf }
}
