import type { Organization } from "../../../domain/people/organization.ts"
import { amountOf, type OrderState, stateAt } from "../../../domain/sale/order.ts"
import { cutText } from "../../../domain/text/short-text.ts"
import type { Order, SellerScope, StoreReads } from "../../../storage/port/store.ts"
import type { Look, Todo } from "../parts/blocks.tsx"
import { formatCount, listInWords } from "../parts/format.tsx"
import { money } from "../parts/terms.tsx"
import { type OrganizationVisit, param, readId } from "../visit.ts"

export const ORDERS = "/app/o/:org/orders"
export const ordersOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/orders`
export const ordersTrail = (visit: OrganizationVisit) => [{ href: ordersOf(visit), label: "Orders" }]

/** Which orders and products are an organization’s: its own and, for an operator and the only seller, those that are nobody’s yet. */
export async function sellerScope(store: StoreReads, { id }: Organization, isOperator: boolean): Promise<SellerScope> {
  const sellers = isOperator ? [] : await store.organizations.sellers(2)
  return { sellerId: id, withUnowned: isOperator || (sellers.length === 1 && sellers[0]?.id === id) }
}

export const scopeOf = ({ context, organization, person }: OrganizationVisit) =>
  sellerScope(context.store, organization, person.isOperator)

export type FoundOrder = Readonly<{ order: Order; scope: SellerScope; href: string }>

/** The order of this address as it stands now; null for organizations that only buy. */
export async function findOrder(visit: OrganizationVisit): Promise<FoundOrder | null> {
  if (visit.place?.onlyBuys === true) return null
  const scope = await scopeOf(visit)
  const order = await visit.context.store.orders.find(scope, param(visit, "order"))
  if (order === null) return null
  return { order: { ...order, state: stateAt(order, visit.now) }, scope, href: `${ordersOf(visit)}/${order.id}` }
}

export const LOOKS: Readonly<Record<OrderState, Look>> = {
  asked: ["warn", "ring", "To answer"],
  offered: ["info", "dot", "Offered"],
  accepted: ["good", "done", "Accepted"],
  declined: ["off", "dash", "Declined"],
  withdrawn: ["off", "dash", "Withdrawn"],
  ended: ["off", "word", "Ended"],
}

/** The name of the user who did something; programs and strangers have none. */
export async function nameOf({ context: { store } }: OrganizationVisit, actor: string): Promise<string | undefined> {
  const id = readId(actor.replace("user:", ""))
  return id === null ? undefined : (await store.users.findByIds([id]))[0]?.name
}

/** By which key or link each order came. */
export async function waysOf({ agentKeys, orderLinks }: StoreReads): Promise<(order: Order) => string> {
  const keys = new Map((await agentKeys.list()).map(({ id, label }) => [id, label]))
  const links = new Map((await orderLinks.list(null)).map(({ id, label }) => [id, `Link for ${label}`]))
  return ({ agentKeyId, orderLinkId }) => keys.get(agentKeyId ?? "") ?? links.get(orderLinkId ?? 0) ?? "Order link"
}

const NAMED_MAX = 2
const NAME_CHARACTERS_MAX = 60

/** 2 orders to answer: Fernweh Travel wants City Walks, pre-roll for €2,900.00. */
export async function ordersTodo(visit: OrganizationVisit): Promise<Todo> {
  const waiting = await visit.context.store.orders.waiting(await scopeOf(visit), visit.now)
  const [only] = waiting
  const wishes = waiting.map(({ requester, product, priced, asked }) => {
    const amount = money(amountOf(priced, asked), priced.currency)
    return `${cutText(requester.organization, NAME_CHARACTERS_MAX)} wants ${cutText(product.name, NAME_CHARACTERS_MAX)} for ${amount}`
  })
  return {
    tone: "info",
    icon: "list",
    subject: formatCount(waiting.length, "order"),
    what: "to answer",
    text: `${listInWords(wishes, NAMED_MAX)}.`,
    href: `${ordersOf(visit)}${waiting.length === 1 ? `/${only?.id}` : "?state=asked"}`,
    action: "Answer",
  }
}
