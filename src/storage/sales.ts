import { and, asc, count, desc, eq, gte, isNull, like, ne, or, type SQL } from "drizzle-orm"
import type { OrderedProduct, OrderState, OrderTerms, Requester, StatementState } from "../domain/sale/order.ts"
import type { Stated, StatementBody } from "../domain/sale/statement.ts"
import type { CalendarDate, Moment } from "../domain/time/moment.ts"
import type { ReadTx, Tx } from "./database.ts"

export interface Order {
  readonly id: string
  readonly buyerKeyId: string
  readonly state: Exclude<OrderState, "expired">
  readonly askedAt: Moment
  readonly movedAt: Moment
  readonly movedBy: string
  readonly product: OrderedProduct
  readonly requester: Requester
  readonly terms: OrderTerms
  /** Why it was declined. */
  readonly message: string
  /** Null if the product has no seller. The operator decides. */
  readonly sellerId: number | null
  /** Its line, once it was accepted. */
  readonly packageId: string | null
}

interface NewOrder extends Order {
  readonly codeHash: string
  readonly linkHash: string
}

export async function addOrder(tx: Tx, order: NewOrder): Promise<void> {
  await tx.db.insert(tx.order).values({ ...order, productId: order.product.id })
}

/** The reader of orders. The operator also sees orders without a seller. */
export interface OrderReader {
  readonly organizationId: number
  readonly isOperator: boolean
}

/** The orders of a seller, newest first. */
export const ordersOf = (read: ReadTx, reader: OrderReader): Promise<Order[]> => ordersWhere(read, isSeen(read, reader))

export async function orderById(read: ReadTx, reader: OrderReader, id: string): Promise<Order | null> {
  const [order] = await ordersWhere(read, and(eq(read.order.id, id), isSeen(read, reader)))
  return order ?? null
}

/** The order whose own page has this link and code. */
export async function orderByCode(read: ReadTx, linkHash: string, codeHash: string): Promise<Order | null> {
  const { order } = read
  const [found] = await ordersWhere(read, and(eq(order.codeHash, codeHash), eq(order.linkHash, linkHash)))
  return found ?? null
}

function isSeen({ order }: ReadTx, { organizationId, isOperator }: OrderReader): SQL | undefined {
  const isTheirs = eq(order.sellerId, organizationId)
  return isOperator ? or(isTheirs, isNull(order.sellerId)) : isTheirs
}

async function ordersWhere({ db, order }: ReadTx, where: SQL | undefined): Promise<Order[]> {
  const rows = await db.select().from(order).where(where).orderBy(desc(order.askedAt), asc(order.id))
  return rows.map(({ codeHash: _, linkHash: __, productId: ___, ...found }) => found)
}

/** How many orders came by a link, and by a buyer key, since a moment. */
export async function ordersSince(
  { db, order }: ReadTx,
  { linkHash, buyerKeyId }: Pick<NewOrder, "linkHash" | "buyerKeyId">,
  since: Moment,
): Promise<{ readonly byLink: number; readonly byKey: number }> {
  const isRecent = gte(order.askedAt, since)
  const countOf = async (where: SQL) => {
    const [row] = await db.select({ orders: count() }).from(order).where(and(where, isRecent))
    return row?.orders ?? 0
  }
  return { byLink: await countOf(eq(order.linkHash, linkHash)), byKey: await countOf(eq(order.buyerKeyId, buyerKeyId)) }
}

type OrderChange = Pick<Order, "state" | "movedAt" | "movedBy"> &
  Partial<Pick<Order, "message" | "sellerId" | "packageId">>

export async function changeOrder(tx: Tx, id: string, change: OrderChange): Promise<void> {
  await tx.db.update(tx.order).set(change).where(eq(tx.order.id, id))
}

/** An order that isn't answered yet. */
export interface AskedOrder {
  readonly id: string
  readonly productName: string
  /** The organization that sells the product. Null if the operator decides. */
  readonly slug: string | null
}

/** The unanswered orders since a moment, oldest first. Earlier orders have expired. */
export async function askedOrders(read: ReadTx, since: Moment): Promise<AskedOrder[]> {
  const rows = await read.rows(ASKED_ORDERS, [since], {
    id: String,
    product: (value) => JSON.parse(String(value)) as { readonly name?: string },
    slug: (value) => (value === null ? null : String(value)),
  })
  return rows.map(({ id, product, slug }) => ({ id, slug, productName: product.name ?? "a product" }))
}

const ASKED_ORDERS = `SELECT sale_order.id, product, slug FROM sale_order
    LEFT JOIN organization ON organization.id = seller_id
  WHERE state = 'asked' AND asked_at > $1 ORDER BY asked_at`

