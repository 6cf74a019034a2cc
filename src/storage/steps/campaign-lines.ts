import { type SQL, sql } from "drizzle-orm"
import { type LineColumn, lineColumns } from "../../domain/campaign/line-fields.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import type {
  CampaignHead,
  FlightDays,
  FlyingLine,
  LineChoice,
  LineScope,
  ListedCampaign,
  ListedLine,
  ShownLine,
} from "../port/campaigns.ts"
import { all, first, flag, inArray, type ReadTx, type Step } from "./step.ts"

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
  /** How many lines of the campaign the organization may see. */
  *count({ statement }: ReadTx, organizationId: number, campaign: CampaignHead, scope: LineScope): Step<number> {
    const which = linesSeenBy(organizationId, campaign, scope)
    const counted = statement<{ lines: number }>(sql`SELECT count(*) AS lines FROM package_line l WHERE ${which}`)
    return (yield* first(counted))?.lines ?? 0
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
    listedLines(tx, sql`${ofSeller(sellerId, days.withArchived)} AND ${inFlight(days)}`, days.limit),
  flyingLines: (tx: ReadTx, sellerId: number, lineIds: readonly number[]) =>
    flyingLines(tx, sellerId, inArray(sql`l.id`, [...lineIds])),
  lineNames,
  /** The names of those who sell in each of these campaigns, by its id. */
  *sellersIn(tx: ReadTx, campaignIds: readonly number[]): Step<Map<number, string[]>> {
    if (campaignIds.length === 0) return new Map()
    const which = inArray(sql`l.campaign_id`, [...campaignIds])
    const sellers = sql`SELECT DISTINCT l.campaign_id AS id, l.seller_id AS seller FROM package_line l WHERE ${which}`
    const names = sql`SELECT s.id, o.name FROM (${sellers}) s JOIN organization o ON o.id = s.seller`
    const named = Map.groupBy(yield* all(tx.statement<{ id: number; name: string }>(names)), ({ id }) => id)
    return new Map([...named].map(([id, sellers]) => [id, sellers.map(({ name }) => name).sort()]))
  },
}

const HEAD = sql.raw(`c.id, c.slug, c.name, c.archived, c.created_at AS "createdAt",
  b.id AS "buyerId", b.slug AS "buyerSlug", b.name AS "buyerName"`)
const SHOWN = sql.raw(`l.id AS "lineId", l.package_id AS "packageId", ${LINE_SQL.selected}, l.archived,
  o.id AS "sellerId", o.slug AS "sellerSlug", o.name AS "sellerName", o.time_zone AS "timeZone", t.quantity, t.as_of AS "asOf"`)
const LISTED = sql.raw(`l.id AS "lineId", l.campaign_id AS "campaignId", l.name, o.time_zone AS "timeZone",
  l.pricing_basis AS "pricingBasis", l.flight_start AS "flightStart", l.flight_end AS "flightEnd", l.booked, l.rate, l.currency,
  t.quantity, t.as_of AS "asOf"`)
const IN_CAMPAIGN = sql.raw("JOIN campaign c ON c.id = l.campaign_id")
const WITH_TOTAL = sql.raw(`JOIN organization o ON o.id = l.seller_id LEFT JOIN delivery_total t ON t.line_id = l.id`)
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

function* findCampaign(tx: ReadTx, organizationId: number, slug: string, choice?: LineChoice) {
  const sells = (compared: SQL) =>
    sql`EXISTS (SELECT 1 FROM package_line l WHERE l.campaign_id = c.id AND l.seller_id ${compared} ${organizationId})`
  // Two looks into an index, however many lines there are.
  const others = sql`${sells(sql`<`)} OR ${sells(sql`>`)}`
  const heads = sql`SELECT ${HEAD},
      CASE WHEN ${sells(sql`=`)} THEN 1 ELSE 0 END AS "ofOwn", CASE WHEN ${others} THEN 1 ELSE 0 END AS "ofOthers"
    FROM campaign c JOIN organization b ON b.id = c.buyer_id WHERE c.slug = ${slug}`
  const row = yield* first(tx.statement<HeadRow & { ofOwn: number; ofOthers: number }>(heads))
  if (row === undefined || (row.ofOwn === 0 && row.buyerId !== organizationId)) return null
  const { createdAt: _, ...head } = listedCampaign(row)
  const own = { sells: row.ofOwn === 1, isSoleSeller: row.ofOwn === 1 && row.ofOthers === 0 }
  return { ...head, ...own, lines: yield* chosenLines(tx, organizationId, head, choice) }
}

