import { amountOf } from "../../../domain/sale/order.ts"
import type { Todo } from "../parts/blocks.tsx"
import { formatCount, listInWords } from "../parts/format.tsx"
import { money } from "../parts/terms.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { ordersOf, scopeOf } from "./with-order.ts"

const NAMED_MAX = 2

/** 2 orders to answer: Fernweh Travel wants City Walks, pre-roll for €2,900.00. */
export async function ordersTodo(visit: OrganizationVisit): Promise<Todo> {
  const waiting = await visit.context.store.orders.waiting(await scopeOf(visit), visit.now)
  const [only] = waiting
  const wishes = waiting.map(({ requester, product, priced, asked }) => {
    const amount = money(amountOf(priced, asked), priced.currency)
    return `${requester.organization} wants ${product.name} for ${amount}`
  })
  return {
    key: "orders",
    tone: "info",
    icon: "list",
    subject: formatCount(waiting.length, "order"),
    what: "to answer",
    text: `${listInWords(wishes, NAMED_MAX)}.`,
    href:
      waiting.length === 1 && only !== undefined ? `${ordersOf(visit)}/${only.id}` : `${ordersOf(visit)}?state=asked`,
    action: "Answer",
  }
}
