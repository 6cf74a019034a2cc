import { hashToken } from "../../domain/keys/api-key.ts"
import { ORDERS_OPEN_PER_KEY_MAX, ORDERS_PER_LINK_AND_HOUR_MAX } from "../../domain/limits.ts"
import { orderCode } from "../../domain/sale/order-token.ts"
import { type OrderErrors, readOrder, type TypedOrder } from "../../domain/sale/read-order.ts"
import { type CalendarDate, MICROS_PER_SECOND, type Moment } from "../../domain/time/moment.ts"
import { audit } from "../../storage/steps/audit.ts"
import { openOrders } from "../../storage/steps/sale/orders.ts"
import { and, count, eq, exec, first, gt, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"
import { newId } from "../new-id.ts"
import { type OpenedLink, openedLink, orderSecret } from "./order-links.ts"

export type PlacedOrder =
  | { readonly outcome: "done"; readonly code: string }
  | { readonly outcome: "not found" }
  | { readonly outcome: "too many" }
  | { readonly outcome: "refused"; readonly errors: OrderErrors }

const HOUR = 3_600 * MICROS_PER_SECOND

/** Who acts without an account. */
export const REQUESTER = "requester"

/** Places an order by a link, which is looked at once more in the transaction that writes. `today` is the seller's. */
export async function placeOrder(
  context: Context,
  token: string,
  typed: TypedOrder,
  today: CalendarDate,
): Promise<PlacedOrder> {
  const secret = await orderSecret(context)
  const id = newId(context.random)
  const code = orderCode(secret, id)
  const at = context.clock()
  return transact(context, function* (tx): Step<PlacedOrder> {
    const opened = yield* openedLink(tx, token, secret, at)
    if (opened === null) return { outcome: "not found" }
    const read = readOrder(typed, opened.product, today)
    if (!read.ok) return { outcome: "refused", errors: read.errors }
    if (yield* isFull(tx, opened, at)) return { outcome: "too many" }
    const { product, linkHash, agentKeyId, orderLinkId } = opened
    const { requester, priced, terms } = read.order
    yield* exec(
      tx.db.insert(tx.saleOrder).values({
        ...{ id, linkHash, agentKeyId, orderLinkId, codeHash: hashToken(code), productId: product.id },
        ...{ state: "asked", askedAt: at, movedAt: at, movedBy: REQUESTER },
        product: JSON.stringify(product),
        requester: JSON.stringify(requester),
        priced: JSON.stringify(priced),
        asked: JSON.stringify(terms),
      }),
    )
    const by = { actor: REQUESTER, at }
    yield* audit(tx, by, { action: "place order", subject: id, details: { product: product.id } })
    return { outcome: "done", code }
  })
}

/** Whether a link has brought as many orders as it may for now. */
function* isFull(tx: Tx, { linkHash, agentKeyId }: OpenedLink, now: Moment): Step<boolean> {
  const { db, saleOrder } = tx
  const isLate = and(eq(saleOrder.linkHash, linkHash), gt(saleOrder.askedAt, now - HOUR))
  const lately = (yield* first(db.select({ orders: count() }).from(saleOrder).where(isLate)))?.orders ?? 0
  if (lately >= ORDERS_PER_LINK_AND_HOUR_MAX) return true
  return (yield* openOrders(tx, agentKeyId === null ? { linkHash } : { agentKeyId })) >= ORDERS_OPEN_PER_KEY_MAX
}