function* chosenLines(tx: ReadTx, organizationId: number, head: CampaignHead, choice: LineChoice | undefined) {
  if (choice === undefined) return []
  if (!("packageId" in choice)) return yield* shownLines(tx, linesSeenBy(organizationId, head, choice), choice)
  const { packageId } = choice
  return yield* shownLines(tx, sql`${ofCampaign(organizationId, head, {})} AND l.package_id = ${packageId}`)
}

/** The buyer of a campaign sees all of its lines, everybody else only their own. */
function ofCampaign(organizationId: number, { id, buyer }: CampaignHead, { sold = false }: LineScope): SQL {
  const seesAll = buyer.id === organizationId && !sold
  return seesAll ? sql`l.campaign_id = ${id}` : sql`l.campaign_id = ${id} AND l.seller_id = ${organizationId}`
}

const linesSeenBy = (organizationId: number, campaign: CampaignHead, scope: LineScope): SQL =>
  sql`${ofCampaign(organizationId, campaign, scope)} AND l.archived = ${flag(scope.archived ?? false)}`

const soldIn = (organizationId: number, archived: boolean) =>
  sql`l.seller_id = ${organizationId} AND l.archived = 0 AND c.archived = ${flag(archived)}`

const boughtIn = (organizationId: number, archived: boolean) =>
  sql`c.buyer_id = ${organizationId} AND l.seller_id <> ${organizationId} AND l.archived = 0 AND c.archived = ${flag(archived)}`

const ofSeller = (sellerId: number, withArchived = false) =>
  withArchived ? sql`l.seller_id = ${sellerId}` : sql`l.seller_id = ${sellerId} AND l.archived = 0 AND c.archived = 0`

function inFlight({ from, to, measuredSince }: FlightDays): SQL {
  const isFlown = sql`l.flight_start <= ${to} AND (l.flight_end >= ${from} OR l.flight_end IS NULL)`
  if (measuredSince === undefined) return isFlown
  return sql`(${isFlown} OR EXISTS (SELECT 1 FROM delivery_total m WHERE m.line_id = l.id AND m.as_of >= ${measuredSince}))`
}

type WithTotal = Readonly<{ quantity: number | null; asOf: number | null }>

type ShownRow = Omit<ShownLine, "seller" | "total" | "archived"> &
  WithTotal &
  Readonly<{ archived: number; sellerId: number; sellerSlug: string; sellerName: string; timeZone: string }>

interface LineList<Row, Line> {
  /** What is read of a line, and what is joined for it. */
  readonly columns: SQL
  readonly joins: SQL
  readonly which: SQL
  readonly order?: SQL
  /** The lines of one page; without it all of them. */
  readonly page?: { readonly offset?: number; readonly limit: number } | undefined
  readonly shape: (row: Row) => Line
}

// Reading this many takes some 15 ms. In parts it takes twice the time in all: only a list that few sellers have is read so.
const READ_AT_ONCE = 10_000
const PART_OF_MORE = 1_000

/**
 * Lines in their order, however many. Of a long list, first it is settled which lines they are; then they are read in parts, between
 * which others are served. So each line comes once, whatever it is renamed to meanwhile, and as it was at some moment of the reading.
 */
function* readLines<Row, Line extends { readonly lineId: number }>(
  { statement }: ReadTx,
  { columns, joins, which, order = sql``, page, shape }: LineList<Row, Line>,
): Step<Line[]> {
  const read = function* (from: SQL, part: SQL) {
    const rows = statement<Row>(sql`SELECT ${columns} FROM ${from} l ${IN_CAMPAIGN} ${joins} WHERE ${which} ${part}`)
    return (yield* all(rows)).map(shape)
  }
  if (page !== undefined)
    return yield* read(sql`package_line`, sql`${order} LIMIT ${page.limit} OFFSET ${page.offset ?? 0}`)
  const among = sql`FROM package_line l ${IN_CAMPAIGN} WHERE ${which}`
  const next = yield* first(statement<{ id: number }>(sql`SELECT l.id ${among} LIMIT 1 OFFSET ${READ_AT_ONCE}`))
  if (next === undefined) return yield* read(sql`package_line`, order)
  const ids = yield* all(statement<{ id: number }>(sql`SELECT l.id ${among} ${order}`))
  const inOrder: Line[] = []
  for (const some of inParts(ids, PART_OF_MORE)) {
    const isIn = isAmong(sql`id`, some)
    // With a LIMIT of its own, so that lines are looked up by these ids and not by what else is known of them.
    const part = yield* read(sql`(SELECT * FROM package_line WHERE ${isIn} LIMIT ${PART_OF_MORE})`, sql``)
    const byId = new Map(part.map((line) => [line.lineId, line]))
    inOrder.push(...some.flatMap(({ id }) => byId.get(id) ?? []))
  }
  return inOrder
}

