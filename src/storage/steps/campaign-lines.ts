import { type SQL, sql } from "drizzle-orm"
import { summaryOf } from "../../domain/campaign/campaign-summary.ts"
import { type LineColumn, lineColumns } from "../../domain/campaign/line-fields.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type {
  CampaignHead,
  FlightDays,
  FlyingLine,
  LineChoice,
  LineScope,
  ListedCampaign,
  ListedLine,
  ShownCampaign,
  ShownLine,
} from "../port/campaigns.ts"
import { all, first, flag, inArray, isStorable, type ReadTx, type Step } from "./step.ts"

// SQL about the columns of a line that its seller fills in, for what each engine writes by hand.

const COLUMNS = lineColumns.map(({ column }) => column)
const WRITTEN = ["campaign_id", "seller_id", ...COLUMNS, "archived"]

export const LINE_SQL = {
  columns: COLUMNS.join(", "),
  /** Of a table named l, by the names that the program has. */
  selected: lineColumns.map(({ column, field }) => `l.${column} AS "${field}"`).join(", "),
  /** The values of an import, where b is the line as it is stored. */
  imported: (given: (column: LineColumn) => string) =>
    lineColumns
      .map((each) => {
        const value = given(each)
        return each.stays ? `CASE WHEN ${value} IS NULL THEN b.${each.column} ELSE nullif(${value}, '') END` : value
      })
      .join(", "),
  /** What an import replaces, and the same as a row. */
  replaced: WRITTEN.map((column) => `${column} = excluded.${column}`).join(", "),
  row: (table: string) => `(${WRITTEN.map((column) => `${table}.${column}`).join(", ")})`,
}

// Campaigns and lines as their sellers and buyers see them. Written by hand: thousands of lines are read for one page, and Drizzle would
// take five times as long for them.

export const campaignLineReads = {
  list: campaignsSeenBy,
  find: findCampaign,
  /** The sums of all lines of the campaign that the organization may see, however many of them a page shows. */
  *summary(tx: ReadTx, organizationId: number, campaign: CampaignHead, scope: LineScope, now: Moment) {
    return summaryOf(yield* listedLines(tx, linesSeenBy(organizationId, campaign, scope)), now)
  },
  /** All lines of a campaign that the organization may see, by the start of the flight, then by name. */
  lines: (tx: ReadTx, organizationId: number, campaign: CampaignHead, scope: LineScope) =>
    shownLines(tx, linesSeenBy(organizationId, campaign, scope)),
  /** The lines of all campaigns of `list` that the organization may see, in any order. Archived lines are left out. */
  *listedLines(tx: ReadTx, organizationId: number, archived = false): Step<ListedLine[]> {
    const sold = yield* listedLines(tx, soldIn(organizationId, archived))
    return [...sold, ...(yield* listedLines(tx, boughtIn(organizationId, archived)))]
  },
  /** Lines that this organization sells on some days. */
  inFlight: (tx: ReadTx, sellerId: number, days: FlightDays) => flyingLines(tx, sellerId, inFlight(days), days.limit),
  /** The same lines, with only what is needed to choose among them, in any order. */
  listedInFlight: (tx: ReadTx, sellerId: number, days: FlightDays) =>
    listedLines(tx, sql`${ofSeller(sellerId)} AND ${inFlight(days)}`, days.limit),
  /** These lines of the seller. */
  flyingLines: (tx: ReadTx, sellerId: number, lineIds: readonly number[]) =>
    flyingLines(tx, sellerId, inArray(sql`l.id`, [...lineIds])),
}

const HEAD = sql.raw(`c.id, c.slug, c.name, c.archived, c.created_at AS "createdAt",
  b.id AS "buyerId", b.slug AS "buyerSlug", b.name AS "buyerName"`)
const SHOWN = sql.raw(`l.id AS "lineId", l.package_id AS "packageId", ${LINE_SQL.selected}, l.archived,
  o.id AS "sellerId", o.slug AS "sellerSlug", o.name AS "sellerName", o.time_zone AS "timeZone", t.quantity, t.as_of AS "asOf"`)
