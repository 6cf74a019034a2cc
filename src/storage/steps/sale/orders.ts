import { endedBefore, type OrderState } from "../../../domain/sale/order-state.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import { ofSeller, type SellerScope } from "../organizations.ts"
import { all, and, count, desc, eq, first, gt, isStorable, type ReadTx, type Step } from "../step.ts"

export type Order = ReadTx["saleOrder"]["$inferSelect"]

// Nobody looks through more in a list.
const LISTED_MAX = 2_000

export const orderReads = {
  /** The latest ones, newest first. */
  *list(tx: ReadTx, scope: SellerScope | null): Step<Order[]> {
    const { db, saleOrder } = tx
    const rows = db.select().from(saleOrder).where(inScope(tx, scope))
    return yield* all(rows.orderBy(desc(saleOrder.askedAt), desc(saleOrder.id)).limit(LISTED_MAX))
  },
  *find(tx: ReadTx, scope: SellerScope | null, id: string): Step<Order | null> {
    if (!isStorable(id)) return null
    const isIt = and(eq(tx.saleOrder.id, id), inScope(tx, scope))
    return (yield* first(tx.db.select().from(tx.saleOrder).where(isIt))) ?? null
  },
  /** The order whose own page has this code below this link. */
  *findByCode({ db, saleOrder }: ReadTx, linkHash: string, codeHash: string): Step<Order | null> {
    const isIt = and(eq(saleOrder.codeHash, codeHash), eq(saleOrder.linkHash, linkHash))
    return (yield* first(db.select().from(saleOrder).where(isIt))) ?? null
  },
  /** Those that wait for the seller, oldest first. */
  *waiting(tx: ReadTx, scope: SellerScope | null, now: Moment): Step<Order[]> {
    const { db, saleOrder } = tx
    const isWaiting = waits(tx, scope, now)
    return yield* all(db.select().from(saleOrder).where(isWaiting).orderBy(saleOrder.movedAt).limit(LISTED_MAX))
  },
  /** How many wait for the seller; null while no orders are taken. */
  *countWaiting(tx: ReadTx, scope: SellerScope, now: Moment): Step<number | null> {
    const { db, saleOrder, setting } = tx
    const isOff = and(eq(setting.name, "take_orders"), eq(setting.value, "off"))
    if ((yield* first(db.select().from(setting).where(isOff))) !== undefined) return null
    const isWaiting = waits(tx, scope, now)
    return (yield* first(db.select({ orders: count() }).from(saleOrder).where(isWaiting)))?.orders ?? 0
  },
  *countByState({ db, saleOrder }: ReadTx): Step<{ state: OrderState; orders: number }[]> {
    const { state } = saleOrder
    return yield* all(db.select({ state, orders: count() }).from(saleOrder).groupBy(state))
  },
}

const waits = (tx: ReadTx, scope: SellerScope | null, now: Moment) =>
  and(eq(tx.saleOrder.state, "asked"), gt(tx.saleOrder.movedAt, endedBefore(now)), inScope(tx, scope))

const inScope = ({ saleOrder }: ReadTx, scope: SellerScope | null) => ofSeller(saleOrder.sellerId, scope)

const LINKS_MAX = 100

export type OrderLink = ReadTx["orderLink"]["$inferSelect"]

export const orderLinkReads = {
  /** Links that were made by hand, newest first: of a product, or of all. */
  list({ db, orderLink }: ReadTx, productId: string | null) {
    const isWanted = productId === null ? undefined : eq(orderLink.productId, productId)
    const rows = db.select().from(orderLink).where(isWanted)
    return all(rows.orderBy(desc(orderLink.createdAt), desc(orderLink.id)).limit(LINKS_MAX))
  },
}
