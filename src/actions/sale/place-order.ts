import { hashToken } from "../../domain/keys/api-key.ts"
import {
  ORDERS_OPEN_PER_KEY_MAX,
  ORDERS_PER_KEY_AND_HOUR_MAX,
  ORDERS_PER_LINK_AND_HOUR_MAX,
} from "../../domain/limits.ts"
import type { Change } from "../../domain/people/audit.ts"
import { normalEmail } from "../../domain/people/user.ts"
import { isOpen, OPEN_STATES, REQUESTER, stateAt } from "../../domain/sale/order.ts"
import { orderCode } from "../../domain/sale/order-token.ts"
import { readTerms, requesterErrors, type TypedOrder } from "../../domain/sale/read-order.ts"
import { type CalendarDate, MICROS_PER_SECOND, type Moment } from "../../domain/time/moment.ts"
import { audit } from "../../storage/steps/audit.ts"
import { all, and, count, eq, exec, first, gt, inArray, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"
import { newId } from "../new-id.ts"
import { type OpenedLink, openedLink, orderSecret } from "./order-links.ts"

const HOUR = 3_600 * MICROS_PER_SECOND

/** Places an order by a link. `today` is the seller's. */
export async function placeOrder(context: Context, token: string, typed: TypedOrder, today: CalendarDate) {
  const sent = { token, typed, today, secret: await orderSecret(context), id: newId(context.random) }
  return transact(context, (tx) => storeOrder(tx, sent, { actor: REQUESTER, at: context.clock() }))
}

type SentOrder = Readonly<Record<"token" | "secret" | "id", string> & { typed: TypedOrder; today: CalendarDate }>

/** The link is looked at in the transaction that writes: it may have ended meanwhile. */
export function* storeOrder(tx: Tx, sent: SentOrder, by: Change) {
  const { id, secret } = sent
  const opened = yield* openedLink(tx, sent.token, secret, by.at)
  const read = opened && readTerms(sent.typed, opened.product, sent.today)
  if (opened === null || read === null) return { outcome: "not found" } as const
  const { organization, name, creative, note, email } = sent.typed
  const requester = { organization, name, creative, note, email: normalEmail(email) }
  const errors = { ...read.errors, ...requesterErrors(requester) }
  if (Object.keys(errors).length > 0) return { outcome: "refused", errors } as const
  if (yield* isFull(tx, opened, by.at)) return { outcome: "too many" } as const
  const { product, sellerId, linkHash, agentKeyId, orderLinkId } = opened
  const { priced, terms } = read
  const code = orderCode(secret, id)
  yield* exec(
    tx.db.insert(tx.saleOrder).values({
      ...{ id, linkHash, agentKeyId, orderLinkId, codeHash: hashToken(code), productId: product.id },
      ...{ state: "asked", askedAt: by.at, movedAt: by.at, movedBy: by.actor },
      ...{ product, requester, priced, asked: terms, sellerId },
    }),
  )
  const of = sellerId === null ? {} : { organizationId: sellerId }
  yield* audit(tx, by, { action: "place order", subject: id, ...of, details: { product: product.id } })
  return { outcome: "done", code } as const
}

/** Whether a link or its key has brought as many orders as it may for now, whatever became of them, or the key has as many open as it may. */
function* isFull({ db, saleOrder }: Tx, { linkHash, agentKeyId }: OpenedLink, now: Moment): Step<boolean> {
  const isOfLink = eq(saleOrder.linkHash, linkHash)
  const isOfKey = agentKeyId === null ? isOfLink : eq(saleOrder.agentKeyId, agentKeyId)
  const isLate = gt(saleOrder.askedAt, now - HOUR)
  const countThat = (which: typeof isOfLink) =>
    first(db.select({ orders: count() }).from(saleOrder).where(and(which, isLate)))
  const byLink = (yield* countThat(isOfLink))?.orders ?? 0
  const byKey = (yield* countThat(isOfKey))?.orders ?? 0
  const { state, movedAt, offered } = saleOrder
  const begun = db.select({ state, movedAt, offered }).from(saleOrder)
  const rows = yield* all(begun.where(and(isOfKey, inArray(state, OPEN_STATES))))
  // What nobody answered in time has ended, whether or not that was noted.
  const open = rows.filter((order) => isOpen(stateAt(order, now))).length
  const isBusy = byLink >= ORDERS_PER_LINK_AND_HOUR_MAX || byKey >= ORDERS_PER_KEY_AND_HOUR_MAX
  return isBusy || open >= ORDERS_OPEN_PER_KEY_MAX
}
