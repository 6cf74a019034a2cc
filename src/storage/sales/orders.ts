import { and, asc, count, desc, eq, gte, isNull, or, type SQL } from "drizzle-orm"
import type { OrderedProduct, OrderState, OrderTerms, Requester } from "../../domain/sale/order.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"

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
