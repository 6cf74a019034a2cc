import { and, asc, count, desc, eq, gt, gte, isNull, like, ne, or, type SQL, sql } from "drizzle-orm"
import type { Stated } from "../domain/sale/statement.ts"
import type { Moment } from "../domain/time/moment.ts"
import type { ReadTx, Tx } from "./database.ts"
import { addRow, firstOf } from "./sql-text.ts"
import type { NewRow, Row } from "./tables/tables.ts"

export type Order = Row<"order">

export async function addOrder(tx: Tx, order: NewRow<"order">) {
  await tx.db.insert(tx.order).values(order)
}

/** The reader of orders. The operator also sees orders without a seller. */
export interface OrderReader {
  readonly organizationId: number
  readonly isOperator: boolean
}

/** The orders of a seller, newest first. */
export const ordersOf = (read: ReadTx, reader: OrderReader): Promise<Order[]> => ordersWhere(read, isSeen(read, reader))

export const orderById = (read: ReadTx, reader: OrderReader, id: string): Promise<Order | null> =>
  firstOf(ordersWhere(read, and(eq(read.order.id, id), isSeen(read, reader))))

/** The order whose own page has this link and code. */
export const orderByCode = (read: ReadTx, linkHash: string, codeHash: string): Promise<Order | null> =>
  firstOf(ordersWhere(read, and(eq(read.order.codeHash, codeHash), eq(read.order.linkHash, linkHash))))

function isSeen({ order }: ReadTx, { organizationId, isOperator }: OrderReader): SQL | undefined {
  const isTheirs = eq(order.sellerId, organizationId)
  return isOperator ? or(isTheirs, isNull(order.sellerId)) : isTheirs
}

const ordersWhere = async ({ db, order }: ReadTx, where: SQL | undefined): Promise<Order[]> =>
  db.select().from(order).where(where).orderBy(desc(order.askedAt), asc(order.id))

/** How many orders came by a link, and by a buyer key, since a moment. */
export async function ordersSince(
  { db, order }: ReadTx,
  { linkHash, buyerKeyId }: Pick<Order, "linkHash" | "buyerKeyId">,
  since: Moment,
) {
  const isRecent = gte(order.askedAt, since)
  const countOf = async (where: SQL) => {
    const [row] = await db.select({ orders: count() }).from(order).where(and(where, isRecent))
    return row?.orders ?? 0
  }
  return { byLink: await countOf(eq(order.linkHash, linkHash)), byKey: await countOf(eq(order.buyerKeyId, buyerKeyId)) }
}

export type OrderChange = Pick<Order, "state" | "movedAt" | "movedBy"> &
  Partial<Pick<Order, "message" | "sellerId" | "packageId">>

export async function changeOrder(tx: Tx, id: string, change: OrderChange): Promise<void> {
  await tx.db.update(tx.order).set(change).where(eq(tx.order.id, id))
}

/** The unanswered orders since a moment, oldest first, with the slug of the seller. Earlier orders have expired. */
export async function askedOrders({ db, order, organization }: ReadTx, since: Moment) {
  const isAsked = and(eq(order.state, "asked"), gt(order.askedAt, since))
  return db
    .select({ id: order.id, product: order.product, slug: organization.slug })
    .from(order)
    .leftJoin(organization, eq(organization.id, order.sellerId))
    .where(isAsked)
    .orderBy(asc(order.askedAt))
}

export type Statement = Row<"statement">

/** The amounts in statements that weren't canceled, by line and currency, and the last day that they cover. */
export async function statedBefore(read: ReadTx, lineIds: readonly number[]): Promise<Stated[]> {
  const query = `SELECT line_id AS "lineId", currency, sum(coins) AS coins, max(through) AS through FROM statement_line
      JOIN statement ON statement.id = statement_id
    WHERE line_id = ANY($1) AND state <> 'cancelled' GROUP BY line_id, currency`
  return read.rows(query, [lineIds], { lineId: Number, currency: String, coins: Number, through: String })
}

/** What is printed on the statements of these lines that weren't canceled, the newest last. */
export async function bodiesOf(read: ReadTx, lineIds: readonly number[]): Promise<Statement["body"][]> {
  const { db, statement, statementLine } = read
  const covers = and(read.anyOf(statementLine.lineId, lineIds), ne(statement.state, "cancelled"))
  const isOnStatement = eq(statementLine.statementId, statement.id)
  const found = await db
    .select({ body: statement.body })
    .from(statement)
    .innerJoin(statementLine, isOnStatement)
    .where(covers)
    .orderBy(asc(statement.frozenAt), asc(statement.id))
  return found.map(({ body }) => body)
}

/** The last number of a seller in a year. Null if there is none. */
export async function lastNumber({ db, statement }: ReadTx, sellerId: number, year: string): Promise<string | null> {
  const isOfYear = and(eq(statement.sellerId, sellerId), like(statement.number, `${year}-%`))
  // 2026-1000 comes after 2026-999.
  const [last] = await db
    .select()
    .from(statement)
    .where(isOfYear)
    .orderBy(desc(sql`length(${statement.number})`), desc(statement.number))
    .limit(1)
  return last?.number ?? null
}

/** Stores a statement and its amount for each line. Returns its ID. */
export async function addStatement(
  tx: Tx,
  statement: Omit<Statement, "id">,
  stated: readonly Omit<Stated, "through">[],
): Promise<number> {
  const statementId = await addRow(tx, "statement", statement)
  await tx.insertMany(
    tx.statementLine,
    stated.map((line) => ({ statementId, ...line })),
  )
  return statementId
}

/** The statements that a seller made, newest first. */
export const statementsBy = (read: ReadTx, sellerId: number): Promise<Statement[]> =>
  statementsWhere(read, eq(read.statement.sellerId, sellerId))

/** The statements that a buyer received, newest first. */
export const statementsFor = (read: ReadTx, buyerId: number): Promise<Statement[]> =>
  statementsWhere(read, eq(read.statement.buyerId, buyerId))

/** A statement, for the seller that made it or the buyer that received it. */
export function statementById(read: ReadTx, organizationId: number, id: number): Promise<Statement | null> {
  const { statement } = read
  const isTheirs = or(eq(statement.sellerId, organizationId), eq(statement.buyerId, organizationId))
  return firstOf(statementsWhere(read, and(eq(statement.id, id), isTheirs)))
}

const statementsWhere = async ({ db, statement }: ReadTx, where: SQL | undefined): Promise<Statement[]> =>
  db.select().from(statement).where(where).orderBy(desc(statement.frozenAt), desc(statement.id))

/** The statements of a seller whose lines all belong to one campaign. Others would show a link's holder other campaigns. */
export async function statementsOfCampaign(read: ReadTx, sellerId: number, campaignId: number): Promise<Statement[]> {
  const { statement } = read
  const isOnlyOfCampaign = sql`EXISTS (SELECT 1 FROM statement_line WHERE statement_id = statement.id)
      AND NOT EXISTS (SELECT 1 FROM statement_line JOIN line ON line.id = line_id
        WHERE statement_id = statement.id AND line.campaign_id <> ${campaignId})`
  return statementsWhere(
    read,
    and(eq(statement.sellerId, sellerId), ne(statement.state, "cancelled"), isOnlyOfCampaign),
  )
}

export async function changeStatement(
  { db, statement }: Tx,
  sellerId: number,
  id: number,
  change: Partial<Pick<Statement, "state" | "paidOn">>,
): Promise<void> {
  await db
    .update(statement)
    .set(change)
    .where(and(eq(statement.id, id), eq(statement.sellerId, sellerId)))
}