const shownLines = (tx: ReadTx, which: SQL, page?: { offset: number; limit: number }) =>
  readLines(tx, { columns: SHOWN, joins: WITH_TOTAL, which, order: IN_ORDER, page, shape: shownLine })

function shownLine(row: ShownRow): ShownLine {
  const { sellerId: id, sellerSlug: slug, sellerName: name, timeZone, quantity, asOf, archived, ...line } = row
  const seller = { id, slug, name, timeZone }
  return { ...line, archived: archived === 1, seller, total: totalOf(quantity, asOf) }
}

type ListedRow = Omit<ListedLine, "total" | "seller"> & WithTotal & { readonly timeZone: string }

/** In any order. */
function listedLines(tx: ReadTx, which: SQL, limit?: number): Step<ListedLine[]> {
  // The same part each time, or a count of it would change from page to page.
  const part = limit === undefined ? {} : { order: sql`ORDER BY l.id`, page: { limit } }
  return readLines(tx, {
    columns: LISTED,
    joins: WITH_TOTAL,
    which,
    ...part,
    shape: ({ timeZone, quantity, asOf, ...line }: ListedRow) => ({
      ...line,
      seller: { timeZone },
      total: totalOf(quantity, asOf),
    }),
  })
}

type FlyingRow = ShownRow &
  Readonly<{ campaignSlug: string; campaignName: string; buyerSlug: string; buyerName: string }>

/** Of campaigns and lines that are not archived, by the end of the flight, those without an end last. */
const flyingLines = (tx: ReadTx, sellerId: number, which: SQL, limit?: number): Step<FlyingLine[]> =>
  readLines(tx, {
    columns: sql`${SHOWN}, c.slug AS "campaignSlug", c.name AS "campaignName", b.slug AS "buyerSlug", b.name AS "buyerName"`,
    joins: sql`${WITH_TOTAL} JOIN organization b ON b.id = c.buyer_id`,
    which: sql`${ofSeller(sellerId)} AND ${which}`,
    order: sql`ORDER BY l.flight_end IS NULL, l.flight_end, l.id`,
    page: limit === undefined ? undefined : { limit },
    shape: ({ campaignSlug, campaignName, buyerSlug, buyerName, ...line }: FlyingRow) => ({
      ...shownLine(line),
      campaign: { slug: campaignSlug, name: campaignName, buyer: { slug: buyerSlug, name: buyerName } },
    }),
  })

type NameRow = Pick<ShownLine, "lineId" | "packageId" | "name" | "externalId"> &
  Readonly<{ campaignSlug: string; campaignName: string }>

/** The lines of these campaigns that the organization may see, archived or not, as they are searched for. */
function lineNames(tx: ReadTx, organizationId: number, campaigns: readonly { readonly id: number }[]) {
  return readLines(tx, {
    columns: sql`l.id AS "lineId", l.package_id AS "packageId", l.name, l.external_id AS "externalId",
      c.slug AS "campaignSlug", c.name AS "campaignName"`,
    joins: sql``,
    which: sql`${isAmong(sql`l.campaign_id`, campaigns)} AND (l.seller_id = ${organizationId} OR c.buyer_id = ${organizationId})`,
    shape: ({ campaignSlug: slug, campaignName: name, ...line }: NameRow) => ({ ...line, campaign: { slug, name } }),
  })
}

function isAmong(column: SQL, rows: readonly { readonly id: number }[]): SQL {
  const ids = rows.map(({ id }) => id)
  return inArray(column, ids)
}

export const totalOf = (quantity: number | null, asOf: number | null): ShownLine["total"] =>
  quantity === null || asOf === null ? null : { quantity, asOf }