const LISTED = sql.raw(`l.id AS "lineId", l.campaign_id AS "campaignId", o.time_zone AS "timeZone",
  l.pricing_basis AS "pricingBasis", l.flight_start AS "flightStart", l.flight_end AS "flightEnd", l.booked, l.rate, l.currency,
  t.quantity, t.as_of AS "asOf"`)
const LINES = sql.raw(`package_line l JOIN campaign c ON c.id = l.campaign_id JOIN organization o ON o.id = l.seller_id
  LEFT JOIN delivery_total t ON t.line_id = l.id`)
const IN_ORDER = sql.raw("ORDER BY l.flight_start, l.name, l.id")

type HeadRow = Omit<ListedCampaign, "buyer" | "archived"> &
  Readonly<{ archived: number; buyerId: number; buyerSlug: string; buyerName: string }>

function listedCampaign({ id, slug, name, archived, createdAt, buyerId, buyerSlug, buyerName }: HeadRow) {
  const buyer = { id: buyerId, slug: buyerSlug, name: buyerName }
  return { id, slug, name, buyer, archived: archived === 1, createdAt }
}

/**
 * The campaigns that an organization buys or sells lines of, newest first: those that are not archived or, with `archived`, only those
 * that are.
 */
function* campaignsSeenBy({ statement }: ReadTx, organizationId: number, archived = false): Step<ListedCampaign[]> {
  const sold = sql`SELECT campaign_id FROM package_line WHERE seller_id = ${organizationId}`
  const rows = statement<HeadRow>(sql`SELECT ${HEAD} FROM campaign c JOIN organization b ON b.id = c.buyer_id
    WHERE c.archived = ${flag(archived)} AND (c.buyer_id = ${organizationId} OR c.id IN (${sold}))
    ORDER BY c.created_at DESC, c.id DESC`)
  return (yield* all(rows)).map(listedCampaign)
}

/** The campaign with the chosen lines. */
function* findCampaign(
  tx: ReadTx,
  organizationId: number,
  slug: string,
  choice?: LineChoice,
): Step<ShownCampaign | null> {
  if (!isStorable(slug)) return null
  const sells = (compared: SQL) =>
    sql`EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = c.id AND l.seller_id ${compared} ${organizationId})`
  // Two looks into an index, however many lines there are.
  const others = sql`${sells(sql`<`)} OR ${sells(sql`>`)}`
  const row = yield* first(
    tx.statement<HeadRow & { ofOwn: number; ofOthers: number }>(sql`SELECT ${HEAD},
        CASE WHEN ${sells(sql`=`)} THEN 1 ELSE 0 END AS "ofOwn", CASE WHEN ${others} THEN 1 ELSE 0 END AS "ofOthers"
      FROM campaign c JOIN organization b ON b.id = c.buyer_id WHERE c.slug = ${slug}`),
  )
  if (row === undefined || (row.ofOwn === 0 && row.buyerId !== organizationId)) return null
  const { createdAt: _, ...head } = listedCampaign(row)
  const own = { sells: row.ofOwn === 1, isSoleSeller: row.ofOwn === 1 && row.ofOthers === 0 }
  return { ...head, ...own, lines: yield* chosenLines(tx, organizationId, head, choice) }
}

function* chosenLines(
  tx: ReadTx,
  organizationId: number,
  head: CampaignHead,
  choice: LineChoice | undefined,
): Step<ShownLine[]> {
  if (choice === undefined) return []
  if (!("packageId" in choice)) return yield* shownLines(tx, linesSeenBy(organizationId, head, choice), choice)
  const { packageId } = choice
  if (!isStorable(packageId)) return []
  return yield* shownLines(tx, sql`${ofCampaign(organizationId, head, {})} AND l.package_id = ${packageId}`)
}

/** The buyer of a campaign sees all of its lines, everybody else only their own. */
function ofCampaign(organizationId: number, { id, buyer }: CampaignHead, { sold = false }: LineScope): SQL {
  const seesAll = buyer.id === organizationId && !sold
  return seesAll ? sql`l.campaign_id = ${id}` : sql`l.campaign_id = ${id} AND l.seller_id = ${organizationId}`
}