export interface Statement {
  readonly id: number
  readonly sellerId: number
  readonly buyerId: number
  readonly through: CalendarDate
  readonly number: string
  readonly state: StatementState
  readonly frozenAt: Moment
  readonly frozenBy: string
  readonly paidOn: CalendarDate | null
  readonly body: StatementBody
}

/** The amounts in statements that weren't cancelled, by line and currency, and the last day that they cover. */
export async function statedBefore(read: ReadTx, lineIds: readonly number[]): Promise<Stated[]> {
  const query = `SELECT line_id AS "lineId", currency, sum(coins) AS coins, max(through) AS through FROM statement_line
      JOIN statement ON statement.id = statement_id
    WHERE line_id = ANY($1) AND state <> 'cancelled' GROUP BY line_id, currency`
  return read.rows(query, [lineIds], { lineId: Number, currency: String, coins: Number, through: String })
}

/** What is printed on the statements of these lines that weren't cancelled. */
export async function bodiesOf(read: ReadTx, lineIds: readonly number[]): Promise<StatementBody[]> {
  const { db, statement, statementLine } = read
  const covers = and(read.anyOf(statementLine.lineId, lineIds), ne(statement.state, "cancelled"))
  const isOnStatement = eq(statementLine.statementId, statement.id)
  const found = await db
    .select({ body: statement.body })
    .from(statement)
    .innerJoin(statementLine, isOnStatement)
    .where(covers)
  return found.map(({ body }) => body)
}

/** The last number of a seller in a year. Null if there is none. */
export async function lastNumber({ db, statement }: ReadTx, sellerId: number, year: string): Promise<string | null> {
  const isOfYear = and(eq(statement.sellerId, sellerId), like(statement.number, `${year}-%`))
  const numbers = await db.select({ number: statement.number }).from(statement).where(isOfYear)
  return (
    numbers
      .map(({ number }) => number)
      .toSorted(byNumber)
      .at(-1) ?? null
  )
}

/** 2026-1000 comes after 2026-999. */
const byNumber = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1)

/** Stores a statement and its amount for each line. Returns its ID. */
export async function addStatement(
  tx: Tx,
  statement: Omit<Statement, "id">,
  stated: readonly Omit<Stated, "through">[],
): Promise<number> {
  const [added] = await tx.db.insert(tx.statement).values(statement).returning({ id: tx.statement.id })
  if (added === undefined) throw new Error("The statement was not added.")
  await tx.insertMany(
    tx.statementLine,
    stated.map((line) => ({ statementId: added.id, ...line })),
  )
  return added.id
}

/** The statements that a seller made, newest first. */
export const statementsBy = (read: ReadTx, sellerId: number): Promise<Statement[]> =>
  statementsWhere(read, eq(read.statement.sellerId, sellerId))

/** The statements that a buyer received, newest first, without cancelled ones. */
export const statementsFor = ({ statement, ...read }: ReadTx, buyerId: number): Promise<Statement[]> =>
  statementsWhere({ statement, ...read }, and(eq(statement.buyerId, buyerId), ne(statement.state, "cancelled")))

/** A statement, for the seller that made it or the buyer that received it. */
export async function statementById(read: ReadTx, organizationId: number, id: number): Promise<Statement | null> {
  const { statement } = read
  const [found] = await statementsWhere(read, eq(statement.id, id))
  if (found === undefined) return null
  const isTheirs =
    found.sellerId === organizationId || (found.buyerId === organizationId && found.state !== "cancelled")
  return isTheirs ? found : null
}

async function statementsWhere({ db, statement }: ReadTx, where: SQL | undefined): Promise<Statement[]> {
  return db.select().from(statement).where(where).orderBy(desc(statement.frozenAt), desc(statement.id))
}

/** The statements of a seller whose lines all belong to one campaign. Others would show a link's holder other campaigns. */
export async function statementsOfCampaign(read: ReadTx, sellerId: number, campaignId: number): Promise<Statement[]> {
  const query = `SELECT statement.id FROM statement
    WHERE seller_id = $1 AND state <> 'cancelled'
      AND EXISTS (SELECT 1 FROM statement_line WHERE statement_id = statement.id)
      AND NOT EXISTS (SELECT 1 FROM statement_line JOIN line ON line.id = line_id
        WHERE statement_id = statement.id AND line.campaign_id <> $2)`
  const ids = await read.rows(query, [sellerId, campaignId], { id: Number })
  const isOne = read.anyOf(
    read.statement.id,
    ids.map(({ id }) => id),
  )
  return ids.length === 0 ? [] : statementsWhere(read, isOne)
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
