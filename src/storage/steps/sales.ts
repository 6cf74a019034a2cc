import { and, count, desc, eq, gt, gte, inArray, lt, ne, notExists, type SQL, sql } from "drizzle-orm"
import type { PacedLine } from "../../domain/campaign/line-state.ts"
import { endedBefore } from "../../domain/sale/order.ts"
import type { LineToState, StatementBody, StatementDraft } from "../../domain/sale/statement.ts"
import type { CalendarDate, Moment } from "../../domain/time/moment.ts"
import { settingOf } from "./operations.ts"
import { ofSeller, type SellerScope } from "./organizations.ts"
import { all, first, found, type ReadTx, type Step } from "./step.ts"

export type Order = ReadTx["saleOrder"]["$inferSelect"]

// Nobody looks through more in a list.
const LISTED_MAX = 2_000

export const orderReads = {
  /** The latest ones, newest first. */
  list(tx: ReadTx, scope: SellerScope | null): Step<Order[]> {
    const { askedAt, id } = tx.saleOrder
    return all(ordersThat(tx, inScope(tx, scope)).orderBy(desc(askedAt), desc(id)).limit(LISTED_MAX))
  },
  find: (tx: ReadTx, scope: SellerScope | null, id: string): Step<Order | null> =>
    found(ordersThat(tx, and(eq(tx.saleOrder.id, id), inScope(tx, scope)))),
  /** The order whose own page has this code below this link. */
  findByCode: (tx: ReadTx, linkHash: string, codeHash: string): Step<Order | null> =>
    found(ordersThat(tx, and(eq(tx.saleOrder.codeHash, codeHash), eq(tx.saleOrder.linkHash, linkHash)))),
  /** Those that wait for the seller, oldest first. */
  waiting(tx: ReadTx, scope: SellerScope | null, now: Moment): Step<Order[]> {
    const orders = ordersThat(tx, waits(tx, scope, now))
    return all(orders.orderBy(tx.saleOrder.movedAt).limit(LISTED_MAX))
  },
  /** How many wait for the seller; null while no orders are taken. */
  *countWaiting(tx: ReadTx, scope: SellerScope, now: Moment): Step<number | null> {
    if ((yield* settingOf(tx, "take_orders")) === "off") return null
    const orders = tx.db.select({ waiting: count() }).from(tx.saleOrder)
    return (yield* first(orders.where(waits(tx, scope, now))))?.waiting ?? 0
  },
  countByState: ({ db, saleOrder: { state }, saleOrder }: ReadTx) =>
    all(db.select({ state, orders: count() }).from(saleOrder).groupBy(state)),
}

const ordersThat = ({ db, saleOrder }: ReadTx, which: SQL | undefined) => db.select().from(saleOrder).where(which)

const waits = (tx: ReadTx, scope: SellerScope | null, now: Moment) =>
  and(eq(tx.saleOrder.state, "asked"), gt(tx.saleOrder.movedAt, endedBefore(now)), inScope(tx, scope))

const inScope = ({ saleOrder }: ReadTx, scope: SellerScope | null) => ofSeller(saleOrder.sellerId, scope)

export type OrderLink = ReadTx["orderLink"]["$inferSelect"]

export const orderLinkReads = {
  /** Links that were made by hand, newest first: of a product, or of all. */
  list({ db, orderLink }: ReadTx, productId: string | null) {
    const isWanted = productId === null ? undefined : eq(orderLink.productId, productId)
    const rows = db.select().from(orderLink).where(isWanted)
    return all(rows.orderBy(desc(orderLink.createdAt), desc(orderLink.id)).limit(LISTED_MAX))
  },
}

type Row = ReadTx["saleStatement"]["$inferSelect"]

/** A draft has `draft`, any other one `body`. */
export type Statement = Omit<Row, "body"> & Readonly<{ draft: StatementDraft | null; body: StatementBody | null }>

export function statementOf({ body, ...row }: Row): Statement {
  const parsed = JSON.parse(body) as never
  return row.state === "draft" ? { ...row, draft: parsed, body: null } : { ...row, draft: null, body: parsed }
}

