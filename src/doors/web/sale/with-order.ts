import { requesterPath } from "../../../actions/sale/order-links.ts"
import { type OrderState, stateAt } from "../../../domain/sale/order-state.ts"
import type { Order, SellerScope, StoreReads } from "../../../storage/port/store.ts"
import { sellerWithLogo } from "../outer.tsx"
import type { Look } from "../parts/blocks.tsx"
import { type OrganizationVisit, param, type Visit } from "../visit.ts"
import { sellerScope } from "./scope.ts"

export const ORDERS = "/app/o/:org/orders"
export const ordersOf = ({ organization }: Pick<OrganizationVisit, "organization">) =>
  `/app/o/${organization.slug}/orders`

export const scopeOf = ({ context, organization, person }: OrganizationVisit) =>
  sellerScope(context.store, organization, person.isOperator)

export type FoundOrder = Readonly<{ order: Order; scope: SellerScope; href: string }>

/** The order of this address as it stands now; null for organizations that only buy. */
export async function findOrder(visit: OrganizationVisit): Promise<FoundOrder | null> {
  if (visit.place?.onlyBuys === true) return null
  const scope = await scopeOf(visit)
  const order = await visit.context.store.orders.find(scope, param(visit, "order"))
  return (
    order && { order: { ...order, state: stateAt(order, visit.now) }, scope, href: `${ordersOf(visit)}/${order.id}` }
  )
}

export const LOOKS: Readonly<Record<OrderState, Look>> = {
  asked: ["warn", "ring", "To answer"],
  offered: ["info", "dot", "Offered"],
  accepted: ["good", "done", "Accepted"],
  declined: ["off", "dash", "Declined"],
  withdrawn: ["off", "dash", "Withdrawn"],
  ended: ["off", "word", "Ended"],
}

/** By which key or link each order came. */
export async function waysOf({ agentKeys, orderLinks }: StoreReads): Promise<(order: Order) => string> {
  const keys = new Map((await agentKeys.list()).map(({ id, label }) => [id, label]))
  const links = new Map((await orderLinks.list(null)).map(({ id, label }) => [id, label]))
  return ({ agentKeyId, orderLinkId }) => keys.get(agentKeyId ?? "") ?? links.get(orderLinkId ?? 0) ?? "Order link"
}

/** What a requester is told by mail: the seller, fixed words and the address of the order's page, nothing that a stranger typed. */
const MAILS = {
  received: ["received", "Your order has arrived. You’ll see the answer on this page, and get an email."],
  answered: ["answered", "Your order was answered. This page shows the answer."],
} as const

/** Mails the requester where mail is set up. Nobody waits for it, and it never fails what was done. */
export function tellRequester(visit: Visit, order: Order, what: keyof typeof MAILS): void {
  const [did, text] = MAILS[what]
  const send = async () => {
    if ((await visit.context.mail.place()) === null) return
    const path = await requesterPath(visit.context, order)
    if (path === null) return
    const seller = await sellerWithLogo(visit, order.sellerId)
    const subject = `${seller?.name ?? "We"} ${did} your order`
    await visit.context.mail.send({ to: order.requester.email, subject, text: `${text}\n\n${visit.origin}${path}\n` })
  }
  send().catch((cause: unknown) => visit.context.log.error("order mail not sent", cause))
}