function linesSeenBy(organizationId: number, campaign: CampaignHead, scope: LineScope): SQL {
  return sql`${ofCampaign(organizationId, campaign, scope)} AND l.archived = ${flag(scope.archived ?? false)}`
}

const soldIn = (organizationId: number, archived: boolean) =>
  sql`l.seller_id = ${organizationId} AND l.archived = 0 AND c.archived = ${flag(archived)}`

const boughtIn = (organizationId: number, archived: boolean) =>
  sql`c.buyer_id = ${organizationId} AND l.seller_id <> ${organizationId} AND l.archived = 0 AND c.archived = ${flag(archived)}`

const ofSeller = (sellerId: number) => sql`l.seller_id = ${sellerId} AND l.archived = 0 AND c.archived = 0`

const inFlight = ({ from, to }: FlightDays) =>
  sql`l.flight_start <= ${to} AND (l.flight_end >= ${from} OR l.flight_end IS NULL)`

interface WithTotal {
  readonly quantity: number | null
  readonly asOf: number | null
}

type ShownRow = Omit<ShownLine, "seller" | "total" | "archived"> &
  WithTotal &
  Readonly<{ archived: number; sellerId: number; sellerSlug: string; sellerName: string; timeZone: string }>

function* shownLines({ statement }: ReadTx, which: SQL, page?: { offset: number; limit: number }): Step<ShownLine[]> {
  const part = page === undefined ? sql`` : sql`LIMIT ${page.limit} OFFSET ${page.offset}`
  const rows = statement<ShownRow>(sql`SELECT ${SHOWN} FROM ${LINES} WHERE ${which} ${IN_ORDER} ${part}`)
  return (yield* all(rows)).map(shownLine)
}

function shownLine(row: ShownRow): ShownLine {
  const { sellerId: id, sellerSlug: slug, sellerName: name, timeZone, quantity, asOf, archived, ...line } = row
  const seller = { id, slug, name, timeZone }
  return { ...line, archived: archived === 1, seller, total: totalOf(quantity, asOf) }
}

type ListedRow = Omit<ListedLine, "total" | "seller"> & WithTotal & { readonly timeZone: string }

/** In any order. */
function* listedLines({ statement }: ReadTx, which: SQL, limit?: number): Step<ListedLine[]> {
  // The same part each time, or a count of it would change from page to page.
  const part = limit === undefined ? sql`` : sql`ORDER BY l.id LIMIT ${limit}`
  const rows = yield* all(statement<ListedRow>(sql`SELECT ${LISTED} FROM ${LINES} WHERE ${which} ${part}`))
  return rows.map(({ timeZone, quantity, asOf, ...line }) => ({
    ...line,
    seller: { timeZone },
    total: totalOf(quantity, asOf),
  }))
}

type FlyingRow = ShownRow &
  Readonly<{ campaignSlug: string; campaignName: string; buyerSlug: string; buyerName: string }>

/** Of campaigns and lines that are not archived, by the end of the flight, those without an end last. */
function* flyingLines({ statement }: ReadTx, sellerId: number, which: SQL, limit?: number): Step<FlyingLine[]> {
  const rows = statement<FlyingRow>(sql`SELECT ${SHOWN}, c.slug AS "campaignSlug", c.name AS "campaignName",
      b.slug AS "buyerSlug", b.name AS "buyerName" FROM ${LINES} JOIN organization b ON b.id = c.buyer_id
    WHERE ${ofSeller(sellerId)} AND ${which} ORDER BY l.flight_end IS NULL, l.flight_end, l.id
    ${limit === undefined ? sql`` : sql`LIMIT ${limit}`}`)
  return (yield* all(rows)).map(({ campaignSlug, campaignName, buyerSlug, buyerName, ...line }) => ({
    ...shownLine(line),
    campaign: { slug: campaignSlug, name: campaignName, buyer: { slug: buyerSlug, name: buyerName } },
  }))
}

export function totalOf(quantity: number | null, asOf: number | null): ShownLine["total"] {
  return quantity === null || asOf === null ? null : { quantity, asOf }
}
