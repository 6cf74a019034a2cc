import type { Organization } from "../../../domain/people/organization.ts"
import { amountOf } from "../../../domain/sale/order.ts"
import { stateLine, sumsOf } from "../../../domain/sale/statement.ts"
import { cutText } from "../../../domain/text/short-text.ts"
import type { Todo } from "../parts/blocks.tsx"
import { formatCount, listInWords } from "../parts/format.tsx"
import { money, sumsInWords } from "../parts/terms.tsx"
import type { OrganizationVisit } from "../visit.ts"
import type { ToSettle } from "./scope.ts"
import { ordersOf, scopeOf } from "./with-order.ts"

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

export function settleTodo({ slug }: Organization, rows: ToSettle): Todo {
  const [first] = rows
  const worth = sumsInWords(sumsOf(rows.map(({ line, total }) => stateLine({ ...line, total }, false))))
  return {
    tone: "good",
    icon: "check",
    subject: first?.campaign.name ?? "",
    what: "has ended and can be settled",
    text: `${first?.buyer}${worth === "" ? "" : `, ${worth} delivered`}. The last totals are in.`,
    href: `/app/o/${slug}/campaigns/${first?.campaign.slug}/statements/new`,
    action: "Settle",
  }
}