/** Candidates for settling, as many as a list of what needs somebody can name. */
const UNSETTLED_MAX = 500

export const statementReads = {
  /** Those of campaigns, newest first: of a seller all, for the buyer those of every seller that are frozen. */
  *list({ db, saleStatement }: ReadTx, campaignIds: readonly number[], sellerId: number | null): Step<Statement[]> {
    const { state } = saleStatement
    const which = sellerId === null ? ne(state, "draft") : eq(saleStatement.sellerId, sellerId)
    const isOfThese = and(inArray(saleStatement.campaignId, [...campaignIds]), which)
    const rows = db.select().from(saleStatement).where(isOfThese)
    return (yield* all(rows.orderBy(desc(saleStatement.id)))).map(statementOf)
  },
  lines: linesToState,
  /** Lines that ended from this day on, of campaigns in which none of the seller's runs today or later, and that have no statement but cancelled ones. */
  *unsettled(tx: ReadTx, sellerId: number, from: CalendarDate, today: CalendarDate) {
    const { db, campaign, organization, packageLine, deliveryTotal, saleStatement } = tx
    const { slug, name } = campaign
    const isEnded = and(gte(packageLine.flightEnd, from), lt(packageLine.flightEnd, today))
    const isOwn = and(eq(packageLine.sellerId, sellerId), eq(packageLine.archived, 0), isEnded)
    const isOfIt = and(eq(saleStatement.campaignId, campaign.id), eq(saleStatement.sellerId, sellerId))
    const stated = and(isOfIt, ne(saleStatement.state, "cancelled"))
    const isLast = sql`NOT EXISTS (SELECT 1 FROM package_line o WHERE o.campaign_id = ${packageLine.campaignId}
      AND o.seller_id = ${sellerId} AND o.archived = 0 AND (o.flight_end IS NULL OR o.flight_end >= ${today}))`
    const columns = { campaign: { id: campaign.id, slug, name }, buyer: organization.name }
    const rows = db
      .select({ line: packageLine, total: deliveryTotal, ...columns })
      .from(packageLine)
      .innerJoin(campaign, and(eq(campaign.id, packageLine.campaignId), eq(campaign.archived, 0)))
      .innerJoin(organization, eq(organization.id, campaign.buyerId))
      .leftJoin(deliveryTotal, eq(deliveryTotal.lineId, packageLine.id))
      .where(and(isOwn, isLast, notExists(db.select().from(saleStatement).where(stated))))
    return yield* all(rows.limit(UNSETTLED_MAX))
  },
  /** The last number of a year; null when there is none. Numbers of more than three digits are longer. */
  *lastNumber({ db, saleStatement }: ReadTx, sellerId: number, year: string): Step<string | null> {
    const { number } = saleStatement
    // All that begin with the year and a hyphen: the character after the hyphen is the full stop.
    const isOfYear = and(eq(saleStatement.sellerId, sellerId), gte(number, `${year}-`), lt(number, `${year}.`))
    const rows = db.select({ number }).from(saleStatement).where(isOfYear)
    return (yield* first(rows.orderBy(desc(sql`length(${number})`), desc(number)).limit(1)))?.number ?? null
  },
}

type LineInFlight = LineToState & PacedLine & Readonly<{ id: number; campaignId: number }>

/** The lines of a seller in campaigns as they are now. */
export function* linesToState(tx: ReadTx, campaignIds: readonly number[], sellerId: number): Step<LineInFlight[]> {
  const { db, packageLine, deliveryTotal } = tx
  const isIn = and(inArray(packageLine.campaignId, [...campaignIds]), eq(packageLine.sellerId, sellerId))
  const rows = db.select({ line: packageLine, total: deliveryTotal }).from(packageLine)
  const lines = yield* all(rows.leftJoin(deliveryTotal, eq(deliveryTotal.lineId, packageLine.id)).where(isIn))
  const key = ({ line }: (typeof lines)[number]) => `${line.flightStart} ${line.name} ${line.packageId}`
  return lines.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)).map(({ line, total }) => ({ ...line, total }))
}
