import { type OrderState, stateAt } from "../../../domain/sale/order-state.ts"
import type { Order, OrderScope, StoreReads } from "../../../storage/port/store.ts"
import type { Look } from "../parts/blocks.tsx"
import { type OrganizationVisit, param } from "../visit.ts"
import { orderScope } from "./scope.ts"

export const ORDERS = "/app/o/:org/orders"
export const ordersOf = ({ organization }: Pick<OrganizationVisit, "organization">) =>
  `/app/o/${organization.slug}/orders`

export const scopeOf = ({ context, organization, person }: OrganizationVisit) =>
  orderScope(context.store, organization, person.isOperator)

export interface FoundOrder {
  readonly order: Order
  readonly scope: OrderScope
  readonly href: string
}

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
