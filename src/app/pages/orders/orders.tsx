import { amountOf } from "../../../domain/money.ts"
import { orderAmount, stateAt } from "../../../domain/sale/order.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { type Order, ordersOf } from "../../../storage/sales.ts"
import { type List, listFile } from "../../list.ts"
import { page } from "../../page.tsx"
import { Empty } from "../../parts/blocks.tsx"
import { Ago, formatFlight } from "../../parts/format.tsx"
import { ListView } from "../../parts/list.tsx"
import { Name } from "../../parts/table.tsx"
import { homeOf, type MemberVisit } from "../../visit.ts"
import { amountInWords, OrderBadge, orderStateInWords } from "./order-facts.tsx"

export const ordersAddress = (visit: MemberVisit): string => `${homeOf(visit)}/orders`

export const orderAddress = (visit: MemberVisit, { id }: Pick<Order, "id">): string => `${ordersAddress(visit)}/${id}`

/** Says which orders the visitor may see. The operator also sees orders without a seller. */
export const readerOf = ({ organization, user }: MemberVisit) => ({
  organizationId: organization.id,
  isOperator: user.isOperator,
})

export async function ordersPage(visit: MemberVisit): Promise<Response> {
  const orders = await ordersOf(visit.read, readerOf(visit))
  return page(visit, {
    title: "Orders",
    intro: "Orders that buyers place through the order links of your products.",
    hasTimes: orders.length > 0,
    body: <ListView list={orderList(visit)} rows={orders} url={visit.url} />,
  })
}

export async function ordersFile(visit: MemberVisit): Promise<Response> {
  return listFile(orderList(visit), await ordersOf(visit.read, readerOf(visit)), visit.url)
}

function orderList(visit: MemberVisit): List<Order> {
  const { now, timeZone } = visit
  const today = dayOf(now, timeZone)
  const stateOf = (order: Order) => stateAt(order, now)
  return {
    name: "orders",
    searched: "products, companies and people",
    textsOf: ({ product, requester }) => [product.name, requester.organization, requester.name, requester.email],
    states: {
      asked: { label: "To answer", has: (order) => stateOf(order) === "asked" },
      accepted: { label: "Accepted", has: (order) => stateOf(order) === "accepted" },
      closed: { label: "Closed", has: (order) => !["asked", "accepted"].includes(stateOf(order)) },
    },
    file: { href: `${ordersAddress(visit)}.csv`, name: `${visit.organization.slug}-orders` },
    empty: (
      <Empty
        title="No orders yet"
        text="Each product that a buyer key sees has an order link. Orders placed there are listed here."
      />
    ),
    sortedBy: "-asked",
    columns: [
      {
        title: "Product",
        cell: (order) => <Name href={orderAddress(visit, order)}>{order.product.name}</Name>,
        sort: ({ product }) => product.name,
        csv: ({ product }) => product.name,
      },
      {
        title: "Asked",
        cell: ({ askedAt }) => <Ago at={askedAt} />,
        sort: ({ askedAt }) => askedAt,
        csv: ({ askedAt }) => formatMoment(askedAt),
      },
      {
        title: "Company",
        cell: ({ requester }) => (
          <>
            {requester.organization}
            <small>{requester.name}</small>
          </>
        ),
        sort: ({ requester }) => requester.organization,
        csv: ({ requester }) => requester.organization,
      },
      { title: "Email", csv: ({ requester }) => requester.email },
      {
        title: "Dates",
        cell: ({ terms }) => formatFlight(terms.from, terms.to, today),
        sort: ({ terms }) => terms.from,
      },
      { title: "First day", csv: ({ terms }) => terms.from },
      { title: "Last day", csv: ({ terms }) => terms.to },
      { title: "Quantity", csv: ({ terms }) => terms.quantity },
      {
        title: "Amount",
        isNumber: true,
        cell: ({ terms }) => amountInWords(terms),
        csv: ({ terms }) => amountOf(orderAmount(terms), terms.price.currency),
      },
      { title: "Currency", csv: ({ terms }) => terms.price.currency },
      {
        title: "State",
        onPhone: "corner",
        cell: (order) => <OrderBadge state={stateOf(order)} />,
        csv: (order) => orderStateInWords(stateOf(order)),
      },
    ],
  }
}
