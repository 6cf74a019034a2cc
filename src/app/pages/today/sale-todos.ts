import { buyersToBill } from "../../../actions/sale/month-end.ts"
import { stateAt } from "../../../domain/sale/states.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { ordersOf } from "../../../storage/sales/orders.ts"
import { formatCount } from "../../parts/format.tsx"
import type { Todo } from "../../parts/todo.tsx"
import { homeOf, type MemberVisit } from "../../visit.ts"

/** Orders to answer, and buyers to bill for the month before this one. */
export async function saleTodos(visit: MemberVisit): Promise<Todo[]> {
  return [...(await orderTodo(visit)), ...(await monthTodo(visit))]
}

async function orderTodo(visit: MemberVisit): Promise<Todo[]> {
  const { context, organization, user, now } = visit
  const reader = { organizationId: organization.id, isOperator: user.isOperator }
  const orders = await ordersOf(context.database.read, reader)
  const asked = orders.filter((order) => stateAt(order, now) === "asked")
  if (asked.length === 0) return []
  return [
    {
      tone: "warn",
      icon: "list",
      subject: formatCount(asked.length, "order"),
      what: "to answer",
      text: asked.map(({ product, requester }) => `${product.name} for ${requester.organization}`).join(", "),
      href: `${homeOf(visit)}/orders?state=asked`,
      action: "Open orders",
    },
  ]
}

const MONTH = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" })

/** The month is mentioned once the totals cover its last day. */
async function monthTodo(visit: MemberVisit): Promise<Todo[]> {
  const { context, organization, now, role, timeZone } = visit
  const { month, buyers } = await buyersToBill(context.database.read, organization.id, dayOf(now, timeZone))
  if (role !== "admin" || buyers.length === 0) return []
  return [
    {
      tone: "info",
      icon: "list",
      subject: MONTH.format(new Date(`${month}-01`)),
      what: `has ${formatCount(buyers.length, "buyer")} to bill`,
      text: buyers.map(({ buyer }) => buyer).join(", "),
      href: `${homeOf(visit)}/statements?month=${month}`,
      action: "Open statements",
    },
  ]
}
